package fsx

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// RemoveAll removes path and everything below it, folders without the write
// bit included (generations are read-only). Symbolic links are removed, never
// followed; a missing path is no error.
func RemoveAll(path string) error {
	err := removeAll(path)
	if err == nil || !errors.Is(err, fs.ErrPermission) {
		return err
	}
	unlock(path)
	return retry(func() error { return removeAll(path) }, transient, time.Sleep)
}

// unlock gives the owner every right on the folders below path. What fails
// here shows again, with its name, when the removal is tried.
func unlock(path string) {
	info, err := os.Lstat(path)
	if err != nil || !info.IsDir() {
		return
	}
	if info.Mode().Perm()&0o700 != 0o700 {
		if err := chmodDir(path, info); err != nil {
			return
		}
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return
	}
	for _, e := range entries {
		if e.IsDir() {
			unlock(filepath.Join(path, e.Name()))
		}
	}
}

// chmodDir prefers the open handle, so that a link put in the folder's place
// meanwhile is not followed; a folder without the read bit cannot be opened.
func chmodDir(path string, want fs.FileInfo) error {
	f, err := openNoFollow(path)
	if err != nil {
		if err := Point("chmod", path); err != nil {
			return err
		}
		return After(os.Chmod(path, 0o700))
	}
	defer f.Close()
	if got, err := f.Stat(); err != nil || !os.SameFile(got, want) {
		return fs.ErrPermission
	}
	return chmod(f, 0o700)
}
