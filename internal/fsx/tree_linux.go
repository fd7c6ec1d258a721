package fsx

import (
	"errors"
	"io/fs"
	"os"
	"path"

	"golang.org/x/sys/unix"
)

// NewTree returns a Tree below root, which must stay open.
func NewTree(root *os.Root) (*Tree, error) {
	t := &Tree{root: root.Name(), made: map[string]bool{}}
	sub, err := root.OpenRoot(".")
	if err != nil {
		return nil, err
	}
	top, err := sub.Open(".")
	if err != nil {
		return nil, errors.Join(err, sub.Close())
	}
	defer top.Close()
	// Kernels before 5.6, and some sandboxes, have no openat2.
	fd, err := openBelow(int(top.Fd()), ".")
	if err != nil {
		t.top = rootDir{sub}
		return t, nil
	}
	t.top = &fdDir{fd: fd}
	return t, sub.Close()
}

// openBelow opens a folder without following any link and without leaving dir
// (openat2(2), RESOLVE_BENEATH).
func openBelow(dir int, name string) (int, error) {
	how := unix.OpenHow{
		Flags: unix.O_RDONLY | unix.O_DIRECTORY | unix.O_CLOEXEC, Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS | unix.RESOLVE_NO_XDEV,
	}
	return retryInterrupted("open", name, func() (int, error) { return unix.Openat2(dir, name, &how) })
}

// fdDir is a folder through its handle.
type fdDir struct {
	fd    int
	exact [2]bool // that a file gets its mode 0644, 0755 here, as it was once seen
}

func (d *fdDir) open(dir string) (treeDir, error) {
	fd, err := openBelow(d.fd, dir)
	if err != nil {
		return nil, err
	}
	return &fdDir{fd: fd}, nil
}

func (d *fdDir) mkdir(dir string) error {
	above, base := path.Split(dir)
	parent := d.fd
	if above != "" {
		var err error
		if parent, err = openBelow(d.fd, path.Clean(above)); err != nil {
			return err
		}
		defer unix.Close(parent)
	}
	_, err := retryInterrupted("mkdir", dir, func() (int, error) { return 0, unix.Mkdirat(parent, base, 0o755) })
	if err != nil {
		return err
	}
	fd, err := openBelow(parent, base)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	_, err = setMode(fd, dir, 0o755)
	return err
}

func (d *fdDir) create(base string, mode fs.FileMode, to *treeFile) error {
	fd, err := retryInterrupted("create", base, func() (int, error) {
		return unix.Openat(d.fd, base, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL|unix.O_NOFOLLOW|unix.O_CLOEXEC, uint32(mode))
	})
	if err != nil {
		return err
	}
	exact := &d.exact[mode>>6&1]
	if !*exact {
		// The umask, or the folder's default ACL, is the same for the next one.
		if *exact, err = setMode(fd, base, mode); err != nil {
			return errors.Join(err, unix.Close(fd))
		}
	}
	to.fd, to.name = fd, base
	return nil
}

func (d *fdDir) close() error { return unix.Close(d.fd) }

// setMode sees to the mode of an open file; exact means that it was right.
func setMode(fd int, name string, mode fs.FileMode) (exact bool, err error) {
	var info unix.Stat_t
	if err := unix.Fstat(fd, &info); err != nil {
		return false, &fs.PathError{Op: "stat", Path: name, Err: err}
	}
	if fs.FileMode(info.Mode)&0o7777 == mode {
		return true, nil
	}
	if err := Point("chmod", name); err != nil {
		return false, err
	}
	if err := After(unix.Fchmod(fd, uint32(mode))); err != nil {
		return false, &fs.PathError{Op: "chmod", Path: name, Err: err}
	}
	return false, nil
}

// treeFile is the file being written: a bare handle, since what os.File adds
// for pollable files costs a system call for each.
type treeFile struct {
	fd   int
	name string
	file *os.File // instead, of a rootDir
}

func (f *treeFile) write(p []byte) (done int, err error) {
	if f.file != nil {
		return f.file.Write(p)
	}
	for done < len(p) {
		n, err := retryInterrupted("write", f.name, func() (int, error) { return unix.Write(f.fd, p[done:]) })
		done += max(n, 0)
		if err != nil {
			return done, err
		}
	}
	return done, nil
}

func (f *treeFile) close() error {
	if f.file != nil {
		err := f.file.Close()
		f.file = nil
		return err
	}
	if err := unix.Close(f.fd); err != nil && !errors.Is(err, unix.EINTR) { // closed all the same: close(2)
		return &fs.PathError{Op: "close", Path: f.name, Err: err}
	}
	return nil
}

// retryInterrupted does it again when a signal interrupted it.
func retryInterrupted(op, name string, do func() (int, error)) (int, error) {
	for {
		n, err := do()
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case err != nil:
			return n, &fs.PathError{Op: op, Path: name, Err: err}
		}
		return n, nil
	}
}
