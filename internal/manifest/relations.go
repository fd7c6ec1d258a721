package manifest

import (
	"slices"
	"strings"

	"github.com/wuu-plugins/wuu/internal/jsonpos"
	"github.com/wuu-plugins/wuu/internal/npmver"
)

// Allows reports whether version satisfies d. A dependency without a range
// takes every version; a version that is no version satisfies no range.
func (d Dependency) Allows(version string) bool {
	if d.Version == "" {
		return true
	}
	r, err := parseRange(d.Version)
	if err != nil {
		return false
	}
	v, err := npmver.Parse(version)
	return err == nil && r.Match(v)
}

// parseRange also takes the comma that upstream's ranges use for "and".
func parseRange(text string) (npmver.Range, error) {
	return npmver.ParseRange(strings.Join(strings.FieldsFunc(text, func(c rune) bool { return c == ',' }), " "))
}

// relations reads dependencies, requires, breaks and conflicts.
func (r *reader) relations(root *jsonpos.Node) {
	requires := r.get(root, "requires")
	r.m.Requires = r.ids(requires)
	r.dependencies(r.get(root, "dependencies"), asSet(r.m.Requires))
	r.m.Requires = sortedSet(r.m.Requires)
	required := asSet(r.m.Requires)
	r.m.Breaks = r.ids(r.get(root, "breaks"))
	r.m.Conflicts = r.ids(r.get(root, "conflicts"))
	for _, c := range root.Get("breaks").List() {
		if id := strings.TrimSpace(c.Text); required[id] {
			r.fail(c, problem{code: "RELATION_CONTRADICTION"}, "%s is required and broken at once", jsonpos.Quote(id))
		}
	}
}

func asSet(list []string) map[string]bool {
	set := make(map[string]bool, len(list))
	for _, name := range list {
		set[name] = true
	}
	return set
}

func (r *reader) ids(n *jsonpos.Node) []string {
	if n == nil {
		return nil
	}
	var ids []string
	for _, c := range r.elements(n) {
		if strings.TrimSpace(c.Text) == "" {
			continue
		}
		if id, ok := r.checkPluginID(c); ok {
			ids = append(ids, id)
		}
	}
	return sortedSet(ids)
}

func (r *reader) dependencies(n *jsonpos.Node, required map[string]bool) {
	if n != nil && n.Kind == jsonpos.Object {
		r.fail(n, problem{code: "MANIFEST_TYPE", hint: `write [{"id": "other-plugin", "version": "^1.0.0"}]; npm packages belong in package.json`},
			"dependencies must be an array, not an object")
		return
	}
	if !r.kind(n, jsonpos.Array) {
		return
	}
	seen := map[string]bool{}
	for _, c := range n.Children {
		if !r.kind(c, jsonpos.Object) {
			continue
		}
		d, ok := r.dependency(c)
		if !ok {
			continue
		}
		id := c.Get("id")
		switch {
		case seen[d.ID]:
			r.fail(id, problem{code: "RELATION_DUPLICATE", hint: "keep one entry"}, "%s is listed twice", jsonpos.Quote(d.ID))
			continue
		case d.Optional && required[d.ID]:
			r.fail(id, problem{code: "RELATION_CONTRADICTION", hint: "remove it from requires, or make it required"},
				"%s is optional here and required in requires", jsonpos.Quote(d.ID))
		case !d.Optional:
			r.m.Requires = append(r.m.Requires, d.ID)
		}
		seen[d.ID] = true
		r.m.Dependencies = append(r.m.Dependencies, d)
	}
	slices.SortFunc(r.m.Dependencies, func(a, b Dependency) int { return strings.Compare(a.ID, b.ID) })
}

func (r *reader) dependency(n *jsonpos.Node) (Dependency, bool) {
	r.closed(n, "id", "version", "optional")
	d := Dependency{Version: r.text(r.get(n, "version"))}
	if d.Version != "" {
		if _, err := parseRange(d.Version); err != nil {
			r.fail(n.Get("version"), problem{code: "RELATION_RANGE", hint: "for example ^1.2.0 or >=1.2.0 <2.0.0"},
				"%v", err)
		}
	}
	if optional := r.flag(r.get(n, "optional")); optional != nil {
		d.Optional = *optional
	}
	id := r.get(n, "id")
	if id == nil {
		r.missing(n, "id", problem{})
		return d, false
	}
	var ok bool
	d.ID, ok = r.checkPluginID(id)
	return d, ok
}
