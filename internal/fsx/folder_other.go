//go:build !linux

package fsx

import (
	"io/fs"
	"os"
)

// topFolder leaves everything to os.Root.
type topFolder struct{}

func openTop(*os.Root) topFolder              { return topFolder{} }
func (topFolder) open(string) (*Folder, bool) { return nil, false }
func (topFolder) close() error                { return nil }

// Folder is an open folder below a root whose files are read one after another.
type Folder struct{ root *os.Root }

func openFolder(sub *os.Root) (*Folder, error) { return &Folder{sub}, nil }

func (f *Folder) open(base string) (*FolderFile, error) {
	info, err := f.root.Lstat(base)
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		err = &fs.PathError{Op: "open", Path: base, Err: ErrSymlink}
	}
	if err != nil {
		return nil, err
	}
	file, err := f.root.Open(base)
	if err != nil {
		return nil, err
	}
	return &FolderFile{file}, nil
}

// Close closes the folder; its open files stay open.
func (f *Folder) Close() error { return f.root.Close() }

// FolderFile is an open file.
type FolderFile struct{ *os.File }
