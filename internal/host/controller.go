package host

import (
	"context"
	"encoding/json"
	"time"

	"github.com/wuu-plugins/wuu/internal/catalog"
	"github.com/wuu-plugins/wuu/internal/protocol"
)

// State is the catalog's view that a host plans from.
type State = catalog.State

// ToolCall names a tool of a plugin by its local id or public name.
type ToolCall struct {
	PluginID  string          `json:"plugin_id"`
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments,omitempty"` // default {}
	SessionID string          `json:"session_id,omitempty"`
	Cwd       string          `json:"cwd,omitempty"`     // default: the project, else the host's own
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

// Controller is what a host can be asked for; *Host and *control.Client both
// implement it.
type Controller interface {
	Status(ctx context.Context) (Status, error)
	// Preflight starts, initialises and prepares the plugins of next that
	// differ from the current generation and keeps them for the adoption; a
	// plugin that fails is an Observation, and an error of kind Plugin when
	// it must stop the publish.
	Preflight(ctx context.Context, next State) ([]Observation, error)
	// Adopt reads the committed state with at least that epoch and activates it.
	Adopt(ctx context.Context, epoch uint64) ([]Observation, error)
	// Reload rebuilds the processes of one plugin, or of all for "".
	Reload(ctx context.Context, id string) ([]Observation, error)
	CallTool(ctx context.Context, c ToolCall, update func(Update)) (ToolResult, error)
}

// Discarder is a Controller that can drop what Preflight prepared, when the
// publish does not come about.
type Discarder interface {
	Discard(ctx context.Context) error
}

// States of a plugin in a generation.
const (
	StateActive   = "active"   // serves, or is declarative
	StateInactive = "inactive" // not meant to run, or held back; the error says why
	StateDegraded = "degraded" // committed, but its activation failed
	StateFailed   = "failed"   // could not start, or has crashed
)

// Observation is what one host saw of one plugin. Err says why for every
// state but active.
type Observation struct {
	HostID      string   `json:"host_id"`
	PluginID    string   `json:"plugin_id"`
	Fingerprint string   `json:"fingerprint"`
	Generation  uint64   `json:"generation"`
	State       string   `json:"state"`
	Err         *Failure `json:"error,omitempty"`
}

// PluginStatus is one plugin of a host's current generation.
type PluginStatus struct {
	ID          string          `json:"id"`
	Version     string          `json:"version"`
	Fingerprint string          `json:"fingerprint"`
	State       string          `json:"state"`
	Dev         bool            `json:"dev,omitempty"`
	PID         int             `json:"pid,omitempty"` // of the runtime, while it lives
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

// Execution is one running call, as plugin/executions/list shows it. IDs are
// unique within a host; (GenerationID, ID) stays a stable name.
type Execution struct {
	GenerationID uint64  `json:"generation_id"`
	ID           string  `json:"id"`
	PluginID     string  `json:"plugin_id"`
	Scope        Scope   `json:"scope"`
	Progress     *Update `json:"progress,omitempty"`
	Retained     bool    `json:"retained"` // runs on a process that newer calls do not reach
}

// Scope says where an execution belongs.
type Scope struct {
	Tool      string `json:"tool"`
	SessionID string `json:"session_id,omitempty"`
}
