package manifest

import (
	"slices"
	"strings"

	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/internal/jsonpos"
)

// hooks reads an object of events, or the path of a file with such an object
// under "hooks", or several paths, whose entries are appended.
func (r *reader) hooks(n *jsonpos.Node) {
	if !r.kind(n, jsonpos.Object, jsonpos.String, jsonpos.Array) {
		return
	}
	switch n.Kind {
	case jsonpos.String:
		r.later(n, RefHooks)
	case jsonpos.Array:
		for _, c := range n.Children {
			r.later(c, RefHooks)
		}
	default:
		r.hookEvents(n)
	}
}

func (r *reader) hookEvents(n *jsonpos.Node) {
	if r.m.Hooks == nil {
		r.m.Hooks = map[string][]Hook{}
	}
	known := HookEvents()
	for _, event := range n.Children {
		if !slices.Contains(known, event.Key) && r.found.Room(diag.Warning) {
			p := problem{code: "HOOK_EVENT", hint: didYouMean(event.Key, known)}
			r.warnKey(event, p, "no event is called %s; these hooks never run", jsonpos.Quote(event.Key))
		}
		if !r.kind(event, jsonpos.Array) {
			continue
		}
		for _, c := range event.Children {
			if h, ok := r.hook(c); ok {
				r.m.Hooks[event.Key] = append(r.m.Hooks[event.Key], h)
			}
		}
	}
}

func (r *reader) hook(n *jsonpos.Node) (Hook, bool) {
	if !r.kind(n, jsonpos.Object) {
		return Hook{}, false
	}
	if inner := n.Get("hooks"); inner != nil {
		p := problem{code: "HOOK_NESTED", hint: `move "type" and "command" up, next to "matcher"`}
		r.failKey(inner, p, "a hook entry holds no list of hooks here")
		return Hook{}, false
	}
	r.typos(n, "matcher", "type", "command", "prompt", "model", "timeout")
	h := Hook{
		Matcher: r.text(r.get(n, "matcher")), Type: "command", Command: r.text(r.get(n, "command")),
		Prompt: r.text(r.get(n, "prompt")), Model: r.text(r.get(n, "model")), Timeout: r.timeout(r.get(n, "timeout")),
	}
	if kind := r.get(n, "type"); kind != nil {
		if h.Type = r.choice(kind, HookTypes()); h.Type == "" {
			return h, false
		}
	}
	if h.Type == "command" {
		r.shellRoot(n.Get("command"))
	}
	needed := n.Get(h.Type)
	if needed == nil || needed.Kind == jsonpos.String && strings.TrimSpace(needed.Text) == "" {
		r.required(n, h.Type)
	}
	return h, h.Type == "command" && h.Command != "" || h.Type == "prompt" && h.Prompt != ""
}

// timeout reads seconds where zero and less mean the host's default.
func (r *reader) timeout(n *jsonpos.Node) int {
	if n != nil && n.Kind == jsonpos.Number && strings.HasPrefix(n.Text, "-") {
		return 0
	}
	return r.seconds(n)
}
