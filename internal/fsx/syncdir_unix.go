//go:build unix

package fsx

import (
	"errors"
	"os"
	"syscall"
)

// SyncDir makes the names in dir durable: files created, renamed or removed.
// A file system that cannot do it (some network drives) is no error.
func SyncDir(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = Sync(f)
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) {
		err = nil
	}
	return errors.Join(err, f.Close())
}
