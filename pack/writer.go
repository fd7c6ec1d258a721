package pack

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"runtime"
)

// writer creates the files of a package below one folder. Everything goes
// through os.Root, so whatever another process does to the tree meanwhile,
// nothing outside is touched.
type writer struct {
	root *os.Root
	made map[string]bool // folders that are there
	dir  string          // the folder that cur is
	cur  *os.Root
}

func newWriter(root *os.Root) *writer { return &writer{root: root, made: map[string]bool{"": true}} }

// create makes a new file with mode 0644 or 0755, whatever the umask says. It
// fails when anything stands there already, a dangling link included.
func (w *writer) create(name string, exec bool) (*os.File, error) {
	dir, base := path.Split(name)
	if err := w.enter(path.Clean("/" + dir)[1:]); err != nil {
		return nil, err
	}
	mode := fs.FileMode(0o644)
	if exec {
		mode = 0o755
	}
	f, err := w.cur.OpenFile(base, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return nil, err
	}
	if err := chmod(f, mode); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// enter makes dir the current folder. Consecutive files mostly share one.
func (w *writer) enter(dir string) error {
	if w.cur != nil && w.dir == dir {
		return nil
	}
	if err := w.mkdir(dir); err != nil {
		return err
	}
	if err := w.close(); err != nil {
		return err
	}
	if dir == "" {
		dir = "."
	}
	cur, err := w.root.OpenRoot(dir)
	if err != nil {
		return err
	}
	w.cur, w.dir = cur, dir
	if dir == "." {
		w.dir = ""
	}
	return nil
}

// mkdir makes dir and the folders above it with mode 0755.
func (w *writer) mkdir(dir string) error {
	if w.made[dir] {
		return nil
	}
	if above := path.Dir(dir); above != "." {
		if err := w.mkdir(above); err != nil {
			return err
		}
	}
	err := w.root.Mkdir(dir, 0o755)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	if err == nil && runtime.GOOS != "windows" {
		f, err := w.root.Open(dir)
		if err != nil {
			return err
		}
		err = chmod(f, 0o755)
		f.Close()
		if err != nil {
			return err
		}
	}
	w.made[dir] = true
	return nil
}

// close closes the current folder.
func (w *writer) close() error {
	if w.cur == nil {
		return nil
	}
	err := w.cur.Close()
	w.cur = nil
	return err
}

// chmod undoes what the umask did to the mode, on the open handle: a path
// could lead elsewhere by now.
func chmod(f *os.File, mode fs.FileMode) error {
	if runtime.GOOS == "windows" {
		return nil // has no such bits
	}
	return f.Chmod(mode)
}
