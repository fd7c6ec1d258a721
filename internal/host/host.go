// Package host runs plugins for real: generations of processes, executions,
// kernel services. It knows nothing of npm, of the command line or of MCP.
package host

import (
	"context"
	"encoding/json"
	"io"
	"time"

	"github.com/wuu-plugins/wuu/internal/catalog"
	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/paths"
	"github.com/wuu-plugins/wuu/internal/protocol"
)

// State is the catalog's view that a host plans from.
type State = catalog.State

// Options configure a host.
type Options struct {
	Home    paths.Home
	Project string    // absolute project root, may be empty
	Product string    // what embeds the host: "wuu host", "wuu dev", …
	Node    string    // executable for runtimes whose command is "node"
	Log     io.Writer // plugin stderr and host notes, one line each, tagged; nil discards
	Getenv  func(string) string
	Now     func() time.Time
	// Trace, when set, sees every frame of every plugin.
	Trace func(pluginID string, toPlugin bool, line []byte)
}

// Host is one running host.
type Host struct {
	// filled in by its builder
}

// ToolCall names a tool of a plugin by its local id or public name.
type ToolCall struct {
	PluginID  string          `json:"plugin_id"`
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments,omitempty"` // default {}
	SessionID string          `json:"session_id,omitempty"`
	Cwd       string          `json:"cwd,omitempty"`
	Timeout   time.Duration   `json:"timeout,omitempty"` // nanoseconds; 0 means none
}

// ToolResult is what the tool gave back.
type ToolResult = protocol.ToolResult

// Update is one progress report of a running execution.
type Update struct {
	ExecutionID string          `json:"execution_id"`
	Message     string          `json:"message,omitempty"`
	Detail      json.RawMessage `json:"detail,omitempty"`
}

// Observation is what one host saw of one plugin. State is active, inactive,
// degraded or failed; Err says why for the last three.
type Observation struct {
	HostID      string   `json:"host_id"`
	PluginID    string   `json:"plugin_id"`
	Fingerprint string   `json:"fingerprint"`
	Generation  uint64   `json:"generation"`
	State       string   `json:"state"`
	Err         *Failure `json:"error,omitempty"`
}

// Failure is a fault.Error that travels as JSON.
type Failure struct {
	Kind    fault.Kind `json:"kind"`
	Code    string     `json:"code"`
	Message string     `json:"message"`
	Hint    string     `json:"hint,omitempty"`
}

// PluginStatus is one plugin of a host's current generation.
type PluginStatus struct {
	ID          string          `json:"id"`
	Version     string          `json:"version"`
	Fingerprint string          `json:"fingerprint"`
	State       string          `json:"state"`
	Dev         bool            `json:"dev,omitempty"`
	Tools       []protocol.Tool `json:"tools,omitempty"`
	Err         *Failure        `json:"error,omitempty"`
}

// Status describes a host.
type Status struct {
	ID         string         `json:"id"`
	PID        int            `json:"pid"`
	Product    string         `json:"product"`
	Project    string         `json:"project"`
	Generation uint64         `json:"generation"`
	Epoch      uint64         `json:"epoch"`
	Plugins    []PluginStatus `json:"plugins"`
}

// Controller is what a host can be asked for; *Host and *control.Client both
// implement it.
type Controller interface {
	Status(ctx context.Context) (Status, error)
	// Preflight starts, initialises and prepares the plugins of next that
	// differ from the current generation, then ends them again or keeps them
	// for the adoption; a plugin that fails is an Observation, and an error
	// of kind Plugin when it must stop the publish.
	Preflight(ctx context.Context, next State) ([]Observation, error)
	// Adopt reads the committed state with at least that epoch and activates it.
	Adopt(ctx context.Context, epoch uint64) ([]Observation, error)
	// Reload rebuilds the processes of one plugin, or of all for "".
	Reload(ctx context.Context, id string) ([]Observation, error)
	CallTool(ctx context.Context, c ToolCall, update func(Update)) (ToolResult, error)
}

// New makes a host that runs nothing yet.
func New(o Options) (*Host, error) { panic("not built yet") }

// ID is the host's id, unique on this machine.
func (h *Host) ID() string { panic("not built yet") }

// Start plans s and activates it as the first generation. Plugins that fail
// are observations, never an error.
func (h *Host) Start(ctx context.Context, s State) ([]Observation, error) { panic("not built yet") }

// Status describes the host now.
func (h *Host) Status(ctx context.Context) (Status, error) { panic("not built yet") }

// Preflight implements Controller.
func (h *Host) Preflight(ctx context.Context, next State) ([]Observation, error) {
	panic("not built yet")
}

// Adopt implements Controller.
func (h *Host) Adopt(ctx context.Context, epoch uint64) ([]Observation, error) {
	panic("not built yet")
}

// Reload implements Controller.
func (h *Host) Reload(ctx context.Context, id string) ([]Observation, error) {
	panic("not built yet")
}

// CallTool implements Controller.
func (h *Host) CallTool(ctx context.Context, c ToolCall, update func(Update)) (ToolResult, error) {
	panic("not built yet")
}

// Close shuts every plugin down, newest first, and waits: nothing of their
// process groups is left when it returns.
func (h *Host) Close(ctx context.Context) error { panic("not built yet") }

// Publish preflights t's next state on all hosts, commits, and lets all hosts
// adopt. A preflight refusal leaves everything as it was; an activation
// failure afterwards is in the observations (exit 7, nothing rolled back).
func Publish(ctx context.Context, t *catalog.Tx, hosts []Controller) ([]Observation, error) {
	panic("not built yet")
}
