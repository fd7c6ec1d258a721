package lockfile

import (
	"errors"
	"fmt"
	"strings"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/npmver"
	"github.com/wuu-plugins/wuu/internal/origin"
	"github.com/wuu-plugins/wuu/internal/pathname"
	"github.com/wuu-plugins/wuu/internal/sri"
)

// Check returns the first value that does not fit (kind Lock, no subject), or nil.
// Parse has done it already.
func (l Lock) Check() error {
	if bad := l.check(); bad != nil {
		return bad.fault()
	}
	return nil
}

// misfit is a value that a lock must not have.
type misfit struct {
	key  string
	code string
	err  error // what is wrong, without the key
	hint string
}

func (m *misfit) fault() *Error {
	e := fault.New(fault.Lock, m.code, "", "%s: %w", m.key, m.err)
	e.Hint = m.hint
	return e
}

// forged is the hint for a value that no wuu has written.
const forged = "wuu writes no such value: do not use the lock before you know who changed it"

func (l Lock) check() *misfit {
	if l.LockVersion != Version {
		return &misfit{"lock_version", "LOCK_VALUE", fmt.Errorf("%d is not %d", l.LockVersion, Version), ""}
	}
	if l.Source != "npm" {
		return &misfit{"source", "LOCK_SOURCE", fmt.Errorf("%q is not \"npm\", the only one there is", clip(l.Source)), writeAgain(l)}
	}
	if err := npmver.CheckName(l.Package); err != nil {
		return &misfit{"package", "LOCK_PACKAGE", err, forged}
	}
	if _, err := npmver.Parse(l.Version); err != nil {
		return &misfit{"version", "LOCK_PACKAGE_VERSION", err, "a lock holds one exact version, no range and no tag"}
	}
	if p := pathname.CheckID(l.PluginID); p != nil {
		return &misfit{"plugin_id", "LOCK_PLUGIN_ID", fmt.Errorf("%q: %s", clip(l.PluginID), p.Message), forged}
	}
	if bad := l.checkURLs(); bad != nil {
		return bad
	}
	return l.checkIntegrity()
}

// checkURLs lets plain HTTP to this machine pass: whether it may be used is
// for the one who downloads to say.
func (l Lock) checkURLs() *misfit {
	registry, err := origin.Parse(l.Registry, true)
	if err != nil {
		return &misfit{"registry", "LOCK_REGISTRY", err, "a lock holds the registry's HTTPS origin, such as https://registry.npmjs.org"}
	}
	if registry.String() != l.Registry {
		return &misfit{"registry", "LOCK_REGISTRY", fmt.Errorf("%q must be written %q", clip(l.Registry), registry), "correct it by hand: it is the same registry"}
	}
	tarball, err := origin.CheckURL(l.Tarball, true)
	if err != nil {
		return &misfit{"tarball", "LOCK_TARBALL", err, forged}
	}
	if !registry.Contains(tarball) {
		return &misfit{"tarball", "LOCK_ORIGIN", fmt.Errorf("it is on %s, not on the registry %s", origin.Of(tarball), registry), forged}
	}
	return nil
}

func (l Lock) checkIntegrity() *misfit {
	if all, err := sri.Parse(l.Integrity); err == nil && all[0].Algorithm != sri.SHA512 {
		return &misfit{"integrity", "LOCK_WEAK", fmt.Errorf("has only a %s, want sha512", all[0].Algorithm), writeAgain(l)}
	}
	hashes, err := sri.ParseSHA512(l.Integrity)
	if err != nil {
		return &misfit{"integrity", "LOCK_INTEGRITY", err, writeAgain(l)}
	}
	if len(hashes) != 1 || hashes.String() != l.Integrity {
		return &misfit{"integrity", "LOCK_INTEGRITY", errors.New("want one sha512 and nothing else"), writeAgain(l)}
	}
	return nil
}

// writeAgain says which command writes a new lock; it names the package as far
// as the damaged one does.
func writeAgain(l Lock) string {
	spec := "npm:<name>@<exact version>"
	if _, err := npmver.Parse(l.Version); err == nil && npmver.CheckName(l.Package) == nil {
		spec = "npm:" + l.Package + "@" + l.Version
	}
	return "a new lock is written by: wuu plugin install " + spec + "; it stands at <WUU_HOME>/plugins/<id>/" + Name
}

func clip(s string) string {
	if len(s) > 64 {
		return strings.ToValidUTF8(s[:64], "") + "…"
	}
	return s
}
