package fsx_test

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/wuu-plugins/wuu/internal/fsx"
)

func TestFolder(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"sub/a", "outside"} {
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), []byte("text of "+name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	linked := os.Symlink("a", filepath.Join(dir, "sub", "link")) == nil
	root := openRoot(t, dir)
	folders := fsx.NewFolders(root)
	defer folders.Close()
	f, err := folders.Open("sub")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for range 2 {
		file, err := f.Open("a")
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(file)
		if err != nil || string(got) != "text of sub/a" {
			t.Errorf("%q, %v", got, err)
		}
		if err := file.Close(); err != nil {
			t.Error(err)
		}
	}
	bad := []string{"", ".", "..", "../outside", "missing"}
	if linked {
		bad = append(bad, "link")
	}
	for _, name := range bad {
		if file, err := f.Open(name); err == nil {
			file.Close()
			t.Errorf("%q was opened", name)
		}
	}
	for _, name := range []string{"missing", "..", "sub/../..", "/", "outside", ""} {
		if _, err := folders.Open(name); err == nil {
			t.Errorf("the folder %q was opened", name)
		}
	}
	if !linked {
		return
	}
	for name, target := range map[string]string{"in": "sub", "sub/up": "../sub"} {
		if err := os.Symlink(target, filepath.Join(dir, filepath.FromSlash(name))); err != nil {
			t.Fatal(err)
		}
		if f, err := folders.Open(name); err != nil {
			t.Errorf("the link %s inside the root was not followed: %v", name, err)
		} else if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
	if err := os.Symlink(t.TempDir(), filepath.Join(dir, "out")); err != nil {
		t.Fatal(err)
	}
	if _, err := folders.Open("out"); err == nil {
		t.Error("a link led out of the root")
	}
}
