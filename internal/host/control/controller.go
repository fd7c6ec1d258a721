package control

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/host"
)

// Status implements host.Controller.
func (c *Client) Status(ctx context.Context) (host.Status, error) {
	var s host.Status
	err := c.call(ctx, methodStatus, struct{}{}, &s, nil, nil)
	return s, err
}

// Plugins lists the plugins of the host's current generation.
func (c *Client) Plugins(ctx context.Context) ([]host.PluginStatus, error) {
	var l pluginList
	err := c.call(ctx, methodList, struct{}{}, &l, nil, nil)
	return l.Plugins, err
}

// Executions lists what runs on the host now.
func (c *Client) Executions(ctx context.Context) ([]host.Execution, error) {
	var l executionList
	err := c.call(ctx, methodExecutions, struct{}{}, &l, nil, nil)
	return l.Executions, err
}

// Preflight implements host.Controller.
func (c *Client) Preflight(ctx context.Context, next host.State) ([]host.Observation, error) {
	return c.observe(ctx, methodPreflight, stateParams{next})
}

// Adopt implements host.Controller.
func (c *Client) Adopt(ctx context.Context, epoch uint64) ([]host.Observation, error) {
	return c.observe(ctx, methodAdopt, epochParams{epoch})
}

// Reload implements host.Controller.
func (c *Client) Reload(ctx context.Context, id string) ([]host.Observation, error) {
	return c.observe(ctx, methodReload, reloadParams{id})
}

func (c *Client) observe(ctx context.Context, method string, params any) ([]host.Observation, error) {
	var o observed
	if err := c.call(ctx, method, params, &o, nil, nil); err != nil {
		return nil, err
	}
	if o.Error != nil {
		return o.Observations, o.Error.Fault()
	}
	return o.Observations, nil
}

// Discard implements host.Discarder.
func (c *Client) Discard(ctx context.Context) error {
	return c.call(ctx, methodDiscard, struct{}{}, &struct{}{}, nil, nil)
}

// CallTool implements host.Controller. The end of ctx cancels the call on the
// host and returns at once; update is never called after the return. While
// update runs, nothing else is read from the host.
func (c *Client) CallTool(ctx context.Context, t host.ToolCall, update func(host.Update)) (host.ToolResult, error) {
	var r host.ToolResult
	err := c.call(ctx, methodCall, t, &r, update, func(id json.RawMessage, why error) {
		p, err := raw(cancelParams{Call: id, Reason: why.Error()})
		if err != nil {
			return
		}
		if line, err := encode(message{Method: methodCancel, Params: p}); err == nil {
			_ = c.out.Post(line) // a connection that is gone cancels as well
		}
	})
	return r, err
}

// Stop asks the host to end. A host that is gone before its answer has arrived
// did what was asked.
func (c *Client) Stop(ctx context.Context) error {
	err := c.call(ctx, methodStop, struct{}{}, &struct{}{}, nil, nil)
	var f *fault.Error
	if errors.As(err, &f) && f.Code == host.CodeHostGone {
		return nil
	}
	return err
}
