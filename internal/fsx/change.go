package fsx

import (
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// The functions of this file are those of package os, with a Point before and
// After behind: packages whose runs may be killed at any instant change the
// file system through them (internal/testkit holds them to it).

// Mkdir is os.Mkdir.
func Mkdir(path string, mode fs.FileMode) error {
	if err := Point("mkdir", path); err != nil {
		return err
	}
	return After(os.Mkdir(path, mode))
}

// MkdirAll is os.MkdirAll: one Mkdir for each folder that is missing.
func MkdirAll(path string, mode fs.FileMode) error {
	info, err := os.Stat(path)
	if err == nil {
		if info.IsDir() {
			return nil
		}
		return &fs.PathError{Op: "mkdir", Path: path, Err: ErrNotFolder}
	}
	if above := filepath.Dir(path); above != path {
		if err := MkdirAll(above, mode); err != nil {
			return err
		}
	}
	err = Mkdir(path, mode)
	if err != nil {
		info, serr := os.Lstat(path)
		switch {
		case serr != nil:
		case info.IsDir():
			return nil // another process was faster
		case info.Mode()&fs.ModeSymlink != 0:
			return &fs.PathError{Op: "mkdir", Path: path, Err: ErrDangling}
		}
	}
	return err
}

// Remove is os.Remove.
func Remove(path string) error {
	if err := Point("remove", path); err != nil {
		return err
	}
	return After(os.Remove(path))
}

// Create opens a file that must not exist yet for writing, with mode 0600.
func Create(path string) (*os.File, error) {
	if err := Point("create", path); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	return f, After(err)
}

// Write is f.Write.
func Write(f *os.File, p []byte) (int, error) {
	if err := Point("write", f.Name()); err != nil {
		return 0, err
	}
	n, err := f.Write(p[:torn(len(p))])
	if n < len(p) && err == nil {
		tear()
	}
	return n, After(err)
}

// WriteAt is f.WriteAt.
func WriteAt(f *os.File, p []byte, offset int64) (int, error) {
	if err := Point("write", f.Name()); err != nil {
		return 0, err
	}
	n, err := f.WriteAt(p[:torn(len(p))], offset)
	if n < len(p) && err == nil {
		tear()
	}
	return n, After(err)
}

// Truncate is f.Truncate.
func Truncate(f *os.File, size int64) error {
	if err := Point("truncate", f.Name()); err != nil {
		return err
	}
	return After(f.Truncate(size))
}

// Sync is f.Sync.
func Sync(f *os.File) error {
	if err := Point("fsync", f.Name()); err != nil {
		return err
	}
	return After(f.Sync())
}

// Chtimes is os.Chtimes.
func Chtimes(path string, access, change time.Time) error {
	if err := Point("utimes", path); err != nil {
		return err
	}
	return After(os.Chtimes(path, access, change))
}

// chmod sets the bits of the open file, where the system has them.
func chmod(f *os.File, mode fs.FileMode) error {
	if err := Point("chmod", f.Name()); err != nil {
		return err
	}
	return After(chmodHandle(f, mode))
}
