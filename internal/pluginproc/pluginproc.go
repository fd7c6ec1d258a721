// Package pluginproc runs one plugin process: frames on stdin and stdout,
// diagnostics on stderr, ended as a whole process group
// (design/protocol.md, "Process").
package pluginproc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/jsonl"
	"github.com/wuu-plugins/wuu/internal/procgroup"
	"github.com/wuu-plugins/wuu/internal/protocol"
)

// Spec says what to run.
type Spec struct {
	PluginID string
	Argv     []string // Argv[0] is looked up in PATH of Env unless it has a separator
	Env      []string // the whole environment
	Dir      string
	Stderr   io.Writer     // lines, whole; nil discards
	Timeout  time.Duration // of initialize, prepare, activate, capability.invoke; 0 means 30 s
	Grace    time.Duration // between stdin closed and the group killed; 0 means 2 s
	// Trace, when set, sees every frame line, without its newline, in order;
	// it is never called twice at the same time.
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
// ends with the process. A nil result is sent as null.
type Services func(ctx context.Context, c ServiceCall) (json.RawMessage, *protocol.Error)

// Proc is one running plugin process.
type Proc struct {
	spec     Spec
	services Services
	group    *procgroup.Group
	out      *jsonl.Writer
	stdin    *os.File
	tail     tail
	traceMu  sync.Mutex
	maxLine  int // bytes of a frame, newline included

	ctx    context.Context // of service calls; ends with the process
	cancel context.CancelFunc
	done   chan struct{}

	mu       sync.Mutex
	lastID   uint64
	pending  map[string]chan reply // by request id
	serving  int                   // service calls under way
	stopping bool                  // shutdown was asked for
	failure  *fault.Error          // the first reason to end the process
	ended    *fault.Error          // what calls get once the process is gone
	err      *fault.Error          // Err, once done is closed

	shutdown    sync.Once
	shutdownErr error
}

// Start launches the process; ctx bounds the start only. A command that
// cannot be found is a *fault.Error with a hint. h may be nil: every service
// call is then answered service_unavailable.
func Start(ctx context.Context, s Spec, h Services) (*Proc, error) {
	return start(ctx, s, h, protocol.MaxLine)
}

func start(ctx context.Context, s Spec, h Services, maxLine int) (*Proc, error) {
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	if s.Timeout <= 0 {
		s.Timeout = 30 * time.Second
	}
	if s.Grace <= 0 {
		s.Grace = procgroup.DefaultGrace
	}
	var pipes pipes
	if err := pipes.open(); err != nil {
		return nil, fault.New(fault.Plugin, "COMMAND_FAILED", s.PluginID, "make pipes: %w", err)
	}
	group, err := procgroup.Start(procgroup.Command{
		Argv: s.Argv, Env: s.Env, Dir: s.Dir, Stdin: pipes.childIn, Stdout: pipes.childOut, Stderr: pipes.childErr,
	})
	pipes.closeChild()
	if err != nil {
		pipes.closeParent()
		return nil, startError(s, err)
	}
	p := &Proc{spec: s, services: h, group: group, stdin: pipes.in, maxLine: maxLine, done: make(chan struct{}), pending: map[string]chan reply{}}
	p.ctx, p.cancel = context.WithCancel(context.Background())
	p.out = jsonl.NewWriter(pipes.in, func(line []byte) { p.trace(true, line) })
	go p.supervise(pipes.out, pipes.err)
	return p, nil
}

// startError names the plugin and, for node, says what to install.
func startError(s Spec, err error) error {
	var f *fault.Error
	if !errors.As(err, &f) {
		return fault.New(fault.Plugin, "COMMAND_FAILED", s.PluginID, "start: %w", err)
	}
	named := fault.New(f.Kind, f.Code, s.PluginID, "start %w", f).WithHint("%s", f.Hint)
	if f.Code == "COMMAND_NOT_FOUND" && isNode(s.Argv[0]) {
		named.Code = "NODE_MISSING"
		named.Hint = nodeHint
	}
	return named
}

func isNode(command string) bool {
	base := strings.ToLower(filepath.Base(command))
	return base == "node" || base == "node.exe"
}

// Done is closed when the process is gone and its group is ended.
func (p *Proc) Done() <-chan struct{} { return p.done }

// Err says, after Done, why: nil for a clean stop, else a *fault.Error with
// code PROCESS_EXITED, PROCESS_KILLED, STDOUT_NOISE, FRAME_UNKNOWN,
// FRAME_INVALID, FRAME_TOO_LONG, STDOUT_CLOSED, STDIN_CLOSED, CALL_TIMEOUT,
// PROCESS_STUCK, SHUTDOWN_UNCONFIRMED, or what Fail was given. Before Done it is nil.
func (p *Proc) Err() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err == nil {
		return nil
	}
	return clone(p.err)
}

// PID is the process id.
func (p *Proc) PID() int { return p.group.PID() }

// Leftover reports, after Done, whether the process left others of its group
// behind, which were killed then.
func (p *Proc) Leftover() bool { return p.group.Leftover() }

// Kill ends the whole group at once.
func (p *Proc) Kill() {
	p.Fail(fault.New(fault.Plugin, "PROCESS_KILLED", p.spec.PluginID, "the process was ended by the host"))
}

// Fail ends the whole group at once and makes reason the answer of Err and of
// all calls under way, unless the process has another reason already.
func (p *Proc) Fail(reason *fault.Error) {
	p.mu.Lock()
	if p.failure == nil {
		p.failure = reason
	}
	p.mu.Unlock()
	if err := p.group.Kill(); err != nil {
		p.note("cannot end the process group: " + err.Error())
	}
}

// note writes a line of the host's own among the plugin's diagnostics.
func (p *Proc) note(text string) {
	if p.spec.Stderr != nil {
		_, _ = fmt.Fprintf(p.spec.Stderr, "wuu: %s\n", text) // a log that cannot be written has no other place to say so
	}
}

func (p *Proc) trace(toPlugin bool, line []byte) {
	if p.spec.Trace == nil {
		return
	}
	p.traceMu.Lock()
	defer p.traceMu.Unlock()
	p.spec.Trace(toPlugin, line)
}

// clone keeps one caller's WithHint from changing another's error.
func clone(e *fault.Error) *fault.Error {
	c := *e
	return &c
}
