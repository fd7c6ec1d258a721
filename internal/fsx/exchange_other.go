//go:build !linux && !darwin

package fsx

import (
	"errors"
	"os"
)

// Exchange fails with errors.ErrUnsupported: this system has no such call.
func Exchange(a, b string) error {
	return &os.LinkError{Op: "exchange", Old: a, New: b, Err: errors.ErrUnsupported}
}
