// Package manifest reads plugin.json with positions. It checks types and
// shapes; rules that need the package's files are validate's.
package manifest

import (
	"encoding/json"

	"github.com/wuu-plugins/wuu/internal/diag"
)

// Locations are the places where a manifest may stand, in order of discovery;
// exactly one may exist.
var Locations = [...]string{"plugin.json", ".codex-plugin/plugin.json", ".claude-plugin/plugin.json"}

// Manifest is plugin.json after aliases are resolved and strings trimmed.
type Manifest struct {
	SchemaVersion     int
	ID                string
	Name              string
	Version           string
	Description       string
	DefaultEnabled    *bool
	Runtime           *Runtime
	Desktop           *Desktop
	Skills            []string
	Hooks             map[string][]Hook
	MCPServers        map[string]MCPServer
	Contributes       Contributes
	Dependencies      []Dependency
	Requires          []string
	Breaks            []string
	Conflicts         []string
	Permissions       []string
	Platforms         []string
	MinimumWuuVersion string
	UnsupportedFields []string // unknown top-level keys, sorted
}

// Runtime is the process that speaks wuu-plugin-v1.
type Runtime struct {
	Protocol string
	Command  string
	Args     []string
	Env      map[string]string
	Timeout  int // seconds; 0 means the host's default of 30
}

// Desktop is the renderer module.
type Desktop struct {
	Entry            string
	RequiredServices json.RawMessage
}

// Hook is one declared hook of an event.
type Hook struct {
	Matcher, Type, Command, Prompt string
	Timeout                        int
}

// MCPServer is one declared MCP server.
type MCPServer struct {
	Command   string
	Args      []string
	Env       map[string]string
	URL       string
	Transport string
}

// Dependency is a relationship to another package.
type Dependency struct {
	ID       string `json:"id"`
	Version  string `json:"version,omitempty"`
	Optional bool   `json:"optional,omitempty"`
}

// Contributes holds the declarative contributions.
type Contributes struct {
	Commands []Command
	Settings map[string]Setting // by local id
	Themes   []Theme
	Raw      map[string]json.RawMessage // every contributes key as written
}

// Command is one entry of contributes.commands.
type Command struct{ ID, Title, Description, Kind, Prompt string }

// Theme is one entry of contributes.themes.
type Theme struct{ ID, Name, Base string }

// Setting is one declared setting.
type Setting struct {
	Type        string // boolean, string, number, enum, secret
	Title       string
	Description string
	Default     json.RawMessage
	Enum        []string
	Scope       string // user, workspace
	Apply       string // live, next-operation, restart
	Origins     []string
}

// EnabledByDefault reports default_enabled, true when absent.
func (m *Manifest) EnabledByDefault() bool { return m.DefaultEnabled == nil || *m.DefaultEnabled }

// Parse reads src as file's content. The Manifest is nil when the document
// cannot be used at all; findings of severity error mean that it must not be.
func Parse(file string, src []byte) (*Manifest, []diag.Finding) { panic("not built yet") }

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

// Capabilities lists what the package may do. execs are the paths of its
// files with the executable bit.
func (m *Manifest) Capabilities(execs []string) Capabilities { panic("not built yet") }

// Digest is "sha256-<hex>" over the canonical JSON of c.
func (c Capabilities) Digest() string { panic("not built yet") }

// Added lists, as "kind name" lines, what c can do that old cannot.
func (c Capabilities) Added(old Capabilities) []string { panic("not built yet") }
