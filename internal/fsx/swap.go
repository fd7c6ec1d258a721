package fsx

import (
	"errors"
	"fmt"
	"path/filepath"
)

// Swap exchanges what stands at a and b, both on one file system: in one step
// where the system can (Exchange), else by renames through a temporary name
// beside a. When those fail half-way a is put back.
func Swap(a, b string) error {
	err := Exchange(a, b)
	if !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	return swapByRename(a, b)
}

func swapByRename(a, b string) error {
	aside := filepath.Join(filepath.Dir(a), RandomName(".swap-"))
	if err := Rename(a, aside); err != nil {
		return err
	}
	if err := Rename(b, a); err != nil {
		return errors.Join(err, Rename(aside, a))
	}
	if err := Rename(aside, b); err != nil {
		return fmt.Errorf("%w (the former content is at %s)", err, aside)
	}
	return nil
}
