package fsx

import (
	"errors"
	"io"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// Folder is an open folder below a root whose files are read one after another.
type Folder struct{ fd int }

func openFolder(sub *os.Root) (*Folder, error) {
	dir, err := sub.Open(".")
	if err != nil {
		return nil, errors.Join(err, sub.Close())
	}
	defer dir.Close()
	fd, err := unix.FcntlInt(dir.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return nil, errors.Join(&fs.PathError{Op: "open", Path: sub.Name(), Err: err}, sub.Close())
	}
	return &Folder{fd: fd}, sub.Close()
}

// open does not wait for the writer of a pipe that was put there.
func (f *Folder) open(base string) (*FolderFile, error) {
	fd, err := retryInterrupted("open", base, func() (int, error) {
		return unix.Openat(f.fd, base, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	})
	if err != nil {
		return nil, err
	}
	return &FolderFile{fd: fd, name: base}, nil
}

// Close closes the folder; its open files stay open.
func (f *Folder) Close() error { return unix.Close(f.fd) }

// FolderFile is an open file: a bare handle, as in treeFile.
type FolderFile struct {
	fd   int
	name string
}

// Read is that of io.Reader.
func (f *FolderFile) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	n, err := retryInterrupted("read", f.name, func() (int, error) { return unix.Read(f.fd, p) })
	if err != nil {
		return 0, err
	}
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

// Close closes the file.
func (f *FolderFile) Close() error { return unix.Close(f.fd) }
