package bundle

import "syscall"

// errNotDir is what a path that goes through a file gives.
var errNotDir error = syscall.ERROR_PATH_NOT_FOUND
