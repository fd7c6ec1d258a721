package fsx

import (
	"io/fs"
	"os"
	"runtime"
)

// rootDir is a folder through os.Root: on every system, but it looks every
// folder up anew, and the runtime watches every file.
type rootDir struct{ root *os.Root }

func (d rootDir) open(dir string) (treeDir, error) {
	sub, err := d.root.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return rootDir{sub}, nil
}

func (d rootDir) mkdir(dir string) error {
	if err := d.root.Mkdir(dir, 0o755); err != nil || runtime.GOOS == "windows" {
		return err
	}
	f, err := d.root.Open(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	return exactMode(f, 0o755)
}

func (d rootDir) create(base string, mode fs.FileMode, to *treeFile) error {
	f, err := d.root.OpenFile(base, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	if err := exactMode(f, mode); err != nil {
		f.Close()
		return err
	}
	to.file = f
	return nil
}

func (d rootDir) close() error { return d.root.Close() }

// exactMode undoes what the umask did to the mode, on the open handle: a path
// could lead elsewhere by now. Windows has no such bits.
func exactMode(f *os.File, mode fs.FileMode) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	if err := Point("chmod", f.Name()); err != nil {
		return err
	}
	return After(f.Chmod(mode))
}
