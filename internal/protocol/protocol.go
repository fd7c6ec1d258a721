// Package protocol holds the wire types of wuu-plugin-v1
// (design/protocol.md; reference/wuu-facts.md §3).
package protocol

import "encoding/json"

// Transport is the manifest's runtime.protocol.
const Transport = "wuu-plugin-v1"

// Versions that this host speaks.
const (
	TransportVersion  = 1
	CapabilityVersion = 3
	LifecycleVersion  = 2
	MaxLine           = 64 << 20 // bytes of one frame, newline included
)

// Methods.
const (
	MethodInitialize       = "initialize"
	MethodPrepare          = "prepare"
	MethodActivate         = "activate"
	MethodToolExecute      = "tool.execute"
	MethodCapabilityInvoke = "capability.invoke"
	MethodServiceInvoke    = "service.invoke"
	MethodServiceChanged   = "service.changed"
	MethodExecutionCancel  = "execution.cancel"
	MethodShutdown         = "shutdown"
	MethodServiceCall      = "host.service.call"
)

// Error is the error member of a response.
type Error struct {
	Code    string `json:"code,omitempty"`
	Message string `json:"message"`
}

func (e *Error) Error() string {
	if e.Code == "" {
		return e.Message
	}
	return e.Code + ": " + e.Message
}

// Frame is any line: a request has a method, a response has not.
type Frame struct {
	ID     string          `json:"id"`
	Method string          `json:"method,omitempty"`
	Params json.RawMessage `json:"params,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  *Error          `json:"error,omitempty"`
}

// InitializeParams is what the host tells a plugin first.
type InitializeParams struct {
	ProtocolVersion           int      `json:"protocol_version"`
	CapabilityProtocolVersion int      `json:"capability_protocol_version"`
	LifecycleVersion          int      `json:"lifecycle_version"`
	PluginID                  string   `json:"plugin_id"`
	PluginRoot                string   `json:"plugin_root"`
	ProjectRoot               string   `json:"project_root"`
	WorkspaceID               string   `json:"workspace_id,omitempty"`
	WuuHome                   string   `json:"wuu_home"`
	WorkspaceStateDir         string   `json:"workspace_state_dir,omitempty"`
	SupportedHostServices     []string `json:"supported_host_services"`
	HostFeatures              []string `json:"host_features"`
}

// InitializeResult is what a plugin declares.
type InitializeResult struct {
	ProtocolVersion      int                  `json:"protocol_version,omitempty"`
	LifecycleVersion     int                  `json:"lifecycle_version,omitempty"`
	Tools                []Tool               `json:"tools,omitempty"`
	Capabilities         []Capability         `json:"capabilities,omitempty"`
	ProvidedServices     []ProvidedService    `json:"provided_services,omitempty"`
	RequiredServices     []ServiceRequirement `json:"required_services,omitempty"`
	RequiredHostFeatures []string             `json:"required_host_features,omitempty"`
	ModelAdapters        []json.RawMessage    `json:"model_adapters,omitempty"`
}

// Tool is one declared tool.
type Tool struct {
	ID              string          `json:"id"`
	Description     string          `json:"description"`
	InputSchema     json.RawMessage `json:"input_schema"`
	ExecutionScopes []string        `json:"execution_scopes,omitempty"`
	DirectOnly      bool            `json:"direct_only,omitempty"`
	Activity        json.RawMessage `json:"activity,omitempty"`
	Display         json.RawMessage `json:"display,omitempty"`
	Guidance        string          `json:"guidance,omitempty"`
}

// Capability is one declared capability.
type Capability struct {
	ID          string   `json:"id"`
	Kind        string   `json:"kind"`
	ErrorPolicy string   `json:"error_policy,omitempty"`
	Version     int      `json:"version"`
	Priority    int      `json:"priority,omitempty"`
	DependsOn   []string `json:"depends_on,omitempty"`
	Conflicts   []string `json:"conflicts,omitempty"`
}

// ProvidedService is a named API of this plugin.
type ProvidedService struct {
	Name    string          `json:"name"`
	Version string          `json:"version"`
	Methods []ServiceMethod `json:"methods"`
}

// ServiceMethod is one method of a provided service. Preparation promises no
// durable write and no outside effect.
type ServiceMethod struct {
	Name         string `json:"name"`
	InputSchema  string `json:"input_schema"`
	OutputSchema string `json:"output_schema"`
	Preparation  bool   `json:"preparation,omitempty"`
}

// ServiceRequirement names a consumed service.
type ServiceRequirement struct {
	Name         string `json:"name"`
	MajorVersion int    `json:"major_version"`
	Required     bool   `json:"required,omitempty"`
}

// ToolExecuteParams asks for one tool call.
type ToolExecuteParams struct {
	ToolID      string          `json:"tool_id"`
	ExecutionID string          `json:"execution_id"`
	SessionID   string          `json:"session_id,omitempty"`
	ThreadID    string          `json:"thread_id,omitempty"`
	TurnID      string          `json:"turn_id,omitempty"`
	StepIndex   int             `json:"step_index,omitempty"`
	Cwd         string          `json:"cwd"`
	CallID      string          `json:"call_id"`
	Tool        string          `json:"tool"` // public name
	Arguments   json.RawMessage `json:"arguments"`
}

// ToolExecuteResult is the answer to tool.execute.
type ToolExecuteResult struct {
	Result ToolResult `json:"result"`
}

// ToolResult is what a tool gives back.
type ToolResult struct {
	Content           []ContentPart   `json:"content"`
	StructuredContent json.RawMessage `json:"structured_content,omitempty"`
	Meta              json.RawMessage `json:"meta,omitempty"`
	IsError           bool            `json:"is_error,omitempty"`
	Activity          json.RawMessage `json:"activity,omitempty"`
}

// ContentPart is one part of a tool result; Type is text, image, audio, file,
// resource or resource_link.
type ContentPart struct {
	Type     string          `json:"type"`
	Text     string          `json:"text,omitempty"`
	Data     string          `json:"data,omitempty"` // standard base64
	MimeType string          `json:"mime_type,omitempty"`
	URI      string          `json:"uri,omitempty"`
	Name     string          `json:"name,omitempty"`
	Resource json.RawMessage `json:"resource,omitempty"`
	Artifact json.RawMessage `json:"artifact,omitempty"`
}

// ServiceCallParams is the one request of plugin to host.
type ServiceCallParams struct {
	Service     string          `json:"service"`
	Method      string          `json:"method"`
	ExecutionID string          `json:"execution_id,omitempty"`
	Params      json.RawMessage `json:"params,omitempty"`
}

// CancelParams asks a plugin to stop an execution.
type CancelParams struct {
	ExecutionID string `json:"execution_id"`
	Reason      string `json:"reason,omitempty"`
}
