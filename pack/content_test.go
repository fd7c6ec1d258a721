package pack_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/pack"
)

func TestCopyTo(t *testing.T) {
	dir := folder(t, withManifest(map[string]string{"bin/run": "#!/bin/sh\n", "node_modules/x": "no", "dist/old.js": "old"}))
	p, _ := openDir(t, dir, pack.Options{Overlay: map[string][]byte{"dist/new.js": []byte("new")}})
	old := umask(0o077)
	defer umask(old)
	to := t.TempDir()
	root := openRoot(t, to)
	if err := p.CopyTo(t.Context(), root); err != nil {
		t.Fatal(err)
	}
	got := tree(t, to)
	if len(got) != 5 || !strings.HasSuffix(got["dist/new.js"], " new") {
		t.Errorf("copied %q", got)
	}
	if runtime.GOOS != "windows" && (!strings.HasPrefix(got["bin/run"], "-rwxr-xr-x") || !strings.HasPrefix(got["plugin.json"], "-rw-r--r--")) {
		t.Errorf("modes: %q", got)
	}
	if fingerprint, err := pack.FingerprintDir(t.Context(), root); err != nil || fingerprint != p.Fingerprint {
		t.Errorf("fingerprint %s, %v, want %s", fingerprint, err, p.Fingerprint)
	}
	if err := p.CopyTo(t.Context(), root); !errors.Is(err, os.ErrExist) {
		t.Errorf("second copy: %v", err)
	}
}

// TestChangedFile changes a file between opening and reading. Same size, so
// that only the hash tells.
func TestChangedFile(t *testing.T) {
	for name, body := range map[string]string{"same size": "1235", "shorter": "1", "longer": "12345", "gone": "", "a folder": "/"} {
		t.Run(name, func(t *testing.T) {
			dir := folder(t, withManifest(map[string]string{"a": "1234"}))
			p, _ := openDir(t, dir, pack.Options{})
			if err := replace(filepath.Join(dir, "a"), body); err != nil {
				t.Fatal(err)
			}
			_, readErr := p.ReadFile("a", 100)
			for what, err := range map[string]error{
				"ReadFile": readErr,
				"CopyTo":   p.CopyTo(t.Context(), openRoot(t, t.TempDir())),
				"WriteZip": p.WriteZip(t.Context(), new(bytes.Buffer)),
			} {
				var f *fault.Error
				if !errors.As(err, &f) || !pack.Changed(err) || f.Subject != "a" {
					t.Errorf("%s: %v", what, err)
				}
			}
			if err := p.WriteTGZ(t.Context(), new(bytes.Buffer)); err == nil {
				t.Error("WriteTGZ packed it")
			}
		})
	}
}

// replace makes file something else: a folder for "/", nothing for "".
func replace(file, body string) error {
	if body == "" || body == "/" {
		if err := os.Remove(file); err != nil || body == "" {
			return err
		}
		return os.Mkdir(file, 0o755)
	}
	return os.WriteFile(file, []byte(body), 0o644)
}

func TestReadFileLimit(t *testing.T) {
	p, _ := openDir(t, folder(t, withManifest(map[string]string{"a": "1234"})), pack.Options{})
	if _, err := p.ReadFile("a", 3); err == nil {
		t.Error("4 bytes were read with a limit of 3")
	}
	if b, err := p.ReadFile("a", 4); err != nil || string(b) != "1234" {
		t.Errorf("%q, %v", b, err)
	}
}

// TestFingerprintValue pins the format: it is in lock files and receipts.
func TestFingerprintValue(t *testing.T) {
	var empty, abc pack.File
	empty.Path = "b/empty"
	copy(empty.SHA256[:], "\xe3\xb0\xc4\x42\x98\xfc\x1c\x14\x9a\xfb\xf4\xc8\x99\x6f\xb9\x24\x27\xae\x41\xe4\x64\x9b\x93\x4c\xa4\x95\x99\x1b\x78\x52\xb8\x55")
	abc.Path, abc.Size, abc.Exec = "a", 3, true
	copy(abc.SHA256[:], "\xba\x78\x16\xbf\x8f\x01\xcf\xea\x41\x41\x40\xde\x5d\xae\x22\x23\xb0\x03\x61\xa3\x96\x17\x7a\x9c\xb4\x10\xff\x61\xf2\x00\x15\xad")
	const want = "69c7ecf80a5ac2b4dcd3c4fc0017a7dca7dda1fd7b655ba171036be5376320ec"
	if got := pack.Fingerprint([]pack.File{empty, abc}); got != want {
		t.Errorf("Fingerprint = %s, want %s", got, want)
	}
	if got := pack.Fingerprint([]pack.File{abc, empty}); got != want {
		t.Errorf("in another order = %s", got)
	}
}

func TestFingerprintDirRefusesLinks(t *testing.T) {
	dir := folder(t, withManifest(nil))
	if err := os.Symlink("plugin.json", filepath.Join(dir, "l")); err != nil {
		t.Skipf("skipped: no symbolic links here (%v)", err)
	}
	if _, err := pack.FingerprintDir(t.Context(), openRoot(t, dir)); err == nil {
		t.Error("a link in an installed folder has a fingerprint")
	}
}

func TestFingerprintDirCountsTheLock(t *testing.T) {
	dir := folder(t, withManifest(nil))
	root := openRoot(t, dir)
	before, err := pack.FingerprintDir(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, pack.LockName), []byte("{}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	after, err := pack.FingerprintDir(t.Context(), root)
	if err != nil || after == before {
		t.Errorf("%s, %v: the lock does not count", after, err)
	}
	if p, _ := openDir(t, dir, pack.Options{}); p.Fingerprint != before {
		t.Error("the package's own fingerprint changed with the lock")
	}
}

// With Hold, what was hashed is what is written, also when the file changes.
func TestHold(t *testing.T) {
	for _, tt := range []struct {
		hold int64
		want string // of a and b: held or changed
	}{{0, "changed"}, {1 << 20, "held"}} {
		dir := folder(t, withManifest(map[string]string{"d/a": "first"}))
		p, _ := openDir(t, dir, pack.Options{Hold: tt.hold})
		if err := os.WriteFile(filepath.Join(dir, "d", "a"), []byte("other"), 0o644); err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		err := p.WriteZip(t.Context(), &out)
		if got := map[bool]string{true: "changed", false: "held"}[pack.Changed(err)]; got != tt.want || tt.want == "held" && err != nil {
			t.Errorf("hold %d: %s, %v", tt.hold, got, err)
		}
		if err != nil {
			continue
		}
		q, findings, err := pack.OpenArchive(t.Context(), bytes.NewReader(out.Bytes()), int64(out.Len()), pack.Options{})
		if err != nil || q == nil || q.Fingerprint != p.Fingerprint {
			t.Errorf("hold %d: %v, %v", tt.hold, findings, err)
		}
	}
}

// What there is no room for is read again.
func TestHoldIsBounded(t *testing.T) {
	files := map[string]string{}
	for _, name := range []string{"a", "b", "c", "d"} {
		files[name] = strings.Repeat(name, 1000)
	}
	dir := folder(t, withManifest(files))
	p, _ := openDir(t, dir, pack.Options{Hold: 2100})
	changed := 0
	for name := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := p.ReadFile(name, 1000); pack.Changed(err) {
			changed++
		} else if err != nil {
			t.Error(err)
		}
	}
	if changed < 2 {
		t.Errorf("%d files of 1,000 bytes were read again, %d bytes may be held", changed, 2100)
	}
}
