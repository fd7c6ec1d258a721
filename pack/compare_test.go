package pack_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wuu-plugins/wuu/pack"
)

// TestCompareDir: each kind of change has its word, and one does not hide the
// others.
func TestCompareDir(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links and modes are those of Unix")
	}
	dir := t.TempDir()
	put := func(name, text string, mode os.FileMode) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"a/same", "b/content", "c/gone", "d/link", "e/mode", "f/folder"} {
		put(name, name, 0o644)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	want, err := pack.InstalledFiles(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	if d, err := pack.CompareDir(t.Context(), root, want); err != nil || !d.Empty() {
		t.Fatalf("%+v, %v", d, err)
	}
	put("b/content", "b/kontent", 0o644)
	put("z/new", "", 0o644)
	for _, change := range []error{
		os.Remove(filepath.Join(dir, "c/gone")),
		os.Remove(filepath.Join(dir, "d/link")), os.Symlink("../a/same", filepath.Join(dir, "d/link")),
		os.Chmod(filepath.Join(dir, "e/mode"), 0o755),
		os.Remove(filepath.Join(dir, "f/folder")), os.Mkdir(filepath.Join(dir, "f/folder"), 0o755),
		os.Symlink("/", filepath.Join(dir, "y-link")),
	} {
		if change != nil {
			t.Fatal(change)
		}
	}
	got, err := pack.CompareDir(t.Context(), root, want)
	if err != nil {
		t.Fatal(err)
	}
	for i := range got.Changed {
		if got.Changed[i].Reason == "content" && (got.Changed[i].Wanted == got.Changed[i].Got || got.Changed[i].Got == "") {
			t.Errorf("%+v", got.Changed[i])
		}
		if got.Changed[i].Reason == "content" {
			got.Changed[i].Wanted, got.Changed[i].Got = "", ""
		}
	}
	if d := cmp.Diff(pack.Alterations{
		Changed: []pack.FileChange{{Path: "b/content", Reason: "content"}, {Path: "d/link", Reason: "link"}, {Path: "e/mode", Reason: "mode", Wanted: "0644", Got: "0755"}},
		Missing: []string{"c/gone", "f/folder"},
		Added:   []string{"y-link", "z/new"},
	}, got); d != "" {
		t.Error(d)
	}
}
