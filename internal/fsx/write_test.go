package fsx_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/wuu-plugins/wuu/internal/fsx"
)

func TestWriteFileReplaces(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.json")
	for _, content := range []string{"first, and longer", "second", ""} {
		if err := fsx.WriteFile(path, []byte(content), 0o640); err != nil {
			t.Fatal(err)
		}
		if got := read(t, path); got != content {
			t.Errorf("got %q, want %q", got, content)
		}
	}
	if runtime.GOOS != "windows" {
		if info, _ := os.Stat(path); info.Mode().Perm() != 0o640 {
			t.Errorf("mode %v, want 0640", info.Mode())
		}
	}
	if names := list(t, filepath.Dir(path)); len(names) != 1 {
		t.Errorf("leftovers: %v", names)
	}
}

func TestWriteFileKeepsReadersOldFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	write(t, path, "old")
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if runtime.GOOS == "windows" {
		t.Skip("an open file cannot be replaced on Windows")
	}
	if err := fsx.WriteFile(path, []byte("new"), 0o600); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if _, err := b.ReadFrom(f); err != nil || b.String() != "old" {
		t.Errorf("a reader of the old file got %q, %v", b.String(), err)
	}
}

func TestWriteFileRefuses(t *testing.T) {
	dir := t.TempDir()
	victim := filepath.Join(dir, "victim")
	write(t, victim, "precious")
	link := filepath.Join(dir, "link")
	symlink(t, victim, link)
	dangling := filepath.Join(dir, "dangling")
	symlink(t, filepath.Join(dir, "nowhere"), dangling)
	folder := filepath.Join(dir, "folder")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path string
		want error
	}{
		{link, fsx.ErrSymlink},
		{dangling, fsx.ErrSymlink},
		{folder, fsx.ErrNotRegular},
		{filepath.Join(dir, "missing", "a"), fs.ErrNotExist},
	} {
		if err := fsx.WriteFile(c.path, []byte("x"), 0o600); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", filepath.Base(c.path), err, c.want)
		}
	}
	if got := read(t, victim); got != "precious" {
		t.Errorf("wrote through the link: %q", got)
	}
	for _, name := range list(t, dir) {
		if strings.Contains(name, fsx.TempInfix) {
			t.Errorf("leftover %s", name)
		}
	}
}

func TestReadFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	write(t, path, "12345")
	link := filepath.Join(dir, "link")
	symlink(t, path, link)
	for _, c := range []struct {
		path  string
		limit int64
		want  error
	}{
		{path, 5, nil},
		{path, 4, fsx.ErrTooBig},
		{link, 5, fsx.ErrSymlink},
		{dir, 5, fsx.ErrNotRegular},
		{filepath.Join(dir, "b"), 5, fs.ErrNotExist},
	} {
		got, err := fsx.ReadFile(c.path, c.limit)
		if !errors.Is(err, c.want) {
			t.Errorf("%s, limit %d: %v, want %v", c.path, c.limit, err, c.want)
		}
		if c.want == nil && string(got) != "12345" {
			t.Errorf("got %q", got)
		}
	}
}

func TestExists(t *testing.T) {
	dir := t.TempDir()
	symlink(t, filepath.Join(dir, "nowhere"), filepath.Join(dir, "dangling"))
	for name, want := range map[string]bool{"dangling": true, "b": false, ".": true} {
		if got, err := fsx.Exists(filepath.Join(dir, name)); err != nil || got != want {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func list(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func symlink(t *testing.T, target, path string) {
	t.Helper()
	if err := os.Symlink(target, path); err != nil {
		if runtime.GOOS == "windows" {
			t.Skip("no right to make symbolic links")
		}
		t.Fatal(err)
	}
}
