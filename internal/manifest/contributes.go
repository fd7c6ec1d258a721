package manifest

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/internal/jsonpos"
)

func (r *reader) contributes(n *jsonpos.Node) {
	if !r.kind(n, jsonpos.Object) {
		return
	}
	known := ContributesKeys()
	r.m.Contributes.Raw = map[string]json.RawMessage{}
	for _, c := range n.Children {
		switch {
		case c.Key == "slots" || c.Key == "surfaces":
			r.failKey(c, problem{
				code: "CONTRIBUTES_REJECTED",
				hint: "remove it and call registerUIContribution in the desktop module, with the owner's prefix on the target",
			}, "contributes.%s is an older way to add interface parts that hosts refuse", c.Key)
		case !slices.Contains(known, c.Key):
			if r.found.Room(diag.Error) {
				r.failKey(c, problem{code: "CONTRIBUTES_UNKNOWN_KEY", hint: didYouMean(c.Key, known)}, "contributes has no key %s", jsonpos.Quote(c.Key))
			}
		default:
			r.m.Contributes.Raw[c.Key] = slices.Clone(r.doc.Raw(c))
		}
	}
	r.commands(r.get(n, "commands"))
	r.settings(r.get(n, "settings"))
	r.themes(r.get(n, "themes"))
	r.entries(r.get(n, "skins"), "id", "name")
	placed := map[string]bool{} // ids are unique across all four
	r.views(r.get(n, "presenters"), placed, "id", "target")
	for _, key := range []string{"navigation", "workspaceTools", "settingsPages"} {
		r.views(r.get(n, key), placed, "id", "view", "title")
	}
}

// entries reads an array of objects and returns those that have the required
// texts and an id of their own.
func (r *reader) entries(n *jsonpos.Node, required ...string) []*jsonpos.Node {
	return r.views(n, map[string]bool{}, required...)
}

// views is entries for lists that share their ids.
func (r *reader) views(n *jsonpos.Node, seen map[string]bool, required ...string) []*jsonpos.Node {
	if !r.kind(n, jsonpos.Array) {
		return nil
	}
	var out []*jsonpos.Node
	for _, c := range n.Children {
		if !r.kind(c, jsonpos.Object) {
			continue
		}
		for _, key := range required {
			if key != "id" {
				r.required(c, key)
			}
		}
		if r.localID(c, seen) != "" {
			out = append(out, c)
		}
	}
	return out
}

// localID reads the id of a contribution: 1 to 64 of a-z, 0-9, _ and -, once
// in its list.
func (r *reader) localID(object *jsonpos.Node, seen map[string]bool) string {
	n := r.get(object, "id")
	if n == nil {
		r.missing(object, "id", problem{})
		return ""
	}
	if !r.kind(n, jsonpos.String) {
		return ""
	}
	id := strings.TrimSpace(n.Text)
	switch {
	case !isLocalID(id):
		r.fail(n, problem{code: "CONTRIBUTION_ID", hint: "use 1 to 64 of a-z, 0-9, _ and -"}, "%s is no contribution id", jsonpos.Quote(id))
		return ""
	case seen[id]:
		r.fail(n, problem{code: "CONTRIBUTION_DUPLICATE"}, "the id %s is used twice", jsonpos.Quote(id))
		return ""
	}
	seen[id] = true
	return id
}

func isLocalID(id string) bool {
	return id != "" && len(id) <= 64 && strings.Trim(id, "abcdefghijklmnopqrstuvwxyz0123456789_-") == ""
}

// themes checks the core shape; token names have their own rules.
func (r *reader) themes(n *jsonpos.Node) {
	seen := map[string]bool{}
	for _, c := range n.List() {
		if !r.kind(c, jsonpos.Object) {
			continue
		}
		r.closed(c, "id", "name", "base", "tokens", "syntax")
		t := Theme{ID: r.localID(c, seen), Name: r.required(c, "name"), Base: r.requiredChoice(c, "base", ThemeBases())}
		if tokens := r.get(c, "tokens"); tokens == nil {
			r.missing(c, "tokens", problem{})
		} else {
			r.tokens(tokens, true, "--wuu-")
		}
		r.tokens(r.get(c, "syntax"), false, "--hljs-", "--wuu-syntax-")
		if t.ID != "" {
			r.m.Contributes.Themes = append(r.m.Contributes.Themes, t)
		}
	}
	if n != nil {
		r.kind(n, jsonpos.Array)
	}
	slices.SortFunc(r.m.Contributes.Themes, func(a, b Theme) int { return strings.Compare(a.ID, b.ID) })
}

func (r *reader) tokens(n *jsonpos.Node, needed bool, prefixes ...string) {
	if !r.kind(n, jsonpos.Object) {
		return
	}
	if needed && len(n.Children) == 0 {
		r.fail(n, problem{code: "MANIFEST_REQUIRED"}, "%s is empty", label{n})
	}
	for _, c := range n.Children {
		if !slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(c.Key, p) && c.Key != p }) {
			r.failKey(c, problem{code: "THEME_TOKEN", hint: "token names start with " + strings.Join(prefixes, " or ")}, "%s is no theme token", jsonpos.Quote(c.Key))
		}
		if r.text(c) == "" && c.Kind == jsonpos.String {
			r.fail(c, problem{code: "MANIFEST_REQUIRED"}, "the value of %s is empty", jsonpos.Quote(c.Key))
		}
	}
}
