// Package manifest reads plugin.json with positions. It checks types and
// shapes; rules that need the package's files are validate's.
package manifest

import (
	"encoding/json"

	"github.com/wuu-plugins/wuu/internal/jsonpos"
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
	Homepage          string
	Repository        string
	License           string
	Keywords          []string
	DefaultEnabled    *bool
	Runtime           *Runtime
	Desktop           *Desktop
	Skills            []string // package paths of files and folders; nil when the field is absent
	Hooks             map[string][]Hook
	MCPServers        map[string]MCPServer
	Contributes       Contributes
	Dependencies      []Dependency
	Requires          []string // the required dependencies included
	Breaks            []string
	Conflicts         []string
	Permissions       []string // requested, aliases resolved
	Platforms         []string // lower-case GOOS values; empty means all
	MinimumWuuVersion string
	Family            *Family
	UnsupportedFields []string // unknown top-level keys, sorted

	doc  *jsonpos.Document
	refs []Reference
	// commandIDs are the ids of Contributes.Commands.
	commandIDs map[string]bool
	pending    []Reference
}

// Family groups packages that are one product (interface.family).
type Family struct{ ID, Name, Description string }

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
	Matcher, Type, Command, Prompt, Model string
	Timeout                               int // seconds; 0 means the host's default of 30
}

// MCPServer is one declared MCP server: a process (Command) or an endpoint (URL).
type MCPServer struct {
	Command   string
	Args      []string
	Env       map[string]string
	URL       string
	Transport string
	Headers   map[string]string
	Enabled   *bool
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
type Command struct {
	ID, Title, Description string
	Kind                   string // prompt_template, runtime_action or side_conversation
	Prompt                 string // package path
}

// Theme is one entry of contributes.themes.
type Theme struct{ ID, Name, Base string }

// Setting is one declared setting.
type Setting struct {
	Type        string // boolean, string, number, enum, secret
	Title       string
	Description string
	Default     json.RawMessage
	Enum        []string
	Scope       string   // user, workspace
	Apply       string   // live, next-operation, restart
	Origins     []string // credential_origins of a secret
}

// EnabledByDefault reports default_enabled, true when absent.
func (m *Manifest) EnabledByDefault() bool { return m.DefaultEnabled == nil || *m.DefaultEnabled }
