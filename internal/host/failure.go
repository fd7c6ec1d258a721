package host

import (
	"errors"

	"github.com/wuu-plugins/wuu/internal/fault"
)

// Codes of what a host says about a plugin. Codes of the process and of its
// declarations are pluginproc's and protocol's.
const (
	CodeDisabled          = "PLUGIN_DISABLED" // kind Done: it is as it was asked to be
	CodeUntrusted         = "PLUGIN_UNTRUSTED"
	CodeBroken            = "PACKAGE_BROKEN"
	CodePlatform          = "PLATFORM_UNSUPPORTED"
	CodeWuuTooOld         = "WUU_TOO_OLD"
	CodeMissing           = "DEPENDENCY_MISSING"
	CodeInactive          = "DEPENDENCY_INACTIVE"
	CodeDependencyVersion = "DEPENDENCY_VERSION"
	CodeBreaks            = "PLUGIN_BREAKS"
	CodeCycle             = "DEPENDENCY_CYCLE"
	CodeServiceMissing    = "SERVICE_MISSING"
	CodeFeatureMissing    = "HOST_FEATURE_MISSING"
	CodeInitialize        = "INITIALIZE_FAILED"
	CodePrepare           = "PREPARE_FAILED"
	CodeActivate          = "ACTIVATE_FAILED"
	CodeSnapshot          = "SNAPSHOT_FAILED"
	CodeUnknownPlugin     = "PLUGIN_UNKNOWN"
	CodeUnknownTool       = "TOOL_UNKNOWN"
	CodeNotRunning        = "PLUGIN_NOT_RUNNING"
	CodeArguments         = "ARGUMENTS_INVALID"
	CodeToolFailed        = "TOOL_FAILED"
	CodeTimeout           = "TIMEOUT"
	CodeCancelled         = "EXECUTION_CANCELLED"
	CodeHostClosed        = "HOST_CLOSED"
	CodeHostStale         = "HOST_STALE"
	CodeRefused           = "PREFLIGHT_REFUSED"
)

// Failure is a fault.Error that travels as JSON.
type Failure struct {
	Kind    fault.Kind `json:"kind"`
	Code    string     `json:"code"`
	Subject string     `json:"subject,omitempty"`
	Message string     `json:"message"` // without the subject
	Hint    string     `json:"hint,omitempty"`
}

// FailureOf describes err; nil for nil.
func FailureOf(err error) *Failure {
	e := fault.As(err)
	if e == nil {
		return nil
	}
	bare := *e
	bare.Subject = ""
	return &Failure{Kind: e.Kind, Code: e.Code, Subject: e.Subject, Message: bare.Error(), Hint: e.Hint}
}

// Fault turns f back into the error it was; nil for nil.
func (f *Failure) Fault() *fault.Error {
	if f == nil {
		return nil
	}
	return &fault.Error{Kind: f.Kind, Code: f.Code, Subject: f.Subject, Err: errors.New(f.Message), Hint: f.Hint}
}

// failure builds a Failure of kind Plugin about a plugin.
func failure(code, id, format string, args ...any) *Failure {
	return FailureOf(fault.New(fault.Plugin, code, id, format, args...))
}

func (f *Failure) hint(text string) *Failure {
	f.Hint = text
	return f
}

// stage wraps what went wrong in one stage of a plugin's start: the plugin is
// the subject, the stage and the place within it are in the message.
func stage(code, id, name string, err error) *Failure {
	inner := fault.As(err)
	f := failure(code, id, "%s: %s", name, about(id, err))
	f.Hint = inner.Hint
	if inner.Kind == fault.Defect || inner.Kind == fault.Interrupt {
		return f
	}
	if inner.Code != "" {
		f.Code = inner.Code
	}
	return f
}

// about is err as it reads where the plugin id is named already.
func about(id string, err error) error {
	inner := fault.As(err)
	if inner.Subject != id {
		return err
	}
	bare := *inner
	bare.Subject = ""
	return &bare
}
