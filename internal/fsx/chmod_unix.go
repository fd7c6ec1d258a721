//go:build unix

package fsx

import (
	"io/fs"
	"os"
)

// chmodHandle sets the bits on the open file: unlike the mode given at open
// they are not bent by the umask.
func chmodHandle(f *os.File, mode fs.FileMode) error { return f.Chmod(mode) }
