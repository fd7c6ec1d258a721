// Package devwatch turns file events and polling into batches of real content
// changes.
package devwatch

import (
	"context"
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
	Hash [32]byte // SHA-256 of the content; zero for Remove
}

// Batch is a settled set of changes, sorted by path.
type Batch struct {
	Seq            uint64
	Changes        []Change
	Rescan         bool // a full comparison found it (overflow, root came back)
	First, Settled time.Time
}

// Options configure a watcher.
type Options struct {
	Roots     []string                         // absolute folders, or single files
	Ignore    func(path string, dir bool) bool // absolute path; true leaves it out
	Poll      time.Duration                    // > 0: no events, poll at this interval
	Reconcile time.Duration                    // with events: full comparison interval, default 2 s
	Note      func(code, message string)       // WATCH_LIMIT, WATCH_ROOT_GONE, …: said once each
	Now       func() time.Time
}

// Watcher watches until its context ends.
type Watcher struct {
	// filled in by its builder
}

// New takes the first snapshot and starts watching; when it returns, every
// later change will be in a batch.
func New(ctx context.Context, o Options) (*Watcher, error) { panic("not built yet") }

// Batches delivers settled batches; unread ones merge. It is closed at the end.
func (w *Watcher) Batches() <-chan Batch { panic("not built yet") }

// SetInputs adds files outside the roots that the last build read (present)
// or looked for in vain (absent).
func (w *Watcher) SetInputs(present, absent []string) error { panic("not built yet") }

// Close stops watching and waits.
func (w *Watcher) Close() error { panic("not built yet") }
