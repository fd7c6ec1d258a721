package pluginproc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/jsonl"
	"github.com/wuu-plugins/wuu/internal/protocol"
)

// shutdownLimit is how long the answer to shutdown may take.
const shutdownLimit = 2 * time.Second

type reply struct {
	result json.RawMessage
	err    *protocol.Error
}

// errLimit is the cancel cause of the package's own time limits.
var errLimit = errors.New("time limit of the method")

// Call sends a request and decodes the result into result (nil discards it).
// Any number of calls may run at once. An error reply is a *protocol.Error.
// The end of ctx sends execution.cancel when params carry an execution_id, and
// returns the cause of ctx at once; the late answer is dropped. A process that
// ends during the call gives a *fault.Error. A result of the wrong shape is a
// *fault.Error with code RESULT_INVALID, and the process lives on.
//
// initialize, prepare, activate and capability.invoke have Spec.Timeout as
// their limit; passing it ends the process with code CALL_TIMEOUT.
func (p *Proc) Call(ctx context.Context, method string, params, result any) error {
	id, answer, line, err := p.register(method, params)
	if err != nil {
		return err
	}
	defer p.forget(id)
	limit := p.limit(method)
	if limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, limit, errLimit)
		defer cancel()
	}
	if err := p.out.Write(ctx, line); err != nil && context.Cause(ctx) == nil && !errors.Is(err, jsonl.ErrClosed) {
		p.awaitExit("STDIN_CLOSED", "stdin")
	}
	select {
	case r := <-answer:
		return p.decode(method, r, result)
	case <-p.done:
	case <-ctx.Done():
		return p.abandon(ctx, method, params, limit)
	}
	select {
	case r := <-answer: // written just before the exit
		return p.decode(method, r, result)
	default:
		return p.endedError()
	}
}

// Notify sends a request without waiting for its answer.
func (p *Proc) Notify(method string, params any) error {
	id, _, line, err := p.register(method, params)
	if err != nil {
		return err
	}
	p.forget(id)
	if err := p.out.Post(line); err != nil {
		return fault.New(fault.Plugin, "PROCESS_STUCK", p.spec.PluginID, "send %s: %w", method, err)
	}
	return nil
}

func (p *Proc) limit(method string) time.Duration {
	switch method {
	case protocol.MethodInitialize, protocol.MethodPrepare, protocol.MethodActivate, protocol.MethodCapabilityInvoke:
		return p.spec.Timeout
	}
	return 0
}

// register encodes the request and makes room for its answer.
func (p *Proc) register(method string, params any) (id string, answer chan reply, line []byte, err error) {
	p.mu.Lock()
	p.lastID++
	id = strconv.FormatUint(p.lastID, 10)
	p.mu.Unlock()
	if line, err = p.encode(id, method, params); err != nil {
		return "", nil, nil, err
	}
	answer = make(chan reply, 1)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended != nil {
		return "", nil, nil, clone(p.ended)
	}
	p.pending[id] = answer
	return id, answer, line, nil
}

// encode writes the envelope by hand: params can be large, and encoding them
// as a member would check and copy them once more.
func (p *Proc) encode(id, method string, params any) ([]byte, error) {
	line := []byte(`{"id":"` + id + `","method":` + strconv.Quote(method))
	if params != nil {
		raw, err := json.Marshal(params)
		if err != nil {
			return nil, fmt.Errorf("encode params of %s: %w", method, err)
		}
		line = append(append(line, `,"params":`...), raw...)
	}
	line = append(line, '}')
	if len(line) >= p.maxLine {
		return nil, fault.New(fault.Plugin, protocol.FrameTooLong, p.spec.PluginID,
			"%s needs a frame of %d bytes, the limit is %d", method, len(line)+1, p.maxLine)
	}
	return line, nil
}

func (p *Proc) forget(id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.pending, id)
}

func (p *Proc) endedError() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return clone(p.ended)
}

// abandon gives up a call whose context ended.
func (p *Proc) abandon(ctx context.Context, method string, params any, limit time.Duration) error {
	cause := context.Cause(ctx)
	if errors.Is(cause, errLimit) {
		late := fault.New(fault.Plugin, "CALL_TIMEOUT", p.spec.PluginID, "%s was not answered within %s%s",
			method, limit, p.tail.text()).
			WithHint("answer sooner, or raise runtime.timeout in plugin.json")
		p.Fail(late)
		return clone(late)
	}
	if id := executionID(params); id != "" {
		err := p.Notify(protocol.MethodExecutionCancel, protocol.CancelParams{ExecutionID: id, Reason: cause.Error()})
		if err != nil {
			p.note("cannot cancel " + id + ": " + err.Error())
		}
	}
	return fmt.Errorf("%s %s: %w", p.spec.PluginID, method, cause)
}

// executionID finds the execution_id member of params, whatever their type.
func executionID(params any) string {
	switch t := params.(type) {
	case nil:
		return ""
	case protocol.ToolExecuteParams:
		return t.ExecutionID
	case *protocol.ToolExecuteParams:
		return t.ExecutionID
	case protocol.CancelParams:
		return ""
	}
	raw, err := json.Marshal(params)
	if err != nil {
		return ""
	}
	var m struct {
		ExecutionID string `json:"execution_id"`
	}
	if json.Unmarshal(raw, &m) != nil {
		return ""
	}
	return m.ExecutionID
}

func (p *Proc) decode(method string, r reply, into any) error {
	if r.err != nil {
		return r.err
	}
	if into == nil {
		return nil
	}
	if err := json.Unmarshal(r.result, into); err != nil {
		return fault.New(fault.Plugin, "RESULT_INVALID", p.spec.PluginID, "the answer to %s has the wrong shape: %w", method, protocol.ShapeError(err))
	}
	return nil
}
