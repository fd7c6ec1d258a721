package fsx

import (
	"io/fs"
	"os"
	"strings"
)

// OpenFolder opens the folder dir of root, "." for root itself: a package is
// read as whole folders, and looking each file up from the root costs more than
// reading it. Links on the
// way are followed as os.Root does, and not out of root.
func OpenFolder(root *os.Root, dir string) (*Folder, error) {
	sub, err := root.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return openFolder(sub)
}

// Open opens a regular file, device or pipe of the folder. A link is an error;
// which one depends on the system.
func (f *Folder) Open(base string) (*FolderFile, error) {
	if base == "" || base == "." || base == ".." || strings.ContainsAny(base, `/`) {
		return nil, &fs.PathError{Op: "open", Path: base, Err: fs.ErrInvalid}
	}
	return f.open(base)
}
