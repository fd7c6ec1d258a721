package pack_test

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/wuu-plugins/wuu/pack"
)

func drawList(t *rapid.T) []pack.File {
	paths := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-zé .]{1,8}(/[a-z]{1,4})?`), 0, 8, rapid.ID).Draw(t, "paths")
	files := make([]pack.File, len(paths))
	for i, p := range paths {
		files[i] = pack.File{Path: p, Exec: rapid.Bool().Draw(t, "exec"), Size: rapid.Int64Range(0, 1<<40).Draw(t, "size")}
		copy(files[i].SHA256[:], rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "sum"))
	}
	return files
}

// TestListProvesItself: the SHA-256 of a list is the fingerprint, and reading
// it gives the same files again, sorted.
func TestListProvesItself(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		files := drawList(t)
		before := slices.Clone(files)
		src := pack.List(files)
		sum := sha256.Sum256(src)
		if hex.EncodeToString(sum[:]) != pack.Fingerprint(files) {
			t.Fatal("the list has another hash than the fingerprint")
		}
		got, err := pack.ParseList(src)
		if err != nil || string(pack.List(got)) != string(src) || len(got) != len(files) || !slices.Equal(files, before) {
			t.Fatalf("%q → %v, %v", src, got, err)
		}
		if len(src) > 0 {
			if _, err := pack.ParseList(src[:len(src)-1]); err == nil {
				t.Fatal("a cut list was read")
			}
		}
	})
}

func FuzzParseList(f *testing.F) {
	f.Add(pack.List([]pack.File{{Path: "a", Size: 1}, {Path: "b/c", Exec: true}}))
	f.Add([]byte("a\x00-\x001\x00" + hex.EncodeToString(make([]byte, 32)) + "\n"))
	f.Fuzz(func(t *testing.T, src []byte) {
		if files, err := pack.ParseList(src); err == nil && string(pack.List(files)) != string(src) {
			t.Fatalf("%q is not what it gives: %q", src, pack.List(files))
		}
	})
}
