package pluginproc

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"time"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/jsonl"
	"github.com/wuu-plugins/wuu/internal/protocol"
)

// maxServing bounds the service calls of one process that run at the same
// time; further ones are refused, so that a runaway plugin costs itself only.
const maxServing = 1024

// readFrames handles stdout until its end or the first line that is no frame.
func (p *Proc) readFrames(stdout io.Reader) {
	lines := jsonl.NewReader(stdout, p.maxLine)
	for {
		line, err := lines.Next()
		if err != nil {
			p.streamEnded(err)
			return
		}
		p.trace(false, line)
		f, err := protocol.ParseFrame(line)
		switch {
		case err != nil:
			p.badFrame(f.ID, line, err)
			return
		case f.IsRequest():
			p.request(f)
		default:
			p.response(f)
		}
	}
}

// streamEnded turns the end of stdout into the reason why the process must go.
func (p *Proc) streamEnded(err error) {
	var bad *jsonl.LineError
	switch {
	case !errors.As(err, &bad):
		p.awaitExit("STDOUT_CLOSED", "stdout")
		return
	case bad.Reason == jsonl.Truncated:
		// The process died while it wrote; its exit says more.
		p.trace(false, bad.Head)
		p.awaitExit("STDOUT_CLOSED", "stdout")
		return
	case bad.Reason == jsonl.TooLong:
		p.trace(false, bad.Head)
		p.Fail(fault.New(fault.Plugin, protocol.FrameTooLong, p.spec.PluginID,
			"a line on stdout exceeds %d bytes; it begins %s", bad.Limit, bad.Shown()).
			WithHint("send large data in parts, or as a file"))
		return
	}
	p.trace(false, bad.Head)
	text := "a line on stdout is " + string(bad.Reason) + ": " + bad.Shown()
	if len(bad.Head) == 0 {
		text = "an empty line on stdout"
	}
	p.Fail(fault.New(fault.Plugin, protocol.FrameNotJSON, p.spec.PluginID, "%s; stdout is for protocol frames only", text).
		WithHint("write diagnostics to stderr: console.error instead of console.log"))
}

// awaitExit gives a process that closed a stream the grace time to exit: most
// do it at the same moment.
func (p *Proc) awaitExit(code, stream string) {
	timer := time.NewTimer(p.spec.Grace)
	defer timer.Stop()
	select {
	case <-p.group.Done():
	case <-timer.C:
		p.Fail(fault.New(fault.Plugin, code, p.spec.PluginID, "the process closed its %s and lives on%s", stream, p.tail.text()))
	}
}

// badFrame ends the process; a request whose id is known gets its answer first.
func (p *Proc) badFrame(id string, line []byte, err error) {
	e := fault.As(err)
	shown := (&jsonl.LineError{Head: line[:min(len(line), 200)]}).Shown()
	if id != "" {
		ctx, cancel := context.WithTimeout(p.ctx, time.Second)
		p.answer(ctx, id, nil, &protocol.Error{Code: protocol.CodeInvalidRequest, Message: e.Error()})
		cancel()
	}
	p.Fail(fault.New(fault.Plugin, e.Code, p.spec.PluginID,
		"a line on stdout is no frame: %w: %s; stdout is for protocol frames only", e.Err, shown).
		WithHint(`a frame is {"id", "method", "params"}, {"id", "result"} or {"id", "error"}; write logs, JSON too, to stderr`))
}

// response hands an answer to its call; one that nobody waits for is dropped.
func (p *Proc) response(f protocol.Frame) {
	p.mu.Lock()
	answer := p.pending[f.ID]
	delete(p.pending, f.ID)
	p.mu.Unlock()
	if answer != nil {
		answer <- reply{f.Result, f.Error}
	}
}

// request answers a request of the plugin, each on a goroutine of its own: a
// service that waits must not hold up the others.
func (p *Proc) request(f protocol.Frame) {
	if f.Method != protocol.MethodServiceCall {
		p.refuse(f.ID, &protocol.Error{Code: protocol.CodeMethodNotFound, Message: "the host has no method " + f.Method})
		return
	}
	call, bad := protocol.ParseServiceCall(f.Params)
	if bad != nil {
		p.refuse(f.ID, bad)
		return
	}
	if p.services == nil {
		p.refuse(f.ID, &protocol.Error{Code: protocol.CodeServiceUnavailable, Message: "this host has no services"})
		return
	}
	if !p.admit() {
		p.refuse(f.ID, &protocol.Error{Code: protocol.CodeLimitExceeded, Message: "too many service calls at the same time"})
		return
	}
	go func() {
		defer p.release()
		result, err := p.services(p.ctx, ServiceCall{
			PluginID: p.spec.PluginID, Service: call.Service, Method: call.Method,
			ExecutionID: call.ExecutionID, Params: call.Params,
		})
		p.answer(p.ctx, f.ID, result, err)
	}()
}

func (p *Proc) admit() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.serving >= maxServing {
		return false
	}
	p.serving++
	return true
}

func (p *Proc) release() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.serving--
}

// answer sends a response and waits until it is written.
func (p *Proc) answer(ctx context.Context, id string, result json.RawMessage, e *protocol.Error) {
	// An error means that the process is going away: nobody reads the answer.
	_ = p.out.Write(ctx, p.encodeResponse(id, result, e))
}

// refuse sends an error from the reading loop, which must not wait. A plugin
// that sends bad requests by the thousand and never reads is ended.
func (p *Proc) refuse(id string, e *protocol.Error) {
	if err := p.out.Post(p.encodeResponse(id, nil, e)); errors.Is(err, jsonl.ErrBacklog) {
		p.Fail(fault.New(fault.Plugin, "PROCESS_STUCK", p.spec.PluginID, "the process sends requests and does not read their answers"))
	}
}

// encodeResponse encodes an answer; a result that cannot be sent becomes an error.
func (p *Proc) encodeResponse(id string, result json.RawMessage, e *protocol.Error) []byte {
	if e == nil && result == nil {
		result = json.RawMessage("null")
	}
	f := protocol.Frame{ID: id, Result: result, Error: e}
	if e != nil {
		f.Result = nil
	}
	line, err := json.Marshal(f)
	switch {
	case err != nil:
		return p.encodeResponse(id, nil, &protocol.Error{Code: protocol.CodeHostError, Message: "the host's result cannot be encoded"})
	case len(line) >= p.maxLine:
		return p.encodeResponse(id, nil, &protocol.Error{Code: protocol.CodeLimitExceeded, Message: "the result exceeds the limit of a frame"})
	}
	return line
}
