package lockfile

import (
	"errors"
	"fmt"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/npmver"
	"github.com/wuu-plugins/wuu/internal/origin"
	"github.com/wuu-plugins/wuu/internal/pathname"
	"github.com/wuu-plugins/wuu/internal/sri"
)

// Check returns the first value that does not fit (kind Lock, no subject), or nil.
// Parse has done it already.
func (l Lock) Check() error {
	if err := l.check(); err != nil {
		return err
	}
	return nil
}

func (l Lock) check() *Error {
	if l.LockVersion != Version {
		return invalid("lock_version", fmt.Errorf("%d is not %d", l.LockVersion, Version))
	}
	if l.Source != "npm" {
		return invalid("source", fmt.Errorf("%q is not \"npm\", the only one there is", l.Source))
	}
	if err := npmver.CheckName(l.Package); err != nil {
		return invalid("package", err)
	}
	if _, err := npmver.Parse(l.Version); err != nil {
		return invalid("version", err)
	}
	if p := pathname.CheckID(l.PluginID); p != nil {
		return invalid("plugin_id", fmt.Errorf("%q: %s", l.PluginID, p.Message))
	}
	if err := l.checkURLs(); err != nil {
		return err
	}
	hashes, err := sri.ParseSHA512(l.Integrity)
	if err != nil {
		return invalid("integrity", err)
	}
	if len(hashes) != 1 || hashes.String() != l.Integrity {
		return invalid("integrity", errors.New("want one sha512 and nothing else"))
	}
	return nil
}

// checkURLs lets plain HTTP to this machine pass: whether it may be used is
// for the one who downloads to say.
func (l Lock) checkURLs() *Error {
	registry, err := origin.Parse(l.Registry, true)
	if err != nil {
		return invalid("registry", err)
	}
	if registry.String() != l.Registry {
		return invalid("registry", fmt.Errorf("%q must be written %q", l.Registry, registry))
	}
	tarball, err := origin.CheckURL(l.Tarball, true)
	if err != nil {
		return invalid("tarball", err)
	}
	if !registry.Contains(tarball) {
		return fault.New(fault.Lock, "LOCK_ORIGIN", "", "the tarball is on %s, not on the registry %s", origin.Of(tarball), registry)
	}
	return nil
}

func invalid(key string, err error) *Error {
	return fault.New(fault.Lock, "LOCK_VALUE", "", "%s: %w", key, err)
}
