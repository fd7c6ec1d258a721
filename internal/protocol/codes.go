package protocol

// Codes of the error member of a response to host.service.call
// (design/protocol.md, "Plugin → host"; reference/wuu-facts.md §3.8).
// A refusal with one of them never ends the process.
const (
	CodeMethodNotFound         = "method_not_found"
	CodeServiceNotNegotiated   = "service_not_negotiated"
	CodeInvalidRequest         = "invalid_request"
	CodeInvalidParams          = "invalid_params"
	CodeServiceUnavailable     = "service_unavailable"
	CodeServiceNotAuthorized   = "service_not_authorized"
	CodeServiceNotFound        = "service_not_found"
	CodeServiceVersionMismatch = "service_version_mismatch"
	CodeExecutionNotFound      = "execution_not_found"
	CodeLimitExceeded          = "limit_exceeded"
	CodeNotPrepared            = "not_prepared"
	CodeReadMode               = "read_mode"
	CodeGenerationClosed       = "generation_closed"
	CodeHostError              = "host_error"
)

// Codes of the *fault.Error that names a line which is no frame. They stand in
// testdata/protocol/frames.jsonl and in the reason of a failed process.
const (
	FrameNotJSON = "STDOUT_NOISE"   // the line is not JSON, or not UTF-8
	FrameTooLong = "FRAME_TOO_LONG" // the line passes MaxLine
	FrameUnknown = "FRAME_UNKNOWN"  // JSON, but neither a request nor a response
	FrameInvalid = "FRAME_INVALID"  // a request with a usable id and a wrong shape
)

// Codes of the *fault.Error that refuses what initialize declared, or what a
// tool gave back.
const (
	BadProtocolVersion   = "PROTOCOL_UNSUPPORTED"
	BadLifecycleVersion  = "LIFECYCLE_UNSUPPORTED"
	BadCapabilityVersion = "CAPABILITY_PROTOCOL" // declared under a protocol version that has no such thing
	BadTool              = "TOOL_INVALID"
	BadCapability        = "CAPABILITY_INVALID"
	BadService           = "SERVICE_INVALID"
	BadHostFeature       = "HOST_FEATURE_INVALID"
	BadModelAdapter      = "MODEL_ADAPTER_INVALID"
	BadToolResult        = "TOOL_RESULT_INVALID"
)
