// Package control is a host's control channel: JSON-RPC 2.0, one object a
// line, over a private Unix socket that is found through state/hosts/
// (design/host.md, "Control channel"). The same socket type is used on
// Windows, which has it since version 10 1803.
package control

import (
	"bytes"
	"encoding/json"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/host"
)

// Methods. The notifications are execution/update, to the client, and
// tool/cancel, to the host.
const (
	methodStatus     = "host/status"
	methodStop       = "host/stop"
	methodList       = "plugin/list"
	methodPreflight  = "plugin/preflight"
	methodAdopt      = "plugin/adopt"
	methodDiscard    = "plugin/discard"
	methodReload     = "plugin/reload"
	methodExecutions = "plugin/executions/list"
	methodCall       = "tool/call"
	methodCancel     = "tool/cancel"
	methodUpdate     = "execution/update"
)

// maxLine bounds one message in bytes, newline included.
const maxLine = 64 << 20

// codeFault is the JSON-RPC error code of every *fault.Error; its own code is
// in the data. The others are JSON-RPC's.
const (
	codeFault          = -32000
	codeParse          = -32700
	codeInvalidRequest = -32600
	codeMethodNotFound = -32601
	codeInvalidParams  = -32602
)

// message is one line of either direction.
type message struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"` // a number or a string; absent in notifications
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *rpcError       `json:"error,omitempty"`
}

type rpcError struct {
	Code    int           `json:"code"`
	Message string        `json:"message"`
	Data    *host.Failure `json:"data,omitempty"`
}

// err turns a received error into a *fault.Error.
func (e *rpcError) err() error {
	if e.Data != nil {
		return e.Data.Fault()
	}
	return fault.New(fault.Plugin, "HOST_PROTOCOL", "", "the host answered with error %d: %s", e.Code, e.Message).
		WithHint("is the host of another wuu version? stop it and start it again")
}

// failed describes err for the wire.
func failed(err error) *rpcError {
	f := host.FailureOf(err)
	return &rpcError{Code: codeFault, Message: fault.As(err).Error(), Data: f}
}

// Parameters and results that are not host's own types.
type (
	stateParams struct {
		State host.State `json:"state"`
	}
	epochParams struct {
		Epoch uint64 `json:"epoch"`
	}
	reloadParams struct {
		ID string `json:"id"`
	}
	cancelParams struct {
		Call   json.RawMessage `json:"call"` // the id of the tool/call
		Reason string          `json:"reason,omitempty"`
	}
	updateParams struct {
		Call json.RawMessage `json:"call"`
		host.Update
	}
	// observed carries the error beside the observations that explain it.
	observed struct {
		Observations []host.Observation `json:"observations"`
		Error        *host.Failure      `json:"error,omitempty"`
	}
	pluginList struct {
		Plugins []host.PluginStatus `json:"plugins"`
	}
	executionList struct {
		Executions []host.Execution `json:"executions"`
	}
)

// encode writes m as one line, without escaping what only HTML would need.
func encode(m message) ([]byte, error) {
	m.Version = "2.0"
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(m); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}

// raw encodes a part of a message.
func raw(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimRight(b.Bytes(), "\n"), err
}
