//go:build failpoint

package fsx

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// removeAll is os.RemoveAll, which says nothing of its steps, taken apart: the
// content of a folder, in the order of the disk, then the folder.
func removeAll(path string) error {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if info.IsDir() {
		entries, err := os.ReadDir(path)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if err := removeAll(filepath.Join(path, e.Name())); err != nil {
				return err
			}
		}
	}
	return ignoreMissing(Remove(path))
}
