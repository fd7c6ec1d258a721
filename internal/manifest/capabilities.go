package manifest

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strings"
)

// Capabilities is what consent is asked for (the `capabilities` object of a
// package record, design/cli.md).
type Capabilities struct {
	Permissions       []string `json:"permissions"` // effective: requested plus derived
	Commands          []string `json:"commands"`
	ToolsDeclared     string   `json:"tools_declared"` // "at-runtime" or "none"
	Hooks             []string `json:"hooks"`
	MCPServers        []string `json:"mcp_servers"`
	Executables       []string `json:"executables"`
	CredentialOrigins []string `json:"credential_origins"`
	Desktop           bool     `json:"desktop"`
	Skills            []string `json:"skills"`
}

// Capabilities lists what the package may do, each list sorted. execs are the
// paths of its files with the executable bit. Call Resolve before, else what
// stands in files of its own (hooks, MCP servers, commands) is not counted.
func (m *Manifest) Capabilities(execs []string) Capabilities {
	c := Capabilities{
		Permissions: m.EffectivePermissions(), Commands: []string{}, ToolsDeclared: "none",
		Hooks: []string{}, MCPServers: []string{}, Executables: slices.Clone(execs),
		CredentialOrigins: []string{}, Desktop: m.Desktop != nil, Skills: slices.Clone(m.Skills),
	}
	for _, command := range m.Contributes.Commands {
		c.Commands = append(c.Commands, m.ID+"."+command.ID)
	}
	if m.Runtime != nil {
		c.ToolsDeclared = "at-runtime"
		if !path.IsAbs(m.Runtime.Command) && strings.Contains(m.Runtime.Command, "/") {
			c.Executables = append(c.Executables, m.Runtime.Command)
		}
	}
	for event, hooks := range m.Hooks {
		for _, h := range hooks {
			c.Hooks = append(c.Hooks, h.line(event))
		}
	}
	for name, server := range m.MCPServers {
		c.MCPServers = append(c.MCPServers, server.line(name))
	}
	for _, setting := range m.Contributes.Settings {
		c.CredentialOrigins = append(c.CredentialOrigins, setting.Origins...)
	}
	for _, list := range []*[]string{&c.Commands, &c.Hooks, &c.MCPServers, &c.Executables, &c.CredentialOrigins, &c.Skills} {
		*list = sortedSet(*list)
	}
	return c
}

// line shows a hook together with what it runs, so that a changed command is a
// new capability.
func (h Hook) line(event string) string {
	matcher := ""
	if h.Matcher != "" && h.Matcher != "*" {
		matcher = " (" + h.Matcher + ")"
	}
	if h.Type == "prompt" {
		return event + matcher + ": prompt " + h.Prompt
	}
	return event + matcher + ": " + h.Command
}

func (s MCPServer) line(name string) string {
	if s.URL != "" {
		return name + ": " + s.URL
	}
	return name + ": " + strings.Join(append([]string{s.Command}, s.Args...), " ")
}

// EffectivePermissions are the requested ones and those that follow from the
// package's parts (reference/wuu-facts.md §2.9), sorted.
func (m *Manifest) EffectivePermissions() []string {
	set := slices.Clone(m.Permissions)
	if m.Runtime != nil {
		set = append(set, "process.spawn")
	}
	for _, server := range m.MCPServers {
		if server.Command != "" {
			set = append(set, "process.spawn")
		}
		if server.URL != "" {
			set = append(set, "network.connect")
		}
	}
	for hook := range flatten(maps.Values(m.Hooks)) {
		if hook.Type == "prompt" {
			set = append(set, "session.read", "session.write")
		} else {
			set = append(set, "process.spawn")
		}
	}
	for _, command := range m.Contributes.Commands {
		if command.Kind == "runtime_action" {
			set = append(set, "commands.execute")
		}
	}
	return sortedSet(set)
}

// Digest is "sha256-<hex>" over the canonical JSON of c: the fields in their
// order, lists sorted, no blanks. It names a set of capabilities that a person
// agreed to.
func (c Capabilities) Digest() string {
	for _, list := range []*[]string{&c.Permissions, &c.Commands, &c.Hooks, &c.MCPServers, &c.Executables, &c.CredentialOrigins, &c.Skills} {
		*list = sortedSet(*list)
	}
	b, err := json.Marshal(c)
	if err != nil {
		panic(err) // strings and booleans always encode
	}
	sum := sha256.Sum256(b)
	return "sha256-" + hex.EncodeToString(sum[:])
}

// Added lists, as "kind name" lines, what c can do that old cannot.
func (c Capabilities) Added(old Capabilities) []string {
	var added []string
	for _, part := range []struct {
		kind      string
		now, then []string
	}{
		{"permission", c.Permissions, old.Permissions},
		{"command", c.Commands, old.Commands},
		{"hook", c.Hooks, old.Hooks},
		{"mcp server", c.MCPServers, old.MCPServers},
		{"executable", c.Executables, old.Executables},
		{"credential origin", c.CredentialOrigins, old.CredentialOrigins},
		{"skill", c.Skills, old.Skills},
	} {
		for _, name := range sortedSet(part.now) {
			if !slices.Contains(part.then, name) {
				added = append(added, part.kind+" "+name)
			}
		}
	}
	if c.ToolsDeclared == "at-runtime" && old.ToolsDeclared != "at-runtime" {
		added = append(added, "tools at-runtime")
	}
	if c.Desktop && !old.Desktop {
		added = append(added, "desktop module")
	}
	return added
}
