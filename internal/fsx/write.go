package fsx

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// TempInfix stands in the name of the temporary file that WriteFile makes
// beside path: ".<base>.tmp-<random>". A killed process leaves one behind;
// whoever owns the folder may remove it.
const TempInfix = ".tmp-"

// WriteFile replaces the content of path in one step: readers see the old
// bytes or the new ones, also after a power cut. The file gets exactly mode,
// whatever the umask. A symbolic link or anything but a regular file at path is
// refused (ErrSymlink, ErrNotRegular); the folder must exist.
func WriteFile(path string, data []byte, mode fs.FileMode) error {
	if err := checkTarget(path); err != nil {
		return err
	}
	dir, base := filepath.Split(path)
	tmp := filepath.Join(dir, RandomName("."+base+TempInfix))
	if err := writeNew(tmp, data, mode); err != nil {
		return errors.Join(err, ignoreMissing(Remove(tmp)))
	}
	if err := Rename(tmp, path); err != nil {
		return errors.Join(err, ignoreMissing(Remove(tmp)))
	}
	return SyncDir(filepath.Dir(path))
}

// checkTarget allows a regular file or nothing at path.
func checkTarget(path string) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.Mode()&fs.ModeSymlink != 0:
		return &fs.PathError{Op: "write", Path: path, Err: ErrSymlink}
	case !info.Mode().IsRegular():
		return &fs.PathError{Op: "write", Path: path, Err: ErrNotRegular}
	}
	return nil
}

func writeNew(path string, data []byte, mode fs.FileMode) error {
	f, err := Create(path)
	if err != nil {
		return err
	}
	_, err = Write(f, data)
	if err == nil {
		err = chmod(f, mode)
	}
	if err == nil {
		err = Sync(f)
	}
	return errors.Join(err, f.Close())
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// WriteIn writes a new file below root with exactly mode. It is not made
// durable: SyncFS does that once for a whole tree. An existing file is an error.
func WriteIn(root *os.Root, name string, data []byte, mode fs.FileMode) error {
	f, err := createIn(root, name)
	if err != nil {
		return err
	}
	_, err = Write(f, data)
	if err == nil {
		err = chmod(f, mode)
	}
	return errors.Join(err, f.Close())
}
