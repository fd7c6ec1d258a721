package manifest

import (
	"path"
	"slices"
	"strings"

	"github.com/wuu-plugins/wuu/internal/jsonpos"
)

// runtime reads the process (reference/wuu-facts.md §2.4).
func (r *reader) runtime(n *jsonpos.Node) {
	if !r.kind(n, jsonpos.Object) {
		return
	}
	r.typos(n, "protocol", "command", "args", "env", "timeout")
	rt := &Runtime{
		Protocol: r.requiredChoice(n, "protocol", []string{Protocol}),
		Args:     r.words(r.get(n, "args")),
		Env:      r.stringMap(r.get(n, "env"), true),
		Timeout:  r.seconds(r.get(n, "timeout")),
	}
	r.m.Runtime = rt
	rt.Command = r.required(n, "command")
	if rt.Command != "" {
		rt.Command = r.command(n.Get("command"), rt.Command)
	}
	r.script(r.get(n, "args"))
}

// command decides whether a command is a program of the package, of the
// search path, or of one machine only.
func (r *reader) command(n *jsonpos.Node, text string) string {
	switch {
	case strings.ContainsAny(text, " \t") && !strings.ContainsAny(text, `/\`):
		r.warn(n, problem{code: "RUNTIME_COMMAND_SPACES", hint: "put the arguments into args"}, "runtime.command is one program, not a command line")
	case strings.HasPrefix(text, "/") || len(text) > 1 && text[1] == ':':
		r.warn(n, problem{code: "RUNTIME_COMMAND_ABSOLUTE", hint: "name a program of the search path, or one inside the package"},
			"runtime.command is a place on one machine")
	case strings.ContainsAny(text, `/\`):
		if clean := r.path(n, RefCommand); clean != "" {
			return clean
		}
	}
	return text
}

// script finds the argument that is the runtime's own file: the first that is
// no option and ends like a JavaScript file.
func (r *reader) script(args *jsonpos.Node) {
	for _, c := range args.List() {
		if c.Kind != jsonpos.String || strings.HasPrefix(c.Text, "-") {
			continue
		}
		if slices.Contains([]string{".js", ".mjs", ".cjs"}, path.Ext(c.Text)) {
			r.path(c, RefScript)
			return
		}
	}
}

// desktop reads the renderer module.
func (r *reader) desktop(n *jsonpos.Node) {
	if !r.kind(n, jsonpos.Object) {
		return
	}
	r.closed(n, "entry", "required_services")
	d := &Desktop{}
	r.m.Desktop = d
	if services := r.get(n, "required_services"); r.kind(services, jsonpos.Array) {
		d.RequiredServices = slices.Clone(r.doc.Raw(services))
		r.services(services)
	}
	entry := r.get(n, "entry")
	if entry == nil {
		r.missing(n, "entry", problem{})
		return
	}
	d.Entry = r.path(entry, RefDesktop)
	if ext := path.Ext(d.Entry); d.Entry != "" && ext != ".js" && ext != ".mjs" {
		p := problem{code: "DESKTOP_ENTRY_TYPE", hint: "name the built file, for example dist/renderer.js"}
		r.fail(entry, p, "desktop.entry must end in .js or .mjs")
	}
}

// skills reads a path or a list of paths.
func (r *reader) skills(n *jsonpos.Node) {
	if !r.kind(n, jsonpos.String, jsonpos.Array) {
		return
	}
	nodes := []*jsonpos.Node{n}
	if n.Kind == jsonpos.Array {
		nodes = n.Children
	}
	r.m.Skills = []string{}
	for _, c := range nodes {
		if c.Kind == jsonpos.String && strings.TrimSpace(c.Text) == "" && n.Kind == jsonpos.Array {
			continue
		}
		r.m.Skills = append(r.m.Skills, r.path(c, RefSkill))
	}
	r.m.Skills = sortedSet(r.m.Skills)
}
