package devwatch

import (
	"errors"
	"path/filepath"
	"time"
)

// ErrClosed is the error of a call after the watcher has ended.
var ErrClosed = errors.New("watcher is closed")

// setInputs replaces the inputs; what the old and the new set share keeps the
// state that it is compared with.
func (l *loop) setInputs(present, absent []string) {
	now := time.Now()
	old := l.tree.inputs
	l.tree.inputs = map[string]bool{}
	add := func(path string) (fresh bool) {
		path = filepath.Clean(path)
		if l.tree.covers(path) {
			return false
		}
		l.tree.inputs[path] = true
		return !old[path]
	}
	for _, path := range present {
		if !add(path) {
			continue
		}
		l.watchParent(path)
		if seen, ok := look(path); ok && seen.kind != none {
			l.learn(path, seen)
		}
	}
	for _, path := range absent {
		if !add(path) {
			continue
		}
		l.watchParent(path)
		if seen, ok := look(path); ok && seen.kind != none {
			l.settler.touch(path, now, seen, false)
		}
	}
	for path := range old {
		if !l.tree.inputs[path] {
			delete(l.tree.known, path)
			l.settler.drop(path)
		}
	}
	l.prune()
}

// prune ends the watches that no root and no input needs any more.
func (l *loop) prune() {
	wanted := map[string]bool{}
	for path := range l.tree.inputs {
		wanted[l.parent(path)] = true
	}
	for _, r := range l.tree.roots {
		if !r.dir {
			wanted[l.parent(r.path)] = true
		}
	}
	for dir := range l.watches.dirs {
		if l.tree.coversDir(dir) {
			wanted[dir] = true
		}
	}
	l.watches.keep(wanted)
}

// parent is the nearest watched folder above path.
func (l *loop) parent(path string) string {
	dir := filepath.Dir(path)
	for {
		if _, ok := l.watches.dirs[dir]; ok || dir == filepath.Dir(dir) {
			return dir
		}
		dir = filepath.Dir(dir)
	}
}

// inputsBelow looks at the inputs inside a folder that has come or gone.
func (l *loop) inputsBelow(dir string, now time.Time) {
	for path := range l.tree.inputs {
		if !below(dir, path) {
			continue
		}
		l.watchParent(path)
		seen, ok := look(path)
		if ok && seen != l.tree.known[path].sample {
			l.settler.touch(path, now, seen, false)
		}
	}
}
