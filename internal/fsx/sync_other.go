//go:build !linux

package fsx

import (
	"errors"
	"io/fs"
	"path/filepath"
)

// SyncFS makes everything written below dir durable. This system cannot sync
// one file system at once, so each file and folder is synced.
func SyncFS(dir string) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			return SyncDir(path)
		case d.Type().IsRegular():
			return ignorePermission(syncFile(path))
		}
		return nil
	})
}

// ignorePermission lets a read-only file pass: it cannot be opened for a sync.
func ignorePermission(err error) error {
	if errors.Is(err, fs.ErrPermission) {
		return nil
	}
	return err
}
