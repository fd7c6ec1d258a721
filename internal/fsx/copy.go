package fsx

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
)

// CopyTree copies every folder and regular file of src into dst with their
// permission bits; set-id and sticky bits are dropped, and the owner keeps the
// right to write folders until their content is there. Links and other special
// files are an error, and so is a file that dst has already. Both roots keep a
// race on the file system from leading outside.
func CopyTree(ctx context.Context, src, dst *os.Root) error {
	return copyDir(ctx, src, dst, ".")
}

func copyDir(ctx context.Context, src, dst *os.Root, dir string) error {
	d, err := src.Open(dir)
	if err != nil {
		return err
	}
	entries, err := d.ReadDir(-1)
	if err := errors.Join(err, d.Close()); err != nil {
		return fmt.Errorf("read folder %s: %w", dir, err)
	}
	for _, e := range entries {
		if err := ctx.Err(); err != nil {
			return err
		}
		name := path.Join(dir, e.Name())
		switch {
		case e.IsDir():
			err = copySubdir(ctx, src, dst, name)
		case e.Type().IsRegular():
			err = copyFile(src, dst, name)
		case e.Type()&fs.ModeSymlink != 0:
			err = &fs.PathError{Op: "copy", Path: name, Err: ErrSymlink}
		default:
			err = &fs.PathError{Op: "copy", Path: name, Err: ErrNotRegular}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func copySubdir(ctx context.Context, src, dst *os.Root, name string) error {
	info, err := src.Stat(name)
	if err != nil {
		return err
	}
	if err := mkdirIn(dst, name, 0o700); err != nil {
		return err
	}
	if err := copyDir(ctx, src, dst, name); err != nil {
		return err
	}
	d, err := dst.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(chmod(d, info.Mode().Perm()), d.Close())
}

func copyFile(src, dst *os.Root, name string) error {
	in, err := src.Open(name)
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return &fs.PathError{Op: "copy", Path: name, Err: ErrNotRegular}
	}
	out, err := createIn(dst, name)
	if err != nil {
		return err
	}
	err = copyContent(out, in)
	if err == nil {
		err = chmod(out, info.Mode().Perm())
	}
	return errors.Join(err, out.Close())
}

// copyContent lets the system copy where it can (io.Copy, copy_file_range): one
// operation however large the file is.
func copyContent(out, in *os.File) error {
	if err := Point("write", out.Name()); err != nil {
		return err
	}
	_, err := io.Copy(out, in)
	return After(err)
}

func mkdirIn(root *os.Root, name string, mode fs.FileMode) error {
	if err := Point("mkdir", path.Join(root.Name(), name)); err != nil {
		return err
	}
	return After(root.Mkdir(name, mode))
}

// createIn opens a file that must not exist yet for writing, with mode 0600.
func createIn(root *os.Root, name string) (*os.File, error) {
	if err := Point("create", path.Join(root.Name(), name)); err != nil {
		return nil, err
	}
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	return f, After(err)
}

// RemoveIn is root.Remove.
func RemoveIn(root *os.Root, name string) error {
	if err := Point("remove", path.Join(root.Name(), name)); err != nil {
		return err
	}
	return After(root.Remove(name))
}
