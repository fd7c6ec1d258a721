package catalog

import (
	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/fsx"
)

// Set records an explicit enabled_override for an installed package. Disabling
// what others depend on is allowed: Change.Affected names them.
func (t *Tx) Set(id string, enabled bool) (Change, error) {
	action := "disabled"
	if enabled {
		action = "enabled"
	}
	return t.edit(id, action, func(r *Record) bool {
		if r.EnabledOverride != nil && *r.EnabledOverride == enabled {
			return false
		}
		r.EnabledOverride = &enabled
		return true
	})
}

// Trust records that the installed package is trusted or not.
func (t *Tx) Trust(id string, trusted bool) (Change, error) {
	action := "untrusted"
	if trusted {
		action = "trusted"
	}
	return t.edit(id, action, func(r *Record) bool {
		changed := r.Trusted != trusted
		r.Trusted = trusted
		return changed
	})
}

// edit changes one installed record.
func (t *Tx) edit(id, action string, change func(*Record) bool) (Change, error) {
	if err := t.usable(); err != nil {
		return Change{}, err
	}
	old := find(t.next.Plugins, id)
	if old == nil {
		return Change{}, t.notInstalled(id)
	}
	state := t.Next()
	before, after := *find(state.Plugins, id), *find(state.Plugins, id)
	if !change(&after) {
		return Change{Action: "unchanged", Before: &before, After: &after}, nil
	}
	t.next.Plugins = with(t.next.Plugins, after)
	return Change{Action: action, Before: &before, After: &after, Affected: lost(state, t.Next())}, nil
}

// Remove takes the package out; purge also drops its storage and settings. A
// folder, link or file that no record is about is removed too. Removing what others depend on
// is allowed: Change.Affected names them.
func (t *Tx) Remove(id string, purge bool) (Change, error) {
	if err := t.usable(); err != nil {
		return Change{}, err
	}
	state := t.Next()
	before := find(state.Plugins, id)
	if before == nil && find(t.base.Plugins, id) == nil && t.pending(t.c.home.Plugin(id)) == nil {
		if there, _ := fsx.Exists(t.c.home.Plugin(id)); there && checkID(id) == nil {
			r := t.c.strange(id)
			before = &r
		}
	}
	if before == nil {
		return Change{}, t.notInstalled(id)
	}
	if err := t.planRemoval(t.c.home.Plugin(id)); err != nil {
		return Change{}, ioFault(t.c.home.Plugin(id), "look at the package", err)
	}
	t.next.Plugins = without(t.next.Plugins, id)
	if purge {
		docs, err := t.c.documents(id)
		if err != nil {
			return Change{}, ioFault(t.c.home.Dir(), "look for storage and settings", err)
		}
		t.purge = append(t.purge, docs...)
	}
	return Change{Action: "removed", Before: before, Affected: others(lost(state, t.Next()), id)}, nil
}

func (t *Tx) notInstalled(id string) error {
	err := fault.New(fault.Usage, "NOT_INSTALLED", id, "is not installed")
	if find(t.next.Dev, id) != nil {
		return err.WithHint("it is a dev override; end it with: wuu plugin dev --revoke %s", id)
	}
	if there, _ := fsx.Exists(t.c.home.Plugin(id)); checkID(id) == nil && there {
		return err.WithHint("%s is not recorded; install it again, or: wuu plugin remove %s", t.c.home.Plugin(id), id)
	}
	if near := nearestID(id, t.next.Plugins); near != "" {
		return err.WithHint("did you mean %s?", near)
	}
	return err.WithHint("see what is: wuu plugin list")
}
