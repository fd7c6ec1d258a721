package fsx

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// SyncFS makes everything written below dir durable. On Linux it is one
// syncfs for the whole file system: an fsync for each file costs many times
// more (design/performance.md, lever 4).
func SyncFS(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = Point("syncfs", dir)
	if err == nil {
		err = After(unix.Syncfs(int(f.Fd())))
	}
	if err != nil {
		return errors.Join(fmt.Errorf("sync the file system of %s: %w", dir, err), f.Close())
	}
	return f.Close()
}
