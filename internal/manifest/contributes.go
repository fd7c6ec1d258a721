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
			r.foreignKey(n, c, known)
		default:
			r.m.Contributes.Raw[c.Key] = slices.Clone(r.doc.Raw(c))
		}
	}
	r.commands(r.get(n, "commands"))
	r.settings(r.get(n, "settings"))
	r.themes(r.get(n, "themes"))
	r.skins(r.get(n, "skins"))
	r.views(n)
}

// foreignKey reports a key that contributes does not have, and says where it
// belongs when it belongs anywhere.
func (r *reader) foreignKey(contributes, c *jsonpos.Node, known []string) {
	if !r.found.Room(diag.Error) {
		return // before the costly search
	}
	p := problem{code: "CONTRIBUTES_UNKNOWN_KEY"}
	switch {
	case slices.Contains(Fields(), c.Key):
		p.hint = "it is a field of the manifest itself: move it out of contributes"
	case c.Key == "views":
		p.hint = "the desktop module registers views; navigation, workspaceTools and settingsPages place them"
	default:
		p.hint = didYouMean(c.Key, known)
		if p.fix = sameWord(c.Key, known); p.fix != "" && contributes.Get(strings.Trim(p.fix, `"`)) != nil {
			p.fix = ""
		}
	}
	r.failKey(c, p, "contributes has no key %s", jsonpos.Quote(c.Key))
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
