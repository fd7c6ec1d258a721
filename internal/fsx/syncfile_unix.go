//go:build unix && !linux

package fsx

import (
	"errors"
	"os"
	"syscall"
)

// syncFile uses the plain fsync: File.Sync asks the drive to empty its cache
// on macOS, which for each file of a package would take seconds.
func syncFile(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	if err := Point("fsync", path); err != nil {
		return errors.Join(err, f.Close())
	}
	return errors.Join(After(syscall.Fsync(int(f.Fd()))), f.Close())
}
