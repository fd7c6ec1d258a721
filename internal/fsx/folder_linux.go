package fsx

import (
	"errors"
	"io"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

// topFolder is the root's own handle; nil where it could not be had.
type topFolder struct{ file *os.File }

func openTop(root *os.Root) topFolder {
	file, err := root.Open(".")
	if err != nil {
		return topFolder{}
	}
	return topFolder{file}
}

// open is one system call (openat2(2)); false leaves it to os.Root, which is
// there on every kernel and has the better errors.
func (t topFolder) open(dir string) (*Folder, bool) {
	if t.file == nil {
		return nil, false
	}
	how := unix.OpenHow{Flags: unix.O_PATH | unix.O_DIRECTORY | unix.O_CLOEXEC, Resolve: unix.RESOLVE_BENEATH}
	fd, err := retryInterrupted("open", dir, func() (int, error) { return unix.Openat2(int(t.file.Fd()), dir, &how) })
	if err != nil {
		return nil, false
	}
	return &Folder{fd}, true
}

func (t topFolder) close() error {
	if t.file == nil {
		return nil
	}
	return t.file.Close()
}

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
