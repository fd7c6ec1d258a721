package cli

import (
	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/registry"
)

// checkRepublished refuses other bytes under a version that is installed from
// the same registry: a version that was published is never changed by honest
// hands. Who names the new bytes, by --integrity or a lock, has decided.
func (a *App) checkRepublished(p *opened) error {
	s := p.source
	if s.Kind != registry.NPM || s.Integrity != "" {
		return nil
	}
	r, err := a.installed(p.report.Manifest.ID)
	if err != nil || r.Origin.Identity != s.Identity() {
		return nil // not there, or from elsewhere: nothing to compare with
	}
	lock := installedLock(r)
	if lock == nil || lock.Version != s.Version || lock.Integrity == p.lock.Integrity {
		return nil
	}
	return fault.New(fault.Refused, "VERSION_REPUBLISHED", s.Spec, "%s now has other bytes under this version than those installed: wanted %s, got %s",
		s.Registry, lock.Integrity, p.lock.Integrity).
		WithHint("do not take it before you know why; then: wuu plugin remove %s, and install it again", r.ID).
		WithDetails(registry.IntegrityDetails{Want: lock.Integrity, Got: p.lock.Integrity, URL: p.lock.Tarball})
}
