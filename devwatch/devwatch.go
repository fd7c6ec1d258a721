// Package devwatch turns file events and polling into batches of real content
// changes: what a development loop must build again.
//
// A [Watcher] watches folders (and single files) with the system's file events
// and, because events get lost, compares everything again every few seconds:
// size, time, inode, and then content. [Options.Poll] does without events, for
// network drives and containers. A change counts when it has settled: a file
// that was renamed into place 10 ms later, another one when it has been quiet
// for 30 ms and two looks agree, and a file that is gone when it is still gone
// 150 ms later. Constant writing holds a batch back for at most one second.
// Content decides: a file that was touched, rewritten with the same bytes, or
// created and removed again is in no batch. Nor are the swap and backup files
// of editors ([EditorTemp]). Symbolic links are never followed; their targets
// are compared as text.
//
// A deleted root, a folder that cannot be read, or a system without free
// watches is said once through [Options.Note]; the watcher goes on by polling
// and recovers by itself.
package devwatch

import (
	"context"
	"fmt"
	"path/filepath"
	"time"
)

// Op is what happened to a file.
type Op uint8

// The operations.
const (
	Write Op = iota + 1
	Remove
)

// Change is one file whose content differs from what the last batch saw.
type Change struct {
	Path string // absolute
	Op   Op
	Hash [32]byte // SHA-256 of the content; zero for Remove and for a file that cannot be read
}

// Batch is a settled set of changes, sorted by path.
type Batch struct {
	Seq            uint64
	Changes        []Change
	Rescan         bool // a full comparison found it (overflow, root came back)
	First, Settled time.Time
}

// The codes of Options.Note.
const (
	NoteLimit      = "WATCH_LIMIT"        // the system has no free watch; polling instead
	NoteRootGone   = "WATCH_ROOT_GONE"    // a root does not exist; waiting for it
	NotePermission = "WATCH_PERMISSION"   // a folder or file cannot be read
	NoteLoop       = "WATCH_SYMLINK_LOOP" // a link points at a folder above itself
	NoteError      = "WATCH_ERROR"        // the system's events failed in another way
)

// DefaultReconcile is the time between two full comparisons beside events.
const DefaultReconcile = 2 * time.Second

// Options configure a watcher.
type Options struct {
	Roots     []string                         // absolute folders, or single files; they must exist
	Ignore    func(path string, dir bool) bool // absolute path; true leaves it out
	Poll      time.Duration                    // > 0: no events, poll at this interval
	Reconcile time.Duration                    // with events: full comparison interval, default 2 s
	Note      func(code, message string)       // said once each while it lasts; called by one goroutine
	Now       func() time.Time                 // stamps batches; time.Now when nil

	open func() (source, error) // the system's events; tests replace it
}

// Watcher watches until its context ends.
type Watcher struct {
	batches chan Batch
	calls   chan func()
	cancel  context.CancelFunc
	done    chan struct{}
	loop    *loop // belongs to its goroutine
}

// New takes the first snapshot and starts watching; when it returns, every
// later change will be in a batch. It fails when a root does not exist.
func New(ctx context.Context, o Options) (*Watcher, error) {
	o = o.withDefaults()
	for _, root := range o.Roots {
		if !filepath.IsAbs(root) {
			return nil, fmt.Errorf("watch %s: path is not absolute", root)
		}
	}
	ctx, cancel := context.WithCancel(ctx)
	w := &Watcher{
		batches: make(chan Batch),
		calls:   make(chan func()),
		cancel:  cancel,
		done:    make(chan struct{}),
	}
	l := newLoop(o)
	w.loop = l
	if err := l.start(); err != nil {
		cancel()
		l.close()
		return nil, err
	}
	go func() {
		defer close(w.done)
		defer close(w.batches)
		defer l.close()
		l.run(ctx, w.batches, w.calls)
	}()
	return w, nil
}

func (o Options) withDefaults() Options {
	if o.Ignore == nil {
		o.Ignore = func(string, bool) bool { return false }
	}
	if o.Reconcile <= 0 {
		o.Reconcile = DefaultReconcile
	}
	if o.Note == nil {
		o.Note = func(string, string) {}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.open == nil {
		o.open = openEvents
	}
	return o
}

// Batches delivers settled batches; unread ones merge into one that holds the
// latest state of each file. It is closed at the end.
func (w *Watcher) Batches() <-chan Batch { return w.batches }

// SetInputs replaces the files outside the roots, or ignored inside them, that
// are watched because the last build read them (present) or looked for them in
// vain (absent). Paths are absolute; files that the roots cover already are
// passed over. An absent file that exists by now is reported as a change.
func (w *Watcher) SetInputs(present, absent []string) error {
	for _, list := range [][]string{present, absent} {
		for _, path := range list {
			if !filepath.IsAbs(path) {
				return fmt.Errorf("watch %s: path is not absolute", path)
			}
		}
	}
	return w.call(func(l *loop) { l.setInputs(present, absent) })
}

// Close stops watching and waits.
func (w *Watcher) Close() error {
	w.cancel()
	<-w.done
	return nil
}
