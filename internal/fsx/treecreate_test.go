package fsx_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"github.com/wuu-plugins/wuu/internal/fsx"
)

func newTree(t *testing.T, dir string) *fsx.Tree {
	t.Helper()
	tree, err := fsx.NewTree(openRoot(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := tree.Close(); err != nil {
			t.Error(err)
		}
	})
	return tree
}

func put(tree *fsx.Tree, name, text string, exec bool) error {
	if err := tree.Create(name, exec); err != nil {
		return err
	}
	_, err := tree.Write([]byte(text))
	return errors.Join(err, tree.CloseFile())
}

func TestTreeCreate(t *testing.T) {
	dir := t.TempDir()
	tree := newTree(t, dir)
	for _, name := range []string{"a", "d/e/f", "d/g", "b", "d/e/h"} {
		if err := put(tree, name, "text of "+name, name == "d/g"); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, filepath.FromSlash(name))
		if got, err := os.ReadFile(path); err != nil || string(got) != "text of "+name {
			t.Errorf("%s holds %q, %v", name, got, err)
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if want := map[bool]fs.FileMode{false: 0o644, true: 0o755}[name == "d/g"]; runtime.GOOS != "windows" && info.Mode() != want {
			t.Errorf("%s has mode %v, want %v", name, info.Mode(), want)
		}
	}
	for _, bad := range []string{"", ".", "..", "../x", "/x", "d//x", "d/../x", "x/"} {
		if err := tree.Create(bad, false); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("Create(%q): %v", bad, err)
		}
	}
	if err := tree.Create("a", false); !errors.Is(err, fs.ErrExist) {
		t.Errorf("the same name again: %v", err)
	}
	if err := tree.Create("a/below", false); err == nil {
		t.Error("a file was used as a folder")
	}
	if _, err := tree.Write([]byte("x")); err == nil {
		t.Error("wrote without a file")
	}
}

// Links that stand in the tree neither lead out of it nor are written through.
func TestTreeIsNotLeft(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	for link, target := range map[string]string{"out": outside, "file": filepath.Join(outside, "made")} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Skipf("skipped: no symbolic links here (%v)", err)
		}
	}
	tree := newTree(t, dir)
	for _, name := range []string{"out/x", "out/d/x", "file"} {
		if err := put(tree, name, "text", false); err == nil {
			t.Errorf("%s was written", name)
		}
	}
	if left, err := os.ReadDir(outside); err != nil || len(left) > 0 {
		t.Errorf("outside there is %v, %v", left, err)
	}
}

// Two trees share a folder: each makes the folders that it needs.
func TestTwoTrees(t *testing.T) {
	dir := t.TempDir()
	var group sync.WaitGroup
	for _, name := range []string{"x", "y"} {
		tree := newTree(t, dir)
		group.Go(func() {
			for _, folder := range []string{"a", "a/b", "c", "a/b/c/d"} {
				if err := put(tree, folder+"/"+name, name, false); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	for _, path := range []string{"a/b/c/d/x", "a/b/c/d/y", "c/x"} {
		if _, err := os.Stat(filepath.Join(dir, filepath.FromSlash(path))); err != nil {
			t.Error(err)
		}
	}
}
