package host

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/protocol"
)

// CallTool implements Controller. It returns when the tool has answered, or at
// once when ctx, the time limit or a revocation ends the execution: the plugin
// is told and never waited for. A result with is_error is a result.
func (h *Host) CallTool(ctx context.Context, c ToolCall, update func(Update)) (ToolResult, error) {
	arguments, err := checkArguments(c)
	if err != nil {
		return ToolResult{}, err
	}
	i, t, err := h.leaseTool(c)
	if err != nil {
		return ToolResult{}, err
	}
	defer i.unlease()
	if c.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, c.Timeout, errTimeLimit)
		defer cancel()
	}
	e := h.executions.open(ctx, i, Scope{Tool: t.ID, SessionID: c.SessionID}, update)
	defer h.executions.close(e)
	if h.soft.Err() != nil {
		return ToolResult{}, h.closed()
	}
	var out protocol.ToolExecuteResult
	err = i.proc.Call(e.ctx, protocol.MethodToolExecute, protocol.ToolExecuteParams{
		ToolID: t.ID, ExecutionID: e.id, SessionID: c.SessionID, Cwd: h.cwd(c),
		CallID: strings.Replace(e.id, "exec-", "call-", 1), Tool: t.public, Arguments: arguments,
	}, &out)
	if err == nil {
		err = protocol.ValidateToolResult(out.Result)
	}
	if err != nil {
		return ToolResult{}, h.callError(e, t, c, err)
	}
	return out.Result, nil
}

// checkArguments gives the arguments as a JSON object.
func checkArguments(c ToolCall) (json.RawMessage, error) {
	raw := bytes.TrimSpace(c.Arguments)
	if len(raw) == 0 {
		return json.RawMessage("{}"), nil
	}
	if raw[0] != '{' || !json.Valid(raw) {
		return nil, fault.New(fault.Usage, CodeArguments, c.Tool, "arguments must be a JSON object").
			WithHint(`for example '{"name":"Ada"}'`)
	}
	return raw, nil
}

func (h *Host) cwd(c ToolCall) string {
	if c.Cwd != "" {
		return c.Cwd
	}
	if h.o.Project != "" {
		return h.o.Project
	}
	dir, err := os.Getwd()
	if err != nil {
		return h.o.Home.Dir()
	}
	return dir
}

// leaseTool finds the tool in the current generation and leases its instance,
// both under one lock: a call reaches the old generation or the new one, never
// neither.
func (h *Host) leaseTool(c ToolCall) (*instance, tool, error) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	s, err := h.pick(c)
	if err != nil {
		return nil, tool{}, err
	}
	if s.inst == nil {
		return nil, tool{}, notRunning(s)
	}
	if err := s.inst.lease(); err != nil {
		return nil, tool{}, err
	}
	t, ok := s.inst.findTool(c.Tool)
	if !ok {
		defer s.inst.unlease()
		return nil, tool{}, unknownTool(s, c.Tool)
	}
	return s.inst, t, nil
}

// pick finds the plugin; without an id the tool's public name decides.
func (h *Host) pick(c ToolCall) (*slot, error) {
	if c.PluginID == "" {
		for _, s := range h.current.all {
			if s.inst == nil {
				continue
			}
			if t, ok := s.inst.findTool(c.Tool); ok && t.public == c.Tool {
				return s, nil
			}
		}
		return nil, fault.New(fault.Usage, CodeUnknownTool, c.Tool, "no plugin has a tool with this public name")
	}
	if s := h.current.slots[c.PluginID]; s != nil {
		return s, nil
	}
	var known []string
	for _, s := range h.current.all {
		known = append(known, s.c.id())
	}
	return nil, unknownPlugin(c.PluginID, known)
}

func (i *instance) toolList() []tool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.tools
}

// findTool takes the local id or the public name.
func (i *instance) findTool(name string) (tool, bool) {
	for _, t := range i.toolList() {
		if t.ID == name || t.public == name {
			return t, true
		}
	}
	return tool{}, false
}

// HintNotAuthorized is what to do about a service that a plugin calls without
// having asked for it.
const HintNotAuthorized = `declare it in initialize: required_services: [requireKernelService("…")]`

// callError says why a call gave no result.
func (h *Host) callError(e *execution, t tool, c ToolCall, err error) error {
	id := e.instance.id()
	if e.ctx.Err() != nil {
		switch cause := context.Cause(e.ctx); {
		case errors.Is(cause, errTimeLimit):
			return fault.New(fault.Plugin, CodeTimeout, id, "tool %s gave no answer within %s and was cancelled", t.ID, c.Timeout)
		case errors.Is(cause, errRevoked), errors.Is(cause, errClosing):
			return fault.New(fault.Plugin, CodeCancelled, id, "tool %s was cancelled: %w", t.ID, cause)
		default:
			return cause
		}
	}
	var answer *protocol.Error
	if errors.As(err, &answer) {
		failed := fault.New(fault.Plugin, CodeToolFailed, id, "tool %s: %w", t.ID, answer)
		if answer.Code == protocol.CodeServiceNotAuthorized {
			failed.Hint = HintNotAuthorized
		}
		return failed
	}
	inner := fault.As(err)
	code := inner.Code
	if inner.Kind == fault.Defect {
		code = CodeToolFailed
	}
	return &fault.Error{Kind: fault.Plugin, Code: code, Subject: id, Err: fmt.Errorf("tool %s: %w", t.ID, about(id, err)), Hint: inner.Hint}
}

func notRunning(s *slot) error {
	state, f := s.state()
	e := fault.New(fault.Plugin, CodeNotRunning, s.c.id(), "is %s: %s", state, f.Message)
	e.Hint = f.Hint
	return e
}
