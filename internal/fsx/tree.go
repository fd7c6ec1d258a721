package fsx

import (
	"errors"
	"io/fs"
	"path"
	"path/filepath"
)

// Tree creates new files below one folder, one at a time: what an archive is
// extracted with. Whatever another process does to the tree meanwhile, nothing
// outside of it is touched: no link leads out of it, and a file is
// created only where nothing stands, a dangling link included.
//
// Names are slash-separated and relative, without "." and ".." parts, as
// pathname.Check holds them to; others fail. Several Trees may work below the
// same folder.
type Tree struct {
	root string // its path
	top  treeDir
	made map[string]bool // folders that are there
	dir  string          // the folder that cur is
	cur  treeDir         // nil: none
	name string          // the file's, as Create got it
	file treeFile
	open bool
}

// Create makes a new file with mode 0644 or 0755, whatever the umask says, and
// folders above it with 0755. The file before it must be closed.
func (t *Tree) Create(name string, exec bool) error {
	if !fs.ValidPath(name) || name == "." || t.open {
		return &fs.PathError{Op: "create", Path: name, Err: fs.ErrInvalid}
	}
	dir, base := path.Split(name)
	if err := t.enter(path.Clean("/" + dir)[1:]); err != nil {
		return t.named(path.Dir(name), err)
	}
	mode := fs.FileMode(0o644)
	if exec {
		mode = 0o755
	}
	t.name = name
	if err := Point("create", t.path(name)); err != nil {
		return err
	}
	err := t.cur.create(base, mode, &t.file)
	t.open = err == nil
	return After(t.named(name, err))
}

func (t *Tree) path(name string) string { return filepath.Join(t.root, filepath.FromSlash(name)) }

// named gives an error the whole path: which disk is full is what matters.
func (t *Tree) named(name string, err error) error {
	var p *fs.PathError
	if !errors.As(err, &p) {
		return err
	}
	return &fs.PathError{Op: p.Op, Path: t.path(name), Err: p.Err}
}

// Write appends to the file that Create made.
func (t *Tree) Write(p []byte) (int, error) {
	if !t.open {
		return 0, fs.ErrClosed
	}
	if err := Point("write", t.path(t.name)); err != nil {
		return 0, err
	}
	n := torn(len(p))
	n, err := t.file.write(p[:n])
	if n < len(p) && err == nil {
		tear()
	}
	return n, After(t.named(t.name, err))
}

// CloseFile closes the file that Create made.
func (t *Tree) CloseFile() error {
	if !t.open {
		return nil
	}
	t.open = false
	return t.named(t.name, t.file.close())
}

// Close closes everything; the files stay.
func (t *Tree) Close() error {
	err := t.CloseFile()
	if t.cur != nil && t.cur != t.top {
		err = errors.Join(err, t.cur.close())
	}
	t.cur, t.dir = nil, ""
	return errors.Join(err, t.top.close())
}

// enter makes dir the current folder. Consecutive files mostly share one.
func (t *Tree) enter(dir string) error {
	if t.cur != nil && t.dir == dir {
		return nil
	}
	if err := t.mkdir(dir); err != nil {
		return err
	}
	next := t.top
	if dir != "" {
		var err error
		if next, err = t.top.open(dir); err != nil {
			return err
		}
	}
	old := t.cur
	t.cur, t.dir = next, dir
	if old != nil && old != t.top {
		return old.close()
	}
	return nil
}

// mkdir makes dir and the folders above it.
func (t *Tree) mkdir(dir string) error {
	if dir == "" || t.made[dir] {
		return nil
	}
	above := path.Dir(dir)
	if above == "." {
		above = ""
	}
	if err := t.mkdir(above); err != nil {
		return err
	}
	if err := Point("mkdir", t.path(dir)); err != nil {
		return err
	}
	err := t.top.mkdir(dir)
	if err := After(err); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	t.made[dir] = true
	return nil
}

// treeDir is an open folder.
type treeDir interface {
	open(dir string) (treeDir, error)
	// mkdir makes one folder with mode 0755 whose parent is there.
	mkdir(dir string) error
	create(base string, mode fs.FileMode, f *treeFile) error
	close() error
}
