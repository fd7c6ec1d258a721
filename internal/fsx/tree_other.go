//go:build !linux

package fsx

import "os"

// NewTree returns a Tree below root, which must stay open.
func NewTree(root *os.Root) (*Tree, error) {
	top, err := root.OpenRoot(".")
	if err != nil {
		return nil, err
	}
	return &Tree{root: root.Name(), top: rootDir{top}, made: map[string]bool{}}, nil
}

// treeFile is the file being written.
type treeFile struct{ file *os.File }

func (f *treeFile) write(p []byte) (int, error) { return f.file.Write(p) }
func (f *treeFile) close() error                { return f.file.Close() }
