package fsx

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// Exchange swaps a and b in one step, or fails with errors.ErrUnsupported
// where the kernel or the file system cannot.
func Exchange(a, b string) error {
	if err := Point("exchange", a); err != nil {
		return err
	}
	err := unix.RenamexNp(a, b, unix.RENAME_SWAP)
	switch {
	case err == nil:
		return After(nil)
	case errors.Is(err, unix.EINVAL), errors.Is(err, unix.ENOSYS), errors.Is(err, unix.ENOTSUP):
		err = errors.ErrUnsupported
	}
	return &os.LinkError{Op: "exchange", Old: a, New: b, Err: err}
}
