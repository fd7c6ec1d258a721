package catalog

import (
	"fmt"
	"slices"
	"strings"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/manifest"
)

// dependencies merges the manifest's plain requires into its dependencies.
func dependencies(m *manifest.Manifest) []manifest.Dependency {
	all := append([]manifest.Dependency{}, m.Dependencies...)
	for _, id := range m.Requires {
		if !slices.ContainsFunc(all, func(d manifest.Dependency) bool { return d.ID == id }) {
			all = append(all, manifest.Dependency{ID: id})
		}
	}
	return all
}

// checkRelations refuses r when it would not find its required dependencies
// (a new plugin always, an update when it is enabled), or when it would break
// a plugin that is active now.
func (t *Tx) checkRelations(r Record) error {
	before := t.Next()
	after := before
	after.Plugins = with(before.Plugins, r)
	if find(before.Plugins, r.ID) == nil || r.Enabled() {
		if missing := unmet(after, r); len(missing) > 0 {
			return fault.New(fault.Check, "DEPENDENCY_MISSING", r.ID, "%s", strings.Join(missing, "; ")).
				WithHint("install or enable what it needs first").WithDetails(missing)
		}
	}
	if broken := others(lost(before, after), r.ID); len(broken) > 0 {
		return fault.New(fault.Check, "DEPENDENCY_BREAKS", r.ID, "version %s would break %s", r.Version, strings.Join(broken, ", ")).
			WithHint("update or disable %s first", strings.Join(broken, ", ")).WithDetails(broken)
	}
	return nil
}

func others(ids []string, id string) []string {
	return slices.DeleteFunc(ids, func(s string) bool { return s == id })
}

// lost lists the plugins that are active in before and not in after although
// they are still there and meant to run.
func lost(before, after State) (ids []string) {
	was, is := active(before), active(after)
	for _, r := range after.Selected() {
		if was[r.ID] != nil && is[r.ID] == nil && wanted(r) {
			ids = append(ids, r.ID)
		}
	}
	return ids
}

// wanted tells whether r would run if its dependencies allow.
func wanted(r Record) bool { return r.Broken == "" && r.Enabled() && (r.Trusted || r.Dev) }

// active returns the wanted plugins whose required dependencies are active
// too. The relations to other things (platform, wuu's version, breaks) are the
// host's to judge.
func active(s State) map[string]*Record {
	is := map[string]*Record{}
	for _, r := range s.Selected() {
		if wanted(r) {
			is[r.ID] = &r
		}
	}
	for again := true; again; {
		again = false
		for id, r := range is {
			for _, d := range r.Dependencies {
				if p := is[d.ID]; !d.Optional && (p == nil || !d.Allows(p.Version)) {
					delete(is, id)
					again = true
					break
				}
			}
		}
	}
	return is
}

// unmet says, for each required dependency that r would not find in s, why.
func unmet(s State, r Record) (missing []string) {
	is := active(s)
	for _, d := range r.Dependencies {
		name := strings.TrimSpace(d.ID + " " + d.Version)
		p, there := s.Find(d.ID)
		switch {
		case d.Optional || is[d.ID] != nil && d.Allows(p.Version):
		case !there:
			missing = append(missing, fmt.Sprintf("needs %s, which is not installed", name))
		case !d.Allows(p.Version):
			missing = append(missing, fmt.Sprintf("needs %s, but version %q is installed", name, p.Version))
		default:
			missing = append(missing, fmt.Sprintf("needs %s, which %s", name, inactive(p)))
		}
	}
	return missing
}

func inactive(r Record) string {
	switch {
	case r.Broken != "":
		return "is broken: " + r.Broken
	case !r.Enabled():
		return "is disabled"
	case !r.Trusted && !r.Dev:
		return "is not trusted"
	}
	return "is inactive itself"
}
