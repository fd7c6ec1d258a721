package catalog

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/fsx"
	"github.com/wuu-plugins/wuu/internal/manifest"
)

// view is one reading of the three state files.
type view struct {
	doc       document
	journal   *journal
	epochFile uint64
}

// epoch never goes back, even when the state file was lost.
func (v view) epoch() uint64 { return max(v.doc.Epoch, v.epochFile) }

// uncommitted is the journal of a commit that has not reached its point.
func (v view) uncommitted() *journal {
	if v.journal == nil || v.doc.Epoch >= v.journal.Epoch {
		return nil
	}
	return v.journal
}

func (v view) equal(w view) bool {
	a, _ := json.Marshal(v.journal)
	b, _ := json.Marshal(w.journal)
	return v.doc.Epoch == w.doc.Epoch && v.doc.same(w.doc) && string(a) == string(b)
}

func (c *Catalog) view() (v view, err error) {
	if v.journal, err = c.readJournal(); err != nil {
		return v, err
	}
	if v.doc, err = c.readState(); err != nil {
		return v, err
	}
	v.epochFile, _, err = c.readEpoch()
	return v, err
}

// A snapshot is taken again while a commit goes on; the pauses add up to
// about one second. A package that looks broken under a journal gets fewer
// tries: the journal may be a dead process's.
const (
	snapshotTries       = 25
	snapshotBrokenTries = 8
	snapshotPause       = 5 * time.Millisecond
	snapshotPauseMax    = 50 * time.Millisecond
)

// Snapshot reads the state without a lease. An interrupted commit is seen as
// the state before or after it, never between. Packages are not hashed again,
// except dev overrides: their receipts are checked.
func (c *Catalog) Snapshot() (State, error) {
	for try := 1; ; try++ {
		before, err := c.view()
		if err != nil {
			return State{}, err
		}
		s := c.fill(context.Background(), before)
		if err := c.at("look-again"); err != nil {
			return State{}, err
		}
		after, err := c.view()
		if err != nil {
			return State{}, err
		}
		switch {
		case before.equal(after) && (before.uncommitted() == nil || try >= snapshotBrokenTries || !s.anyBroken()):
			return s, nil
		case try == snapshotTries:
			return State{}, fault.New(fault.Busy, "CATALOG_BUSY", c.home.Dir(), "the plugin catalog does not stop changing").
				WithHint("try again")
		}
		time.Sleep(min(time.Duration(try)*snapshotPause, snapshotPauseMax))
	}
}

func (s State) anyBroken() bool {
	broken := func(r Record) bool { return r.Broken != "" }
	return slices.ContainsFunc(s.Plugins, broken) || slices.ContainsFunc(s.Dev, broken)
}

// fill finds every recorded package on the disk.
func (c *Catalog) fill(ctx context.Context, v view) State {
	s := State{Epoch: v.epoch(), Plugins: stored(v.doc.Plugins), Dev: stored(v.doc.Dev)}
	moving := v.uncommitted()
	for i := range s.Plugins {
		r := &s.Plugins[i]
		r.Root = c.where(ctx, moving, c.home.Plugin(r.ID))
		r.Broken = brokenPackage(*r)
	}
	for i := range s.Dev {
		r := &s.Dev[i]
		dir := c.where(ctx, moving, c.home.Dev(r.ID))
		r.Root = filepath.Join(dir, generationName)
		if r.Broken = brokenPackage(*r); r.Broken == "" {
			r.Broken = brokenDev(ctx, dir, *r)
		}
	}
	for _, r := range c.unrecorded(v) {
		s.Plugins = with(s.Plugins, r)
	}
	return s
}

// where is the folder that belongs at live in the state before moving.
func (c *Catalog) where(ctx context.Context, moving *journal, live string) string {
	if moving == nil {
		return live
	}
	for _, m := range moving.Moves {
		if c.abs(m.Live) != live {
			continue
		}
		if old, err := c.old(ctx, m); err == nil && old != "" {
			return c.abs(old)
		}
	}
	return live
}

// manifestLimit bounds the manifest that is looked at, in bytes.
const manifestLimit = 4 << 20

// brokenPackage says why the package at r.Root cannot be used, "" when it
// can: the folder is there, and its manifest can be read. Whether the bytes are
// still the installed ones, inspect --verify tells.
func brokenPackage(r Record) string {
	info, err := os.Lstat(r.Root)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return "its folder is missing"
	case err != nil:
		return fmt.Sprintf("its folder cannot be read: %v", plain(err))
	case !info.IsDir():
		return "its folder was replaced by something else"
	}
	b, err := fsx.ReadFile(filepath.Join(r.Root, filepath.FromSlash(r.ManifestPath)), manifestLimit)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return r.ManifestPath + " is missing"
	case err != nil:
		return fmt.Sprintf("%s cannot be read: %v", r.ManifestPath, plain(err))
	}
	if m, _ := manifest.Parse(r.ManifestPath, b); m == nil {
		return r.ManifestPath + " cannot be read as a manifest any more"
	}
	return ""
}

// unrecorded lists folders below plugins/, and links, that no record is about,
// so that they do not vanish without a reason. Nothing runs from them.
func (c *Catalog) unrecorded(v view) (found []Record) {
	entries, err := os.ReadDir(c.home.Plugins())
	if err != nil {
		return nil // not there yet
	}
	for _, e := range entries {
		id := e.Name()
		isOne := e.IsDir() || e.Type()&os.ModeSymlink != 0
		if !isOne || checkID(id) != nil || find(v.doc.Plugins, id) != nil || v.isMoving("plugins/"+id) {
			continue
		}
		found = append(found, c.strange(id))
	}
	return found
}

// strange describes what stands at plugins/<id> without a record.
func (c *Catalog) strange(id string) Record {
	return Record{ID: id, Name: id, Root: c.home.Plugin(id), Broken: "is not recorded in " + filepath.Base(c.home.StateFile())}
}

func (v view) isMoving(live string) bool {
	return v.journal != nil && slices.ContainsFunc(v.journal.Moves, func(m move) bool { return m.Live == live })
}
