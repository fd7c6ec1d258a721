package catalog

import (
	"errors"
	"fmt"
	"os"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/fsx"
	"github.com/wuu-plugins/wuu/internal/manifest"
	"github.com/wuu-plugins/wuu/internal/npmver"
	"github.com/wuu-plugins/wuu/internal/pathname"
	"github.com/wuu-plugins/wuu/lockfile"
	"github.com/wuu-plugins/wuu/pack"
)

// Candidate describes the package in a stage.
type Candidate struct {
	Manifest           *manifest.Manifest
	ManifestPath       string
	Origin             Origin
	PackageFingerprint string
	FileCount          int
	UnpackedSize       int64
	Executables        []string
	Lock               *lockfile.Lock // npm and lock: sources; Put writes it into the stage
}

// Change is one step of a transaction. Action is installed, updated,
// unchanged, enabled, disabled, trusted, untrusted, removed, published, moved
// or revoked.
type Change struct {
	Action string
	Before *Record
	After  *Record
	// Affected lists active plugins that the step leaves without a required
	// dependency: allowed for Set and Remove, hosts then show them inactive.
	Affected []string
}

// Put stages an install or update of the package in s. Without the consent it
// needs it returns a *fault.Error of kind Consent with ConsentNeeded details,
// and the transaction stays usable. The order of the checks is that of
// design/distribution.md: relationships, downgrade, trust.
//
// A package with the fingerprint and the identity of the installed one is
// "unchanged", unless the installed folder was damaged: then it is put again.
func (t *Tx) Put(s *Stage, p Candidate, consent Consent) (Change, error) {
	if err := t.usable(); err != nil {
		return Change{}, err
	}
	id := p.Manifest.ID
	if err := t.checkNewID(id, t.next.Plugins); err != nil {
		return Change{}, err
	}
	print, err := t.seal(s, p)
	if err != nil {
		return Change{}, err
	}
	r, old := t.newRecord(p, print), find(t.next.Plugins, id)
	if consent.Digest != "" && consent.Digest != r.CapabilitiesDigest {
		return Change{}, wrongDigest(id, consent.Digest, r.CapabilitiesDigest)
	}
	if t.isInstalled(old, r) {
		before, after := *old, *old
		return Change{Action: "unchanged", Before: &before, After: &after}, nil
	}
	inherit(&r, old)
	if err := t.checkRelations(r); err != nil {
		return Change{}, err
	}
	if err := checkDowngrade(old, r, consent); err != nil {
		return Change{}, err
	}
	if err := t.checkConsent(old, r, consent); err != nil {
		return Change{}, err
	}
	c := Change{Action: "installed", After: &r}
	if old != nil {
		before := *old
		c.Action, c.Before = "updated", &before
	}
	t.next.Plugins = with(t.next.Plugins, r)
	t.plan(pending{live: t.c.home.Plugin(id), from: s.dir, print: print, stage: s})
	return c, nil
}

// checkNewID refuses an id that is no folder name everywhere, and one that
// would share its folder with another on a case-insensitive file system.
func (t *Tx) checkNewID(id string, all []Record) error {
	if err := checkID(id); err != nil {
		return fault.New(fault.Check, "ID_INVALID", id, "cannot be installed under this id: %w", err)
	}
	for _, r := range all {
		if r.ID != id && pathname.Fold(r.ID) == pathname.Fold(id) {
			return fault.New(fault.Check, "ID_CONFLICT", id, "differs from the plugin %s only in letter case", r.ID).
				WithHint("wuu plugin remove %s", r.ID)
		}
	}
	return nil
}

// seal writes the package lock into the stage and returns the fingerprint of
// what will be installed.
func (t *Tx) seal(s *Stage, p Candidate) (string, error) {
	if s.root == nil {
		return "", errors.New("catalog: the stage is closed")
	}
	if p.Lock != nil {
		if err := t.writeLock(s, *p.Lock, p.Manifest.ID); err != nil {
			return "", ioFault(s.dir, "write the package lock", err)
		}
	}
	print, err := pack.FingerprintDir(t.ctx, s.root)
	if err != nil {
		return "", fmt.Errorf("fingerprint %s: %w", p.Manifest.ID, err)
	}
	return print, nil
}

func (t *Tx) writeLock(s *Stage, lock lockfile.Lock, id string) error {
	if err := t.c.at("package-lock"); err != nil {
		return err
	}
	lock.PluginID = id
	if err := fsx.RemoveIn(s.root, lockfile.Name); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return fsx.WriteIn(s.root, lockfile.Name, lock.Marshal(), 0o644)
}

func (t *Tx) newRecord(p Candidate, print string) Record {
	m := p.Manifest
	caps := m.Capabilities(p.Executables)
	return Record{
		ID: m.ID, Name: m.Name, Version: m.Version, Description: m.Description,
		Origin: p.Origin, ManifestPath: p.ManifestPath,
		FileCount: p.FileCount, UnpackedSize: p.UnpackedSize,
		PackageFingerprint: p.PackageFingerprint, Fingerprint: print,
		Capabilities: caps, CapabilitiesDigest: caps.Digest(),
		MinimumWuuVersion: m.MinimumWuuVersion, Platforms: append([]string{}, m.Platforms...),
		Dependencies: dependencies(m), Trusted: true, DefaultEnabled: m.EnabledByDefault(),
		InstalledAt: t.c.now().UTC(),
	}
}

// isInstalled tells whether r is, bit for bit and trusted, what is installed.
func (t *Tx) isInstalled(old *Record, r Record) bool {
	if !sameIdentity(old, r) || !old.Trusted || old.Fingerprint != r.Fingerprint {
		return false
	}
	if t.pending(t.c.home.Plugin(r.ID)) != nil {
		return true
	}
	now, err := fingerprint(t.ctx, t.c.home.Plugin(r.ID))
	return err == nil && now == r.Fingerprint
}

// sameIdentity tells whether trust and policy pass from old to r. An
// unrecorded identity is never the same.
func sameIdentity(old *Record, r Record) bool {
	return old != nil && old.Origin.Identity != "" && old.Origin.Identity == r.Origin.Identity
}

// inherit keeps an explicit enabled_override of the same identity. Otherwise
// installing means enabling, also where the manifest's default is off.
func inherit(r, old *Record) {
	switch {
	case sameIdentity(old, *r):
		r.EnabledOverride = old.EnabledOverride
	case !r.DefaultEnabled:
		yes := true
		r.EnabledOverride = &yes
	}
}

// checkDowngrade compares versions of one identity; a version that is not
// semantic cannot be compared and passes.
func checkDowngrade(old *Record, r Record, consent Consent) error {
	if !sameIdentity(old, r) || consent.AllowDowngrade {
		return nil
	}
	was, err1 := npmver.Parse(old.Version)
	now, err2 := npmver.Parse(r.Version)
	if err1 != nil || err2 != nil || now.Compare(was) >= 0 {
		return nil
	}
	return fault.New(fault.Consent, "DOWNGRADE", r.ID, "version %s is older than the installed %s", r.Version, old.Version).
		WithHint("add --allow-downgrade to install it all the same")
}
