package manifest

import (
	"strconv"

	"github.com/wuu-plugins/wuu/internal/jsonpos"
)

// views reads the four lists that say where parts of the interface stand; the
// desktop module renders them. Their ids are unique across all four.
func (r *reader) views(contributes *jsonpos.Node) {
	placed := map[string]bool{}
	rendered := r.hasDesktop()
	for _, key := range []string{"presenters", "navigation", "workspaceTools", "settingsPages"} {
		list := r.get(contributes, key)
		if len(list.List()) > 0 && !rendered {
			rendered = true // once is enough
			r.warnKey(list, problem{code: "VIEW_WITHOUT_DESKTOP", hint: `declare "desktop", whose module registers what is shown`},
				"nothing renders contributes.%s: there is no desktop module", key)
		}
		r.each(list, func(c *jsonpos.Node) {
			if key == "presenters" {
				r.presenter(c, placed)
				return
			}
			r.viewEntry(c, placed)
		})
	}
}

// hasDesktop reports whether the manifest declares a desktop module, well or not.
func (r *reader) hasDesktop() bool {
	n := r.m.doc.Root.Get("desktop")
	return n != nil && n.Kind != jsonpos.Null
}

// each calls do for the objects of an array; other members are reported.
func (r *reader) each(n *jsonpos.Node, do func(*jsonpos.Node)) {
	if !r.kind(n, jsonpos.Array) {
		return
	}
	for _, c := range n.Children {
		if r.kind(c, jsonpos.Object) {
			do(c)
		}
	}
}

// presenter replaces or wraps a part of the interface.
func (r *reader) presenter(n *jsonpos.Node, placed map[string]bool) {
	r.closed(n, "id", "target", "mode", "priority", "title")
	r.localID(n, placed)
	r.requiredChoice(n, "target", PresenterTargets())
	r.requiredChoice(n, "mode", PresenterModes())
	r.number(r.get(n, "priority"))
	r.text(r.get(n, "title"))
}

// viewEntry opens a view.
func (r *reader) viewEntry(n *jsonpos.Node, placed map[string]bool) {
	r.closed(n, "id", "view", "title", "description", "icon", "order")
	r.localID(n, placed)
	r.required(n, "view")
	r.required(n, "title")
	r.text(r.get(n, "description"))
	r.icon(r.get(n, "icon"))
	r.number(r.get(n, "order"))
}

// number reads a number that a host can hold; ok is false when there is none.
func (r *reader) number(n *jsonpos.Node) (value float64, ok bool) {
	if !r.kind(n, jsonpos.Number) {
		return 0, false
	}
	value, err := strconv.ParseFloat(n.Text, 64)
	if err != nil {
		r.fail(n, problem{code: "MANIFEST_VALUE"}, "%s is no finite number", label{n})
		return 0, false
	}
	return value, true
}
