package devwatch

import (
	"os"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"
)

// event is one hint of the system. Only what a look shows counts; the event
// says where to look, and whether a rename brought the file.
func (l *loop) event(e fsnotify.Event) {
	// fsnotify reports a rename inside watched folders as the old name followed
	// by the creation of the new one.
	moved := e.Has(fsnotify.Create) && l.renamed
	l.renamed = e.Has(fsnotify.Rename)
	now := time.Now()
	path := filepath.Clean(e.Name)
	seen, ok := look(path)
	if !ok {
		return // the comparison speaks of permissions
	}
	_, watched := l.watches.dirs[path]
	switch {
	case watched && e.Op&(fsnotify.Remove|fsnotify.Rename) != 0:
		l.watches.removeBelow(path)
		l.folder(path, now)
		l.renew.Reset(renewAfter)
	case seen.kind == dir:
		if e.Has(fsnotify.Create) {
			l.folder(path, now)
		}
	case seen.kind == none && !l.tree.inputs[path]:
		if _, known := l.tree.known[path]; known {
			l.settler.touch(path, now, seen, false)
		} else if _, pending := l.settler.pending(path); pending {
			l.settler.touch(path, now, seen, false)
		} else {
			l.missing(path, now)
		}
	case l.tree.wants(path):
		l.settler.touch(path, now, seen, moved)
	}
}

// folder looks at a folder that has come, gone or been replaced.
func (l *loop) folder(path string, now time.Time) {
	for _, r := range l.tree.roots {
		if r.dir && (r.path == path || below(path, r.path)) {
			l.rescan = true
			l.check(l.tree.all(), now)
			return
		}
	}
	l.inputsBelow(path, now)
	if !l.tree.coversDir(path) {
		return
	}
	s := newSurvey()
	if info, err := os.Lstat(path); err == nil && info.IsDir() {
		s.dirs[path], _ = identity(info)
		// Watching first closes the gap between the listing and the watch.
		l.watch(s)
		l.tree.walk(path, s)
	}
	l.watch(s)
	l.found(s, now)
	l.missing(path, now)
}

// missing looks at the known files below path.
func (l *loop) missing(path string, now time.Time) {
	for _, name := range l.tree.knownBelow(path) {
		if seen, ok := look(name); ok && seen != l.tree.known[name].sample {
			l.settler.touch(name, now, seen, false)
		}
	}
}

// check compares a survey of everything with what is known.
func (l *loop) check(s *survey, now time.Time) {
	l.watch(s)
	l.roots(s)
	l.found(s, now)
	for path := range l.tree.known {
		if _, there := s.files[path]; there || s.blinded(path) {
			continue
		}
		if _, pending := l.settler.pending(path); pending {
			continue
		}
		if l.tree.wants(path) {
			l.settler.touch(path, now, sample{}, false)
		} else {
			delete(l.tree.known, path) // ignored since
		}
	}
	if len(l.settler.paths) == 0 {
		l.rescan = false // nothing was missed
	}
}

// roots says which roots are gone and notices those that came back.
func (l *loop) roots(s *survey) {
	gone := map[string]bool{}
	for _, path := range s.gone {
		gone[path] = true
	}
	for _, r := range l.tree.roots {
		switch {
		case gone[r.path] && !r.gone:
			r.gone = true
			l.watches.removeBelow(r.path)
			l.note.say(NoteRootGone, r.path, r.path+" does not exist any more; waiting for it to come back")
		case !gone[r.path] && r.gone:
			r.gone = false
			l.rescan = true
			l.note.over(NoteRootGone, r.path)
		}
	}
	for _, path := range s.blind {
		l.note.say(NotePermission, path, path+" cannot be read; what is in it counts as unchanged")
	}
}

// found touches every surveyed file that differs from what is known: by its
// sample, or, while its time is too young to be trusted, by its content.
func (l *loop) found(s *survey, now time.Time) {
	for path, seen := range s.files {
		if last, pending := l.settler.pending(path); pending {
			if last != seen {
				l.settler.touch(path, now, seen, false)
			}
			continue
		}
		old, known := l.tree.known[path]
		switch {
		case !known || old.sample != seen:
			l.settler.touch(path, now, seen, false)
		case old.doubtful():
			e, err := content(path, seen)
			if err != nil || e.hash != old.hash {
				l.settler.touch(path, now, seen, false)
				continue
			}
			l.tree.known[path] = e
		}
	}
}

// watch follows the folders of a survey and the folders of the inputs.
func (l *loop) watch(s *survey) {
	for dir, inode := range s.dirs {
		l.watches.add(dir, inode)
	}
	for path := range l.tree.inputs {
		l.watchParent(path)
	}
	for _, r := range l.tree.roots {
		if !r.dir {
			l.watchParent(r.path)
		}
	}
	if l.watches.src != nil && !l.watches.starved {
		l.note.over(NoteLimit, "")
	}
}

// watchParent watches the nearest folder above path that exists.
func (l *loop) watchParent(path string) {
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		info, err := os.Stat(dir)
		if err == nil && info.IsDir() {
			inode, _ := identity(info)
			l.watches.add(dir, inode)
			return
		}
		if dir == filepath.Dir(dir) {
			return
		}
	}
}
