package manifest

import (
	"slices"
	"strings"

	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/internal/jsonpos"
	"github.com/wuu-plugins/wuu/internal/pathname"
)

// identity reads id and name. An absent id is the name.
func (r *reader) identity(root *jsonpos.Node) {
	id, name := r.get(root, "id"), r.get(root, "name")
	r.m.ID, r.m.Name = r.text(id), r.text(name)
	switch {
	case r.m.ID != "":
		if p := pathname.CheckID(r.m.ID); p != nil {
			r.fail(id, problem{code: "MANIFEST_ID", hint: idHint(r.m.ID)}, "the id cannot name a folder on every system: %s", p.Message)
		}
	case r.m.Name != "":
		r.m.ID = r.m.Name
		if p := pathname.CheckID(r.m.Name); p != nil {
			r.fail(name, problem{code: "MANIFEST_ID", hint: idHint(r.m.Name)}, "there is no id, and the name cannot stand for it: %s", p.Message)
		}
	case id != nil && id.Kind != jsonpos.String || name != nil && name.Kind != jsonpos.String: // reported by text
	case id != nil:
		r.fail(id, problem{code: "MANIFEST_ID"}, "the id is empty")
	default:
		r.missing(root, "id", problem{hint: `add "id": "my-plugin"; it names the plugin for good`})
	}
	if r.m.Name == "" {
		r.m.Name = r.m.ID
	}
}

// idHint proposes an id made of the letters, digits and dots of text.
func idHint(text string) string {
	id := strings.Map(func(c rune) rune {
		switch {
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '.' || c == '_':
			return c
		case c >= 'A' && c <= 'Z':
			return c + 'a' - 'A'
		}
		return '-'
	}, text)
	for strings.Contains(id, "--") {
		id = strings.ReplaceAll(id, "--", "-")
	}
	id = strings.Trim(id[:min(len(id), 64)], "-.")
	if id == "" || pathname.CheckID(id) != nil {
		return "use lower-case letters, digits, dots and dashes"
	}
	return "for example " + jsonpos.Quote(id)
}

// checkPluginID checks the id of another package.
func (r *reader) checkPluginID(n *jsonpos.Node) (string, bool) {
	id := r.text(n)
	if n.Kind != jsonpos.String {
		return "", false
	}
	if p := pathname.CheckID(id); p != nil {
		r.fail(n, problem{code: "MANIFEST_ID"}, "%s is no plugin id: %s", jsonpos.Quote(id), p.Message)
		return "", false
	}
	if id == r.m.ID {
		r.fail(n, problem{code: "RELATION_SELF", hint: "remove it"}, "the package names itself")
		return "", false
	}
	return id, true
}

// descriptions reads the fields that are only shown.
func (r *reader) descriptions(root *jsonpos.Node) {
	r.m.Version = r.text(r.get(root, "version"))
	r.m.Description = r.text(r.get(root, "description"))
	r.m.Homepage = r.text(r.get(root, "homepage"))
	r.m.Repository = r.text(r.get(root, "repository"))
	r.m.License = r.text(r.get(root, "license"))
	r.m.Keywords = r.set(r.get(root, "keywords"))
	for _, n := range r.union(root, "activity_kinds", "activityKinds") {
		r.set(n)
	}
	r.icon(r.get(root, "icon"))
	r.family(r.get(root, "interface"))
}

// icon is a public icon name, or {path}, or {light, dark}.
func (r *reader) icon(n *jsonpos.Node) {
	if !r.kind(n, jsonpos.String, jsonpos.Object) {
		return
	}
	if n.Kind == jsonpos.String {
		r.choice(n, Icons())
		return
	}
	r.closed(n, "path", "light", "dark")
	for _, key := range []string{"path", "light", "dark"} {
		if r.misspelt[member{n, key}] {
			return
		}
	}
	path, light, dark := n.Get("path"), n.Get("light"), n.Get("dark")
	if (path != nil) == (light != nil || dark != nil) || (light == nil) != (dark == nil) {
		r.fail(n, problem{code: "MANIFEST_VALUE", hint: "give path alone, or light and dark"}, "an icon has one form")
		return
	}
	for _, c := range []*jsonpos.Node{path, light, dark} {
		r.path(c, RefIcon)
	}
}

// family reads interface.family. interface may be any JSON, so everything
// about it is a warning; an incomplete family leaves the package alone.
func (r *reader) family(n *jsonpos.Node) {
	family := n.Get("family")
	if family == nil {
		return
	}
	if family.Kind != jsonpos.Object {
		r.warn(family, problem{code: "INTERFACE_FAMILY"}, "interface.family must be an object, not %s", family.Kind)
		return
	}
	texts := map[string]string{}
	for _, key := range []string{"id", "name", "description"} {
		c := family.Get(key)
		switch {
		case c != nil && c.Kind != jsonpos.String:
			r.warn(c, problem{code: "INTERFACE_FAMILY"}, "interface.family.%s must be a string, not %s", key, c.Kind)
			continue
		case c != nil:
			texts[key] = strings.TrimSpace(c.Text)
		}
		if texts[key] == "" && key != "description" {
			r.warn(family, problem{code: "INTERFACE_FAMILY", hint: "give id and name"}, "interface.family has no %s, so the package is shown alone", key)
		}
	}
	if texts["id"] != "" && texts["name"] != "" {
		r.m.Family = &Family{texts["id"], texts["name"], texts["description"]}
	}
}

func (r *reader) platforms(root *jsonpos.Node) {
	n := r.get(root, "platforms")
	if n == nil {
		return
	}
	for _, c := range r.elements(n) {
		name := strings.ToLower(strings.TrimSpace(c.Text))
		if name == "" {
			continue
		}
		r.m.Platforms = append(r.m.Platforms, name)
		if slices.Contains(Platforms(), name) {
			continue
		}
		if !r.found.Room(diag.Warning) {
			continue
		}
		p := problem{code: "MANIFEST_PLATFORM", hint: didYouMean(name, Platforms())}
		switch name {
		case "macos", "mac", "osx":
			p.hint = `did you mean "darwin"?`
		case "win32", "win":
			p.hint = `did you mean "windows"?`
		}
		r.warn(c, p, "no host runs on platform %s", jsonpos.Quote(name))
	}
	r.m.Platforms = sortedSet(r.m.Platforms)
}

// minimumVersion keeps the spelling that is not empty; camel wins.
func (r *reader) minimumVersion(root *jsonpos.Node) {
	snake, camel := r.text(r.get(root, "minimum_wuu_version")), r.text(r.get(root, "minimumWuuVersion"))
	r.m.MinimumWuuVersion = snake
	if camel == "" {
		return
	}
	r.m.MinimumWuuVersion = camel
	if snake != "" {
		r.warnKey(root.Get("minimum_wuu_version"), problem{code: "MANIFEST_BOTH_SPELLINGS", hint: "keep one of them"},
			`"minimum_wuu_version" is ignored, since "minimumWuuVersion" is there too`)
	}
}

func (r *reader) permissions(root *jsonpos.Node) {
	known := Permissions()
	for _, n := range r.union(root, "requested_permissions", "requestedPermissions") {
		for _, c := range r.elements(n) {
			name := strings.TrimSpace(c.Text)
			if long, ok := permissionAlias(name); ok {
				name = long
			}
			if name == "" {
				continue
			}
			if !slices.Contains(known, name) {
				if !r.found.Room(diag.Error) {
					continue
				}
				r.fail(c, problem{code: "MANIFEST_PERMISSION", hint: didYouMean(name, known)}, "there is no permission %s", jsonpos.Quote(name))
				continue
			}
			r.m.Permissions = append(r.m.Permissions, name)
		}
	}
	r.m.Permissions = sortedSet(r.m.Permissions)
}

// nativeHelper refuses what only packages bundled with upstream's product may
// declare.
func (r *reader) nativeHelper(root *jsonpos.Node) {
	for _, key := range []string{"official_native_helper", "officialNativeHelper"} {
		n := root.Get(key)
		if n != nil && n.Kind != jsonpos.Null && (n.Kind != jsonpos.Bool || n.Text != "false") {
			r.failKey(n, problem{code: "MANIFEST_NATIVE_HELPER", hint: "remove it"}, "%s is only for packages that come with the product", key)
		}
	}
}
