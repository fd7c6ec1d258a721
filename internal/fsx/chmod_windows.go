package fsx

import (
	"io/fs"
	"os"
)

// chmodHandle does nothing: Windows has no permission bits, and its read-only
// attribute would only keep the copy from being removed.
func chmodHandle(*os.File, fs.FileMode) error { return nil }
