package fsx

import (
	"errors"
	"os"
)

// SyncDir does nothing: Windows has no such call, and its file systems
// journal their own folders.
func SyncDir(string) error { return nil }

func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(Sync(f), f.Close())
}
