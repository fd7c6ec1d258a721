package dev

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/wuu-plugins/wuu/devwatch"
	"github.com/wuu-plugins/wuu/internal/scaffold"
	"github.com/wuu-plugins/wuu/pack"
)

// errNewer ends the foreign programs of an attempt that a newer change has
// overtaken.
var errNewer = errors.New("a newer change came")

// The codes of Options.Note, beside those of devwatch.
const (
	NoteOwnOutput = "DEV_OWN_OUTPUT" // a build script changes files that cause a build
	NoteTypes     = "DEV_TYPES"      // .wuu/types cannot be written
)

// loop is one development loop. Attempts run one at a time, in a goroutine of
// their own while it watches.
type loop struct {
	o       Options
	project project
	seq     uint64
	id      string          // of what was published first
	last    *pack.Package   // what was published last, for its effects
	inputs  map[string]bool // what the last build read
	blame   map[string]bool // files whose change has ended a script
	accused bool            // NoteOwnOutput has been said since the last idle
}

func newLoop(o Options, p project) *loop {
	return &loop{o: o, project: p, blame: map[string]bool{}}
}

// types refreshes the declarations for editors; without them the plugin builds
// all the same.
func (l *loop) types() {
	if !l.o.Types || l.project.base() != l.project.source() {
		return
	}
	if err := scaffold.WriteTypes(l.project.base()); err != nil {
		l.o.Note(NoteTypes, err.Error())
	}
}

// trigger is why an attempt is made; its zero value is the first one.
type trigger struct {
	changes map[string]bool // absolute
	first   time.Time
}

func (t *trigger) merge(b devwatch.Batch) *trigger {
	if t == nil {
		t = &trigger{first: b.First}
	}
	if t.changes == nil {
		t.changes = map[string]bool{}
	}
	for _, c := range b.Changes {
		t.changes[c.Path] = true
	}
	return t
}

// relative lists the changes as seen from base.
func (t *trigger) relative(base string) []string {
	var list []string
	for _, path := range slices.Sorted(maps.Keys(t.changes)) {
		if rel, err := filepath.Rel(base, path); err == nil {
			path = filepath.ToSlash(rel)
		}
		list = append(list, path)
	}
	return list
}

// run watches before it builds, so that no change falls between.
func (l *loop) run(ctx context.Context) error {
	set := l.project.watch()
	w, err := l.watcher(ctx, set)
	if err != nil {
		return err
	}
	defer func() { _ = w.Close() }()
	var (
		pending = &trigger{}
		done    chan result
		outrun  context.CancelCauseFunc
	)
	for {
		if pending != nil && done == nil {
			done, outrun = l.begin(ctx, pending)
			pending = nil
		}
		select {
		case <-ctx.Done():
			if done != nil {
				<-done
			}
			return nil
		case b, ok := <-w.Batches():
			if !ok {
				continue // ctx has ended
			}
			pending = pending.merge(b)
			if done != nil {
				l.outrun(b, outrun)
			}
		case _, open := <-l.o.Rebuild:
			if !open {
				l.o.Rebuild = nil
				continue
			}
			pending = pending.merge(devwatch.Batch{})
		case r := <-done:
			outrun(nil)
			done = nil
			if w, set, err = l.follow(ctx, w, set, r); err != nil {
				return err
			}
			if r.candidate != nil && l.late(r) {
				pending = pending.merge(devwatch.Batch{})
			}
			if pending == nil {
				clear(l.blame)
				l.accused = false
				l.idle(r)
			}
		}
	}
}

// begin starts an attempt. The returned function lets it know that it has been
// overtaken, and must be called in any case.
func (l *loop) begin(ctx context.Context, t *trigger) (chan result, context.CancelCauseFunc) {
	soft, cancel := context.WithCancelCause(ctx)
	done := make(chan result, 1)
	go func() { done <- l.attempt(ctx, soft, *t) }()
	return done, cancel
}

// outrun ends the script of the running attempt for the newer change b, unless
// the same files have done so before: then the script seems to write them.
func (l *loop) outrun(b devwatch.Batch, cancel context.CancelCauseFunc) {
	var own []string
	for _, c := range b.Changes {
		if l.blame[c.Path] {
			own = append(own, c.Path)
		}
	}
	if len(own) == len(b.Changes) && len(own) > 0 {
		if l.project.scripted() && !l.accused {
			l.accused = true
			l.o.Note(NoteOwnOutput, fmt.Sprintf("%s changed again during the build; if the build writes it, name it in .gitignore", strings.Join(own, ", ")))
		}
		return
	}
	for _, c := range b.Changes {
		l.blame[c.Path] = true
	}
	cancel(errNewer)
}

func (l *loop) watcher(ctx context.Context, set watchSet) (*devwatch.Watcher, error) {
	w, err := devwatch.New(ctx, devwatch.Options{
		Roots: set.roots, Ignore: set.ignore, Poll: l.o.Poll, Note: l.o.Note,
	})
	if err != nil {
		return nil, fmt.Errorf("watch %s: %w", l.project.base(), err)
	}
	return w, nil
}

// follow watches what the attempt has read. When the roots have changed it
// does so with a new watcher, and the caller sees no gap: the new one watches
// before the old one ends, and late finds what changed since the build.
func (l *loop) follow(ctx context.Context, w *devwatch.Watcher, set watchSet, r result) (*devwatch.Watcher, watchSet, error) {
	if next := l.project.watch(); !next.same(set) {
		fresh, err := l.watcher(ctx, next)
		if err != nil && ctx.Err() == nil {
			l.o.Note(devwatch.NoteError, err.Error()) // a root went away meanwhile: stay with the old ones
		}
		if err == nil {
			_ = w.Close() // always nil
			w, set = fresh, next
		}
	}
	if r.candidate == nil {
		return w, set, nil
	}
	err := w.SetInputs(r.candidate.inputs, r.candidate.absent)
	if errors.Is(err, devwatch.ErrClosed) && ctx.Err() != nil {
		err = nil
	}
	return w, set, err
}

// late reports whether a file that is watched only since this build changed
// after the build began.
func (l *loop) late(r result) bool {
	inputs := map[string]bool{}
	late := false
	for _, path := range r.candidate.inputs {
		inputs[path] = true
		if l.inputs[path] {
			continue
		}
		if info, err := os.Stat(path); err == nil && info.ModTime().After(r.began) {
			late = true
		}
	}
	l.inputs = inputs
	return late
}

// idle says that the loop waits for changes.
func (l *loop) idle(r result) {
	e := Event{Type: Idle, PluginID: r.id}
	if !r.published {
		e.Kept = l.kept(r.id)
	}
	l.emit(e)
}

func (l *loop) emit(e Event) {
	e.Schema, e.Time, e.Seq = 1, l.o.Now(), l.seq
	if e.PluginID == "" {
		e.PluginID = l.id
	}
	l.o.Emit(e)
}

// kept is the fingerprint of the dev override that serves for what the loop
// has published, or for id as long as it has published nothing.
func (l *loop) kept(id string) string {
	if l.id != "" {
		id = l.id
	}
	state, err := l.o.Catalog.Snapshot()
	if err != nil {
		return ""
	}
	for _, r := range state.Dev {
		if r.ID == id && r.Broken == "" {
			return r.PackageFingerprint
		}
	}
	return ""
}
