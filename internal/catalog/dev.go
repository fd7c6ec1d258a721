package catalog

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/fsx"
)

// PutDev stages a dev override: authorised by path and id, with an HMAC
// receipt over id, path and fingerprint. source is the folder or file. The
// first publish of an id authorises the path; another path for the same id is
// refused until it is moved or revoked. The same bytes again are "unchanged".
//
// Being authorised never becomes trust of an installed package.
func (t *Tx) PutDev(s *Stage, p Candidate, source string) (Change, error) {
	if err := t.usable(); err != nil {
		return Change{}, err
	}
	id := p.Manifest.ID
	if err := t.checkNewID(id, t.next.Dev); err != nil {
		return Change{}, err
	}
	path, kind, err := resolveSource(source)
	if err != nil {
		return Change{}, err
	}
	old := find(t.next.Dev, id)
	a, err := t.authorise(old, id, path, kind)
	if err != nil {
		return Change{}, err
	}
	p.Lock = nil // a lock records a download
	print, err := t.seal(s, p)
	if err != nil {
		return Change{}, err
	}
	r := t.newRecord(p, print)
	r.Dev, r.Origin = true, devOrigin(source, path)
	r.StorageSubject = t.storageSubject(old, id)
	if old != nil && old.Fingerprint == r.Fingerprint && find(t.Next().Dev, id).Broken == "" {
		before, after := *old, *old
		return Change{Action: "unchanged", Before: &before, After: &after}, nil
	}
	return t.publish("published", s, a, old, r)
}

func devOrigin(spec, path string) Origin {
	return Origin{Kind: "dev", Spec: spec, Path: path, Identity: "dev:" + path}
}

// resolveSource returns the canonical path of a dev source and its kind.
func resolveSource(source string) (path, kind string, err error) {
	missing := func(err error) error {
		return fault.New(fault.Usage, "PATH_MISSING", source, "cannot be read: %w", plain(err))
	}
	if path, err = filepath.Abs(source); err != nil {
		return "", "", missing(err)
	}
	if path, err = filepath.EvalSymlinks(path); err != nil {
		return "", "", missing(err)
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return "", "", missing(err)
	case info.IsDir():
		return path, kindDirectory, nil
	}
	return path, kindFile, nil
}

// authorise returns the authorisation of id for path: the existing one, or a
// new one when id has none that can be read and is not recorded for another path.
func (t *Tx) authorise(old *Record, id, path, kind string) (authorisation, error) {
	a, known := t.authorisation(id)
	was := path
	switch {
	case known:
		was = a.Path
	case old != nil:
		was = old.Origin.Path
	}
	if was != path {
		return a, fault.New(fault.Consent, "DEV_PATH", id, "is authorised for %s, not for %s", was, path).
			WithHint("wuu plugin dev --move %s %s, or: wuu plugin dev --revoke %s", id, path, id)
	}
	if known && a.Kind != kind {
		return a, fault.New(fault.Consent, "DEV_PATH", id, "%s was authorised as a %s and is a %s now", path, a.Kind, kind).
			WithHint("wuu plugin dev --revoke %s, then publish again", id)
	}
	if !known {
		a = newAuthorisation(id, path, kind, t.c.now().UTC())
	}
	return a, nil
}

// authorisation reads the one of id as the transaction has left it: in the
// stage of a publish before, or nowhere after a revocation.
func (t *Tx) authorisation(id string) (a authorisation, known bool) {
	dir := t.c.home.Dev(id)
	if p := t.pending(dir); p != nil {
		if p.from == "" {
			return a, false
		}
		dir = p.from
	}
	a, err := readAuthorisation(dir)
	return a, err == nil && a.PluginID == id
}

// storageSubject keeps the binding of the last receipt; the first one is to
// the installed plugin's storage when there is an installed plugin.
func (t *Tx) storageSubject(old *Record, id string) string {
	switch {
	case old != nil && old.StorageSubject != "":
		return old.StorageSubject
	case find(t.next.Plugins, id) != nil:
		return userSubject(id)
	}
	return devSubject(id)
}

// publish writes the container's two files into the stage and plans its move.
func (t *Tx) publish(action string, s *Stage, a authorisation, old *Record, r Record) (Change, error) {
	rc := a.receiptFor(r.Fingerprint, r.StorageSubject, r.InstalledAt)
	if err := t.c.writeDevFile(s.home, authorisationName, a); err != nil {
		return Change{}, ioFault(s.home, "write the dev authorisation", err)
	}
	if err := t.c.writeDevFile(s.home, receiptName, rc); err != nil {
		return Change{}, ioFault(s.home, "write the dev receipt", err)
	}
	whole, err := fingerprint(t.ctx, s.home)
	if err != nil {
		return Change{}, fmt.Errorf("fingerprint %s: %w", r.ID, err)
	}
	c := Change{Action: action, After: &r}
	if old != nil {
		before := *old
		c.Before = &before
	}
	t.next.Dev = with(t.next.Dev, r)
	t.plan(pending{live: t.c.home.Dev(r.ID), from: s.home, print: whole, stage: s})
	return c, nil
}

// RevokeDev ends the dev override of id and forgets its authorisation.
func (t *Tx) RevokeDev(id string) (Change, error) {
	if err := t.usable(); err != nil {
		return Change{}, err
	}
	state := t.Next()
	before := find(state.Dev, id)
	if before == nil {
		// A folder without a record still authorises: it can be revoked, once.
		there, _ := fsx.Exists(t.c.home.Dev(id))
		if checkID(id) != nil || !there || t.pending(t.c.home.Dev(id)) != nil {
			return Change{}, t.noOverride(id)
		}
		before = &Record{ID: id, Name: id, Dev: true, Root: filepath.Join(t.c.home.Dev(id), generationName)}
	}
	if err := t.planRemoval(t.c.home.Dev(id)); err != nil {
		return Change{}, ioFault(t.c.home.Dev(id), "look at the dev override", err)
	}
	t.next.Dev = without(t.next.Dev, id)
	return Change{Action: "revoked", Before: before, Affected: others(lost(state, t.Next()), id)}, nil
}

// MoveDev authorises newPath for the dev override of id instead of its path
// now, after the person has moved the source. The published generation stays.
func (t *Tx) MoveDev(id, newPath string) (Change, error) {
	if err := t.usable(); err != nil {
		return Change{}, err
	}
	old := find(t.Next().Dev, id)
	if old == nil {
		return Change{}, t.noOverride(id)
	}
	path, kind, err := resolveSource(newPath)
	if err != nil {
		return Change{}, err
	}
	if old.Broken != "" {
		return Change{}, fault.New(fault.Plugin, "DEV_BROKEN", id, "the dev override cannot be moved: %s", old.Broken).
			WithHint("wuu plugin dev --revoke %s, then: wuu plugin dev %s", id, newPath)
	}
	if path == old.Origin.Path {
		before, after := *old, *old
		return Change{Action: "unchanged", Before: &before, After: &after}, nil
	}
	s, err := t.copyOf(*old)
	if err != nil {
		return Change{}, err
	}
	r := *old
	r.Origin = devOrigin(newPath, path)
	return t.publish("moved", s, newAuthorisation(id, path, kind, t.c.now().UTC()), old, r)
}

// copyOf makes a stage with the package of r in it.
func (t *Tx) copyOf(r Record) (*Stage, error) {
	s, err := t.c.NewStage()
	if err != nil {
		return nil, err
	}
	t.own = append(t.own, s)
	src, err := os.OpenRoot(r.Root)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", r.ID, err)
	}
	defer src.Close()
	if err := t.c.at("copy"); err != nil {
		return nil, ioFault(s.dir, "copy the package", err)
	}
	return s, ioFault(s.dir, "copy the package", fsx.CopyTree(t.ctx, src, s.root))
}

func (t *Tx) noOverride(id string) error {
	err := fault.New(fault.Usage, "NOT_INSTALLED", id, "has no dev override")
	if near := nearestID(id, t.next.Dev); near != "" {
		return err.WithHint("did you mean %s?", near)
	}
	return err.WithHint("see what has: wuu plugin dev --list")
}
