// Package pluginproc runs one plugin process: frames on stdin and stdout,
// diagnostics on stderr, ended as a whole process group.
package pluginproc

import (
	"context"
	"encoding/json"
	"io"
	"time"

	"github.com/wuu-plugins/wuu/internal/protocol"
)

// Spec says what to run.
type Spec struct {
	PluginID string
	Argv     []string // Argv[0] is looked up in PATH unless it has a separator
	Env      []string // the whole environment
	Dir      string
	Stderr   io.Writer     // lines, whole; nil discards
	Timeout  time.Duration // of initialize, prepare, activate; 0 means 30 s
	Grace    time.Duration // between stdin closed and the group killed; 0 means 2 s
	// Trace, when set, sees every frame line, without its newline, in order.
	Trace func(toPlugin bool, line []byte)
}

// ServiceCall is one host.service.call of the plugin.
type ServiceCall struct {
	PluginID    string
	Service     string
	Method      string
	ExecutionID string
	Params      json.RawMessage
}

// Services answers service calls; it is called concurrently and its context
// ends with the process.
type Services func(ctx context.Context, c ServiceCall) (json.RawMessage, *protocol.Error)

// Proc is one running plugin process.
type Proc struct {
	// filled in by its builder
}

// Start launches the process; ctx bounds the start only. A command that
// cannot be found is a *fault.Error with a hint.
func Start(ctx context.Context, s Spec, h Services) (*Proc, error) { panic("not built yet") }

// Call sends a request and decodes the result into result (nil discards it).
// An error reply is a *protocol.Error. The end of ctx sends execution.cancel
// when params carry an execution_id, and returns at once.
func (p *Proc) Call(ctx context.Context, method string, params, result any) error {
	panic("not built yet")
}

// Notify sends a request without waiting for its answer.
func (p *Proc) Notify(method string, params any) error { panic("not built yet") }

// Shutdown asks the process to end: shutdown frame (2 s), stdin closed,
// grace, then the group is killed and that is the error.
func (p *Proc) Shutdown(ctx context.Context) error { panic("not built yet") }

// Kill ends the whole group at once.
func (p *Proc) Kill() { panic("not built yet") }

// Done is closed when the process is gone and its group is ended.
func (p *Proc) Done() <-chan struct{} { panic("not built yet") }

// Err says, after Done, why: nil for a clean stop, else a *fault.Error with
// code PROCESS_EXITED, STDOUT_NOISE, FRAME_UNKNOWN, FRAME_TOO_LONG or the like.
func (p *Proc) Err() error { panic("not built yet") }

// PID is the process id.
func (p *Proc) PID() int { panic("not built yet") }
