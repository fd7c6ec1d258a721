package manifest

import (
	"net/url"

	"github.com/wuu-plugins/wuu/internal/jsonpos"
)

// servers reads an object of MCP servers by name, or the path of a file with
// such an object under "mcpServers" or "mcp_servers".
func (r *reader) servers(n *jsonpos.Node) {
	if !r.kind(n, jsonpos.Object, jsonpos.String) {
		return
	}
	if n.Kind == jsonpos.String {
		r.later(n, RefMCP)
		return
	}
	r.serverMap(n)
}

func (r *reader) serverMap(n *jsonpos.Node) {
	if r.m.MCPServers == nil {
		r.m.MCPServers = map[string]MCPServer{}
	}
	for _, c := range n.Children {
		if c.Key == "" {
			r.failKey(c, problem{code: "MANIFEST_VALUE"}, "an MCP server has no name")
			continue
		}
		if r.kind(c, jsonpos.Object) {
			r.m.MCPServers[c.Key] = r.server(c)
		}
	}
}

func (r *reader) server(n *jsonpos.Node) MCPServer {
	r.typos(n, "command", "args", "env", "url", "transport", "headers", "enabled", "oauth", "tool_overrides")
	s := MCPServer{
		Command: r.text(r.get(n, "command")),
		Args:    r.words(r.get(n, "args")),
		Env:     r.stringMap(r.get(n, "env"), true),
		URL:     r.text(r.get(n, "url")),
		Headers: r.stringMap(r.get(n, "headers"), false),
		Enabled: r.flag(r.get(n, "enabled")),
	}
	if transport := r.get(n, "transport"); transport != nil {
		s.Transport = r.choice(transport, MCPTransports())
	}
	switch {
	case s.Command == "" && s.URL == "":
		r.unreachable(n)
	case s.Command != "" && s.URL != "":
		r.fail(n.Get("url"), problem{code: "MANIFEST_VALUE", hint: "keep one of them"}, "an MCP server has a command or a url, not both")
	case s.URL != "":
		if u, err := url.Parse(s.URL); err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
			r.fail(n.Get("url"), problem{code: "MANIFEST_VALUE", hint: "for example https://mcp.example.com/mcp"}, "%s is no http or https URL", jsonpos.Quote(s.URL))
		}
	}
	if oauth := r.get(n, "oauth"); oauth != nil {
		r.kind(oauth, jsonpos.Object)
	}
	return s
}

// unreachable reports a server that has neither a command nor a url, unless
// one of them is there and reported already.
func (r *reader) unreachable(n *jsonpos.Node) {
	p := problem{hint: `an MCP server has a "command" or a "url"`}
	field := "command"
	for _, key := range []string{"command", "url"} {
		c := n.Get(key)
		switch {
		case c == nil && r.near[member{n, key}] == nil:
			continue
		case c != nil && c.Kind == jsonpos.String:
			p.code = "MANIFEST_REQUIRED"
			r.fail(c, p, "%s is empty", label{c})
			return
		case c != nil && c.Kind != jsonpos.Null:
			return
		}
		field = key
	}
	r.missing(n, field, p)
}
