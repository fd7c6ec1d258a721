package fsx

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

// ReadFile reads a regular file of at most limit bytes. A symbolic link at
// path is ErrSymlink and is not followed; more content is ErrTooBig.
func ReadFile(path string, limit int64) ([]byte, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		return nil, &fs.PathError{Op: "read", Path: path, Err: ErrSymlink}
	case !info.Mode().IsRegular():
		return nil, &fs.PathError{Op: "read", Path: path, Err: ErrNotRegular}
	}
	f, err := openNoFollow(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(data)) > limit {
		return nil, &fs.PathError{Op: "read", Path: path, Err: ErrTooBig}
	}
	return data, nil
}

// Exists tells whether anything, a dangling link included, stands at path.
func Exists(path string) (bool, error) {
	_, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}
