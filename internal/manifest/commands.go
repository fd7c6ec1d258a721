package manifest

import (
	"slices"
	"strings"

	"github.com/wuu-plugins/wuu/internal/jsonpos"
)

// commands reads contributes.commands: an array, {"commands": […]}, a single
// command, or the path of a JSON file with any of these.
func (r *reader) commands(n *jsonpos.Node) {
	if !r.kind(n, jsonpos.Array, jsonpos.Object, jsonpos.String) {
		return
	}
	switch {
	case n.Kind == jsonpos.String:
		r.later(n, RefCommands)
	case n.Kind == jsonpos.Array:
		for _, c := range n.Children {
			r.commandEntry(c)
		}
	case n.Get("commands") != nil:
		r.closed(n, "commands")
		r.commands(n.Get("commands"))
	default:
		r.commandEntry(n)
	}
}

func (r *reader) commandEntry(n *jsonpos.Node) {
	if !r.kind(n, jsonpos.Object) {
		return
	}
	r.typos(n, "id", "title", "description", "kind", "prompt", "contexts", "aliases", "keywords")
	r.runtimeFields(n)
	if r.m.commandIDs == nil {
		r.m.commandIDs = map[string]bool{}
	}
	c := Command{
		ID: r.localID(n, r.m.commandIDs), Title: r.required(n, "title"), Description: r.description(r.get(n, "description")), Kind: r.commandKind(n),
	}
	for _, key := range []string{"contexts", "aliases", "keywords"} {
		r.set(r.get(n, key))
	}
	prompt := r.get(n, "prompt")
	switch {
	case prompt == nil && (c.Kind == "prompt_template" || c.Kind == "side_conversation"):
		r.missing(n, "prompt", problem{hint: "the path of a text file in the package"})
	case prompt != nil && c.Kind == "runtime_action":
		r.warnKey(prompt, problem{code: "COMMAND_PROMPT", hint: "remove it, or choose prompt_template"}, "a runtime_action has no prompt")
	default:
		c.Prompt = r.path(prompt, RefPrompt)
	}
	if c.Kind == "runtime_action" && !r.hasDesktop() {
		p := problem{code: "COMMAND_WITHOUT_DESKTOP", hint: `declare "desktop", whose module registers a command of this id`}
		r.warn(n.Get("kind"), p, "nothing runs this command: there is no desktop module")
	}
	if c.ID != "" {
		r.m.Contributes.Commands = append(r.m.Contributes.Commands, c)
	}
}

// commandKind ignores case, as upstream hosts do.
func (r *reader) commandKind(n *jsonpos.Node) string {
	kind := r.get(n, "kind")
	if kind != nil && kind.Kind == jsonpos.String {
		if lower := strings.ToLower(strings.TrimSpace(kind.Text)); slices.Contains(CommandKinds(), lower) {
			return lower
		}
	}
	return r.requiredChoice(n, "kind", CommandKinds())
}

// runtimeFields warns about fields of the commands that a runtime provides:
// hosts ignore them in a manifest.
func (r *reader) runtimeFields(n *jsonpos.Node) {
	for _, key := range []string{
		"name", "parameters", "input", "record_input", "agent_visible", "has_describe", "has_undo", "prompt_guidance", "client_presentation",
	} {
		if c := n.Get(key); c != nil {
			p := problem{code: "COMMAND_RUNTIME_FIELD", hint: "give it to the command that the runtime provides, or remove it"}
			r.warnKey(c, p, "%q belongs to commands that a runtime provides; hosts ignore it here", key)
		}
	}
}
