package devwatch

import (
	"errors"
	"io/fs"
	"path/filepath"
	"syscall"

	"github.com/fsnotify/fsnotify"
)

// source is the system's file events, for folders only.
type source interface {
	Add(dir string) error
	Remove(dir string) error
	Events() <-chan fsnotify.Event
	Errors() <-chan error
	Close() error
}

type notifier struct{ *fsnotify.Watcher }

func (n notifier) Events() <-chan fsnotify.Event { return n.Watcher.Events }
func (n notifier) Errors() <-chan error          { return n.Watcher.Errors }

func openEvents() (source, error) {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	return notifier{w}, nil
}

// exhausted reports whether err says that the system gives no more watches.
func exhausted(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE)
}

// watches keeps the set of watched folders equal to what the loop wants. A
// watch belongs to a folder's inode, so a replaced folder is watched anew.
type watches struct {
	open    func() (source, error)
	note    *notes
	src     source
	dirs    map[string]uint64 // watched folder → inode
	starved bool              // the system is out of watches; ask again later
}

// start opens the system's events; without them the loop only polls.
func (w *watches) start() {
	if w.src != nil || w.open == nil {
		return
	}
	src, err := w.open()
	if err != nil {
		w.fail("the system's file events cannot be opened", err)
		return
	}
	w.src = src
}

func (w *watches) fail(what string, err error) {
	code := NoteError
	if exhausted(err) {
		code, w.starved = NoteLimit, true
	}
	w.note.say(code, "", what+": "+err.Error()+"; polling instead")
}

// ask lets add try again after the system was out of watches.
func (w *watches) ask() { w.starved = false }

// add watches dir, whose inode the caller has just seen.
func (w *watches) add(dir string, inode uint64) {
	if w.src == nil || w.starved {
		return
	}
	if old, ok := w.dirs[dir]; ok {
		if old == inode {
			return
		}
		w.remove(dir)
	}
	err := w.src.Add(dir)
	switch {
	case err == nil:
		w.dirs[dir] = inode
	case errors.Is(err, fs.ErrNotExist):
		// gone again: the next comparison sees it
	case errors.Is(err, fs.ErrPermission):
		w.note.say(NotePermission, dir, dir+" cannot be watched: "+err.Error())
	default:
		w.fail("the system cannot watch "+dir, err)
	}
}

// renew asks for the watches of dirs once more. fsnotify ends a watch by name
// when a folder was renamed, even if another one has that name by now; asking
// for a watch that is there changes nothing.
func (w *watches) renew(dirs map[string]uint64) {
	for dir, inode := range dirs {
		delete(w.dirs, dir)
		w.add(dir, inode)
	}
}

func (w *watches) remove(dir string) {
	if _, ok := w.dirs[dir]; !ok {
		return
	}
	delete(w.dirs, dir)
	_ = w.src.Remove(dir) // a deleted folder has lost its watch already
}

// removeBelow ends the watches of dir and everything in it.
func (w *watches) removeBelow(dir string) {
	for d := range w.dirs {
		if d == dir || below(dir, d) {
			w.remove(d)
		}
	}
}

// keep ends the watches of all folders that are not wanted.
func (w *watches) keep(wanted map[string]bool) {
	for d := range w.dirs {
		if !wanted[d] {
			w.remove(d)
		}
	}
}

func (w *watches) close() {
	if w.src != nil {
		_ = w.src.Close() // nothing is lost: every event is only a hint
	}
}

// channels are nil, and thus never ready, without a source.
func (w *watches) channels() (<-chan fsnotify.Event, <-chan error) {
	if w.src == nil {
		return nil, nil
	}
	return w.src.Events(), w.src.Errors()
}

// below reports whether path lies inside dir.
func below(dir, path string) bool {
	if len(path) <= len(dir) || path[:len(dir)] != dir {
		return false
	}
	return dir[len(dir)-1] == filepath.Separator || path[len(dir)] == filepath.Separator
}
