package control

import (
	"bytes"
	"context"
	"encoding/json"

	"github.com/wuu-plugins/wuu/internal/host"
)

// dispatch answers one request.
func (c *conn) dispatch(ctx context.Context, m message) (any, *rpcError) {
	h := c.server.host
	switch m.Method {
	case methodStatus:
		s, err := h.Status(ctx)
		return result(s, err)
	case methodList:
		s, err := h.Status(ctx)
		return result(pluginList{s.Plugins}, err)
	case methodExecutions:
		return executionList{h.Executions()}, nil
	case methodPreflight:
		var p stateParams
		if bad := decode(m.Params, &p); bad != nil {
			return nil, bad
		}
		seen, err := h.Preflight(ctx, p.State)
		return observed{seen, host.FailureOf(err)}, nil
	case methodAdopt:
		var p epochParams
		if bad := decode(m.Params, &p); bad != nil {
			return nil, bad
		}
		seen, err := h.Adopt(ctx, p.Epoch)
		return observed{seen, host.FailureOf(err)}, nil
	case methodReload:
		var p reloadParams
		if bad := decode(m.Params, &p); bad != nil {
			return nil, bad
		}
		seen, err := h.Reload(ctx, p.ID)
		return observed{seen, host.FailureOf(err)}, nil
	case methodDiscard:
		return result(struct{}{}, h.Discard(ctx))
	case methodCall:
		return c.callTool(ctx, m)
	case methodStop:
		return struct{}{}, nil
	}
	return nil, &rpcError{Code: codeMethodNotFound, Message: "unknown method " + m.Method}
}

func (c *conn) callTool(ctx context.Context, m message) (any, *rpcError) {
	var call host.ToolCall
	if bad := decode(m.Params, &call); bad != nil {
		return nil, bad
	}
	answer, err := c.server.host.CallTool(ctx, call, func(u host.Update) {
		if p, err := raw(updateParams{m.ID, u}); err == nil {
			c.send(message{Method: methodUpdate, Params: p})
		}
	})
	return result(answer, err)
}

func result(v any, err error) (any, *rpcError) {
	if err != nil {
		return nil, failed(err)
	}
	return v, nil
}

// decode reads parameters; a member that the host does not know is an error,
// since it would change what the client means.
func decode(params json.RawMessage, into any) *rpcError {
	if len(params) == 0 {
		params = json.RawMessage("{}")
	}
	d := json.NewDecoder(bytes.NewReader(params))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return &rpcError{Code: codeInvalidParams, Message: err.Error()}
	}
	return nil
}
