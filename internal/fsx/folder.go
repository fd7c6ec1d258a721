package fsx

import (
	"io/fs"
	"os"
	"strings"
)

// Folders opens the folders below a root. A package is read as whole folders:
// looking each file up from the root costs more than reading it.
type Folders struct {
	root *os.Root
	top  topFolder
}

// NewFolders returns the folders below root, which must stay open.
func NewFolders(root *os.Root) *Folders { return &Folders{root: root, top: openTop(root)} }

// Open opens a folder, "." for the root itself. Links on the way are followed
// as os.Root does, and not out of the root.
func (f *Folders) Open(dir string) (*Folder, error) {
	if folder, ok := f.top.open(dir); ok {
		return folder, nil
	}
	sub, err := f.root.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return openFolder(sub)
}

// Close frees what the folders share. Folders that are open stay so.
func (f *Folders) Close() error { return f.top.close() }

// Open opens a regular file, device or pipe of the folder. A link is an error;
// which one depends on the system.
func (f *Folder) Open(base string) (*FolderFile, error) {
	if base == "" || base == "." || base == ".." || strings.ContainsAny(base, `/`) {
		return nil, &fs.PathError{Op: "open", Path: base, Err: fs.ErrInvalid}
	}
	return f.open(base)
}
