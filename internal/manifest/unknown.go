package manifest

import (
	"slices"

	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/internal/jsonpos"
	"github.com/wuu-plugins/wuu/internal/nearest"
)

// closed reports the members of an object whose names are not known.
func (r *reader) closed(object *jsonpos.Node, known ...string) {
	for _, c := range object.Children {
		if slices.Contains(known, c.Key) || !r.found.Room(diag.Error) {
			continue
		}
		p := problem{code: "MANIFEST_UNKNOWN_FIELD", hint: didYouMean(c.Key, known)}
		if meant := nearest.Name(c.Key, known); meant != "" && object.Get(meant) == nil {
			if r.misspelt == nil {
				r.misspelt = map[member]bool{}
			}
			r.misspelt[member{object, meant}] = true
			p.fix = sameWord(c.Key, []string{meant})
		}
		r.failKey(c, p, "unknown field %s", jsonpos.Quote(c.Key))
	}
}

// typos warns about unknown members that look like a known name; hosts ignore
// the others.
func (r *reader) typos(object *jsonpos.Node, known ...string) {
	if len(object.Children) > 200 {
		return // not written by hand
	}
	for _, c := range object.Children {
		if slices.Contains(known, c.Key) || len(r.order) > diag.MaxPerSeverity {
			continue // the search is costly, and no more are shown
		}
		meant := nearest.Name(c.Key, known)
		place := member{object, meant}
		if meant == "" {
			continue
		}
		if object.Get(meant) != nil || r.near[place] != nil {
			r.warnKey(c, misspelling(meant), "unknown field %s", jsonpos.Quote(c.Key))
			continue
		}
		if r.near == nil {
			r.near = map[member]*jsonpos.Node{}
		}
		r.near[place] = c
		r.order = append(r.order, place)
	}
}
