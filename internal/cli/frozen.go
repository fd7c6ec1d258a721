package cli

import (
	"bytes"

	"github.com/wuu-plugins/wuu/internal/catalog"
	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/fsx"
	"github.com/wuu-plugins/wuu/internal/sri"
	"github.com/wuu-plugins/wuu/lockfile"
	"github.com/wuu-plugins/wuu/pack"
	"github.com/wuu-plugins/wuu/registry"
)

// frozenDetails are the details of a LOCK_FROZEN error.
type frozenDetails struct {
	Recorded    *lockfile.Lock        `json:"recorded,omitempty"`
	Differences []lockfile.Difference `json:"differences"`
}

// frozen returns the source that --frozen lets through. Nothing is resolved
// anew: a lock is replayed, and an npm spec becomes the replay of the lock that
// is recorded for it. What would write another lock than the recorded one is
// an error of kind Lock.
func (a *App) frozen(s registry.Source) (registry.Source, error) {
	switch s.Kind {
	case registry.Replay:
		return s, nil
	case registry.NPM:
		return a.frozenNPM(s)
	}
	return s, fault.New(fault.Lock, "LOCK_FROZEN", s.Spec, "has no lock, and --frozen installs only what a lock records").
		WithHint("give lock:<path>, or leave out --frozen")
}

func (a *App) frozenNPM(s registry.Source) (registry.Source, error) {
	lock, err := a.recordedLock(s)
	if err != nil {
		return s, err
	}
	details := frozenDetails{Recorded: lock, Differences: []lockfile.Difference{}}
	for _, d := range []lockfile.Difference{
		{Key: "registry", Want: lock.Registry, Got: s.Registry},
		{Key: "package", Want: lock.Package, Got: s.Package},
		{Key: "version", Want: lock.Version, Got: s.Version},
		{Key: "integrity", Want: lock.Integrity, Got: s.Integrity},
	} {
		same := d.Want == d.Got || d.Key == "integrity" && states(d.Got, d.Want)
		if !same {
			details.Differences = append(details.Differences, d)
		}
	}
	if len(details.Differences) > 0 {
		d := details.Differences[0]
		return s, fault.New(fault.Lock, "LOCK_FROZEN", s.Spec, "the recorded lock of %s has %s %s, but %s was asked for", lock.PluginID, d.Key, d.Want, d.Got).
			WithHint("leave out --frozen to record another lock: wuu plugin update %s %s", lock.PluginID, s.Spec).WithDetails(details)
	}
	frozen := replayOf(lock, s.Spec)
	return frozen, nil
}

// recordedLock is the lock of the installed plugin that comes from the same
// registry and package.
func (a *App) recordedLock(s registry.Source) (*lockfile.Lock, error) {
	state, err := a.catalog().Snapshot()
	if err != nil {
		return nil, err
	}
	for _, r := range state.Plugins {
		if r.Origin.Identity != s.Identity() {
			continue
		}
		lock, err := lockfile.Read(installedLockPath(r))
		if err == nil && a.lockAltered(r, lock) {
			return nil, fault.New(fault.Lock, "LOCK_FROZEN", s.Spec, "the lock of the installed %s is not the one that was recorded", r.ID).
				WithHint("see what changed: wuu plugin inspect --verify %s; then install from a saved lock: lock:<path>", r.ID)
		}
		if err == nil {
			return lock, nil
		}
		e := *fault.As(err)
		if e.Code == "LOCK_MISSING" {
			return nil, fault.New(fault.Lock, "LOCK_FROZEN", s.Spec, "the lock of the installed %s is missing", r.ID).
				WithHint("install it again without --frozen, or from a saved lock: lock:<path>")
		}
		return nil, &e
	}
	return nil, fault.New(fault.Lock, "LOCK_FROZEN", s.Spec, "no lock is recorded for %s from %s", s.Package, s.Registry).
		WithHint("give its lock: wuu plugin install --frozen lock:<path>; or leave out --frozen to record one")
}

// lockAltered reports whether the file list of an installed plugin is there and
// tells of another lock.
func (a *App) lockAltered(r catalog.Record, lock *lockfile.Lock) bool {
	src, err := fsx.ReadFile(a.home.FileList(r.ID), fileListLimit)
	if err != nil || !proves(src, r.Fingerprint) {
		return false
	}
	return !bytes.Contains(src, pack.List([]pack.File{lockEntry(lock)}))
}

// states reports whether a value of --integrity, which may be empty, names the
// one hash of a lock.
func states(given, recorded string) bool {
	if given == "" {
		return true
	}
	all, err := sri.ParseSHA512(given)
	one, err2 := sri.ParseSHA512(recorded)
	return err == nil && err2 == nil && all.Has(one[0])
}
