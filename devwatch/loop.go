package devwatch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/fsnotify/fsnotify"
)

// renewAfter is the quiet after which moved folders are watched anew.
const renewAfter = 50 * time.Millisecond

// loop is the one goroutine that owns all state of a watcher.
type loop struct {
	o       Options
	tree    tree
	watches watches
	settler *settler
	mail    mailbox
	note    *notes
	renamed bool          // the last event was the old name of a rename
	rescan  bool          // what is pending was found by a full comparison after trouble
	scan    time.Duration // until the next full comparison
	renew   *time.Timer   // fires when folders have stopped coming and going
}

func newLoop(o Options) *loop {
	l := &loop{o: o, note: newNotes(o.Note)}
	l.tree = tree{ignore: o.Ignore, inputs: map[string]bool{}, known: map[string]entry{}}
	l.watches = watches{note: l.note, dirs: map[string]uint64{}}
	l.settler = newSettler(quietWritten)
	l.scan = o.Reconcile
	if o.Poll > 0 {
		// Quiet shows only in comparisons, and a bundler writes file after file:
		// wait for half an interval, and compare once more before a batch.
		l.settler.quiet = min(max(o.Poll/2, quietWritten), 250*time.Millisecond)
		l.scan = o.Poll
		return l
	}
	l.watches.open = o.open
	return l
}

// start watches first and looks then, so that nothing falls between.
func (l *loop) start() error {
	for _, path := range l.o.Roots {
		info, err := os.Stat(path)
		if err != nil {
			return fmt.Errorf("watch: %w", err)
		}
		if !info.IsDir() && !info.Mode().IsRegular() {
			return fmt.Errorf("watch %s: neither folder nor file", path)
		}
		l.tree.roots = append(l.tree.roots, &root{path: path, dir: info.IsDir()})
	}
	l.watches.start()
	l.watch(l.tree.all())
	s := l.tree.all()
	l.watch(s)
	for path, seen := range s.files {
		l.learn(path, seen)
	}
	return nil
}

// learn reads path as the state that later changes are compared with.
func (l *loop) learn(path string, seen sample) entry {
	e, err := content(path, seen)
	if err != nil {
		l.note.say(NotePermission, path, fmt.Sprintf("%s cannot be read: %v", path, err))
	} else {
		l.note.over(NotePermission, path)
	}
	if _, known := l.tree.known[path]; !known && seen.kind == link && looped(path) {
		l.note.say(NoteLoop, path, path+" links to a folder that contains it; links are not followed")
	}
	l.tree.known[path] = e
	return e
}

func (l *loop) close() { l.watches.close() }

func (l *loop) run(ctx context.Context, out chan<- Batch, calls <-chan func()) {
	compare := time.NewTimer(l.scan)
	defer compare.Stop()
	settle := time.NewTimer(time.Hour)
	defer settle.Stop()
	l.renew = time.NewTimer(time.Hour)
	defer l.renew.Stop()
	for {
		if at, ok := l.settler.next(); ok {
			settle.Reset(time.Until(at))
		} else {
			settle.Stop()
		}
		var send chan<- Batch
		var batch Batch
		if l.mail.unread != nil {
			send, batch = out, *l.mail.unread
		}
		events, errs := l.watches.channels()
		select {
		case <-ctx.Done():
			return
		case send <- batch:
			l.mail.taken()
		case call := <-calls:
			call()
		case e := <-events:
			l.event(e)
		case err := <-errs:
			l.trouble(err)
		case <-settle.C:
			l.settle(time.Now())
		case <-l.renew.C:
			s := l.tree.all()
			l.watches.renew(s.dirs)
			l.check(l.tree.all(), time.Now())
		case <-compare.C:
			compare.Reset(l.compare())
		}
	}
}

// call runs f in the loop's goroutine.
func (w *Watcher) call(f func(*loop)) error {
	finished := make(chan struct{})
	select {
	case w.calls <- func() { f(w.loop); close(finished) }:
		<-finished
		return nil
	case <-w.done:
		return ErrClosed
	}
}

// trouble is an error of the system's events. Lost events mean that everything
// must be looked at.
func (l *loop) trouble(err error) {
	if err == nil {
		return
	}
	if !errors.Is(err, fsnotify.ErrEventOverflow) {
		l.watches.fail("the system's file events failed", err)
	}
	l.rescan = true
	l.compare()
}

// compare looks at everything and returns when to do so again. Beside events
// a comparison takes at most a hundredth of the time, and comes at least every
// ten seconds.
func (l *loop) compare() time.Duration {
	began := time.Now()
	l.watches.ask()
	l.watches.start()
	l.check(l.tree.all(), began)
	if l.o.Poll > 0 || l.watches.starved || l.watches.src == nil {
		return l.scan
	}
	return min(max(l.scan, 100*time.Since(began)), max(l.scan, 10*time.Second))
}

// settle looks at what is due and hands over what has come to rest.
func (l *loop) settle(now time.Time) {
	for _, path := range l.settler.due(now) {
		seen, ok := look(path)
		if !ok {
			l.settler.drop(path)
			l.note.say(NotePermission, path, path+" cannot be looked at")
			continue
		}
		l.settler.look(path, now, seen)
	}
	ready, forced := l.settler.ready(now)
	if !ready {
		return
	}
	if l.o.Poll > 0 && !forced {
		l.check(l.tree.all(), now)
		if ready, forced = l.settler.ready(now); !ready {
			return
		}
	}
	l.deliver(now, forced)
}

// deliver compares the content of what has settled and puts the changes into
// the mailbox. A file that changed while it was read goes back to settling.
func (l *loop) deliver(now time.Time, forced bool) {
	paths, first := l.settler.take(now)
	var deltas []delta
	for path, seen := range paths {
		old, known := l.tree.known[path]
		before := state{known, old.hash}
		if seen.kind != file && seen.kind != link || !l.tree.wants(path) {
			delete(l.tree.known, path)
			if known && l.tree.wants(path) {
				deltas = append(deltas, delta{Change{Path: path, Op: Remove}, before})
			}
			continue
		}
		e := l.learn(path, seen)
		if after, ok := look(path); ok && after != seen {
			l.settler.touch(path, now, after, false)
			if !forced {
				restore(l.tree.known, path, old, known)
				continue
			}
		}
		if before != (state{true, e.hash}) {
			deltas = append(deltas, delta{Change{path, Write, e.hash}, before})
		}
	}
	settled := l.o.Now()
	l.mail.put(Batch{Rescan: l.rescan, First: settled.Add(-now.Sub(first)), Settled: settled}, deltas)
	if len(l.settler.paths) == 0 {
		l.rescan = false
	}
}

func restore(known map[string]entry, path string, old entry, was bool) {
	if was {
		known[path] = old
	} else {
		delete(known, path)
	}
}
