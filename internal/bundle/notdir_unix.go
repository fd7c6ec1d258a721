//go:build !windows

package bundle

import "syscall"

// errNotDir is what a path that goes through a file gives.
var errNotDir error = syscall.ENOTDIR
