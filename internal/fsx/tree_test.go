package fsx_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/wuu-plugins/wuu/internal/fsx"
)

func openRoot(t *testing.T, dir string) *os.Root {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	r, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

func TestCopyTree(t *testing.T) {
	dir := t.TempDir()
	src := filepath.Join(dir, "src")
	write(t, filepath.Join(src, "bin", "run.sh"), "#!/bin/sh\n")
	write(t, filepath.Join(src, "plugin.json"), "{}")
	write(t, filepath.Join(src, "empty", "x"), "")
	if runtime.GOOS != "windows" {
		chmod(t, filepath.Join(src, "bin", "run.sh"), 0o777)
		chmod(t, filepath.Join(src, "empty"), 0o555)
	}
	dst := filepath.Join(dir, "dst")
	if err := fsx.CopyTree(context.Background(), openRoot(t, src), openRoot(t, dst)); err != nil {
		t.Fatal(err)
	}
	if got := read(t, filepath.Join(dst, "bin", "run.sh")); got != "#!/bin/sh\n" {
		t.Errorf("content %q", got)
	}
	if runtime.GOOS != "windows" {
		for name, want := range map[string]fs.FileMode{"bin/run.sh": 0o777, "plugin.json": 0o644, "empty": 0o555} {
			info, err := os.Stat(filepath.Join(dst, name))
			if err != nil || info.Mode().Perm() != want {
				t.Errorf("%s: %v %v, want %v", name, info.Mode(), err, want)
			}
		}
	}
	for _, d := range []string{src, dst} {
		if err := fsx.RemoveAll(d); err != nil {
			t.Errorf("remove read-only folders: %v", err)
		}
	}
}

func TestCopyTreeRefuses(t *testing.T) {
	dir := t.TempDir()
	src := filepath.Join(dir, "src")
	write(t, filepath.Join(dir, "secret"), "s")
	write(t, filepath.Join(src, "a"), "a")
	symlink(t, filepath.Join(dir, "secret"), filepath.Join(src, "link"))
	dst := filepath.Join(dir, "dst")
	err := fsx.CopyTree(context.Background(), openRoot(t, src), openRoot(t, dst))
	if !errors.Is(err, fsx.ErrSymlink) {
		t.Errorf("link: %v", err)
	}
	if ok, _ := fsx.Exists(filepath.Join(dst, "link")); ok {
		t.Error("the link was copied")
	}

	full := filepath.Join(dir, "full")
	write(t, filepath.Join(full, "a"), "mine")
	if err := os.Remove(filepath.Join(src, "link")); err != nil {
		t.Fatal(err)
	}
	err = fsx.CopyTree(context.Background(), openRoot(t, src), openRoot(t, full))
	if !errors.Is(err, fs.ErrExist) {
		t.Errorf("existing file: %v", err)
	}
	if got := read(t, filepath.Join(full, "a")); got != "mine" {
		t.Errorf("overwritten: %q", got)
	}

	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := fsx.CopyTree(ctx, openRoot(t, src), openRoot(t, filepath.Join(dir, "c"))); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestRemoveAll(t *testing.T) {
	dir := t.TempDir()
	outside := filepath.Join(dir, "outside", "keep")
	write(t, outside, "k")
	tree := filepath.Join(dir, "tree")
	write(t, filepath.Join(tree, "a", "b", "c"), "x")
	symlink(t, filepath.Dir(outside), filepath.Join(tree, "a", "link"))
	if runtime.GOOS != "windows" {
		chmod(t, filepath.Join(tree, "a", "b"), 0o000)
		chmod(t, filepath.Join(tree, "a"), 0o500)
	}
	if err := fsx.RemoveAll(tree); err != nil {
		t.Fatal(err)
	}
	if ok, _ := fsx.Exists(tree); ok {
		t.Error("still there")
	}
	if got := read(t, outside); got != "k" {
		t.Error("followed a link")
	}
	if err := fsx.RemoveAll(tree); err != nil {
		t.Errorf("missing: %v", err)
	}
}

func TestSwap(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	write(t, filepath.Join(a, "f"), "a")
	write(t, filepath.Join(b, "f"), "b")
	if err := fsx.Swap(a, b); err != nil {
		t.Fatal(err)
	}
	if got := read(t, filepath.Join(a, "f")) + read(t, filepath.Join(b, "f")); got != "ba" {
		t.Errorf("after a swap: %q", got)
	}
	if err := fsx.SyncFS(dir); err != nil {
		t.Error(err)
	}
	if err := fsx.Swap(a, filepath.Join(dir, "missing")); err == nil {
		t.Error("swap with a missing folder succeeded")
	}
	if got := read(t, filepath.Join(a, "f")); got != "b" {
		t.Errorf("after a swap that failed: %q", got)
	}
}

func chmod(t *testing.T, path string, mode fs.FileMode) {
	t.Helper()
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}
