package protocol

import (
	"bytes"
	"encoding/json"

	"github.com/wuu-plugins/wuu/internal/fault"
)

// IsRequest reports whether f asks for something; every other frame is a
// response.
func (f Frame) IsRequest() bool { return f.Method != "" }

// ParseFrame decides what one line is. The same rules hold in both directions:
// a request is {id, method, params?} with params an object, a response is {id}
// with exactly one of result (null counts) and error. Members it does not know
// are ignored. The error is a *fault.Error with code FrameUnknown, or
// FrameInvalid when the line is a malformed request whose id can be answered;
// then the returned frame carries that id.
func ParseFrame(line []byte) (Frame, error) {
	var m map[string]json.RawMessage
	if err := json.Unmarshal(line, &m); err != nil {
		if json.Valid(line) {
			return Frame{}, unknown("the line is JSON but not an object")
		}
		return Frame{}, fault.New(fault.Plugin, FrameNotJSON, "", "the line is not JSON")
	}
	if m == nil {
		return Frame{}, unknown("the line is null")
	}
	f := Frame{Params: m["params"], Result: m["result"]}
	idOK := stringMember(m["id"], &f.ID) && f.ID != ""
	if method, ok := m["method"]; ok {
		return parseRequest(f, m, method, idOK)
	}
	return parseResponse(f, m, idOK)
}

func parseRequest(f Frame, m map[string]json.RawMessage, method json.RawMessage, idOK bool) (Frame, error) {
	if !idOK {
		return Frame{}, unknown("a request needs an id that is a non-empty string")
	}
	_, hasResult := m["result"]
	_, hasError := m["error"]
	params, hasParams := m["params"]
	switch {
	case !stringMember(method, &f.Method) || f.Method == "":
		return Frame{ID: f.ID}, invalid("method must be a non-empty string")
	case hasResult || hasError:
		return Frame{ID: f.ID}, invalid("a request carries neither result nor error")
	case hasParams && !isObject(params):
		return Frame{ID: f.ID}, invalid("params must be an object")
	}
	return f, nil
}

func parseResponse(f Frame, m map[string]json.RawMessage, idOK bool) (Frame, error) {
	_, hasResult := m["result"]
	rawError, hasError := m["error"]
	_, hasParams := m["params"]
	switch {
	case !hasResult && !hasError:
		return Frame{}, unknown("the object has neither method nor result nor error")
	case !idOK:
		return Frame{}, unknown("a response needs an id that is a non-empty string")
	case hasResult && hasError:
		return Frame{}, unknown("a response carries result or error, not both")
	case hasParams:
		return Frame{}, unknown("a response carries no params")
	}
	if hasError {
		f.Error = parseError(rawError)
		if f.Error == nil {
			return Frame{}, unknown("error must be an object with a message, a string, and at most a code, a string")
		}
	}
	return f, nil
}

func parseError(raw json.RawMessage) *Error {
	var m map[string]json.RawMessage
	if json.Unmarshal(raw, &m) != nil || m == nil {
		return nil
	}
	var e Error
	if !stringMember(m["message"], &e.Message) {
		return nil
	}
	if code, ok := m["code"]; ok && !stringMember(code, &e.Code) {
		return nil
	}
	return &e
}

// ParseServiceCall decodes the params of host.service.call. Its error is the
// answer to give; it never ends the process.
func ParseServiceCall(params json.RawMessage) (ServiceCallParams, *Error) {
	var p ServiceCallParams
	if !isObject(params) {
		return p, &Error{CodeInvalidRequest, MethodServiceCall + " needs params, an object"}
	}
	if err := json.Unmarshal(params, &p); err != nil {
		return p, &Error{CodeInvalidRequest, "params of " + MethodServiceCall + ": " + err.Error()}
	}
	switch {
	case p.Service == "":
		return p, &Error{CodeInvalidRequest, MethodServiceCall + " needs service, a non-empty string"}
	case p.Method == "":
		return p, &Error{CodeInvalidRequest, MethodServiceCall + " needs method, a non-empty string"}
	case len(p.Params) > 0 && !isObject(p.Params):
		return p, &Error{CodeInvalidParams, "params of " + p.Service + " must be an object"}
	}
	return p, nil
}

// stringMember decodes raw, which may be absent, as a JSON string.
func stringMember(raw json.RawMessage, into *string) bool {
	return len(raw) > 0 && raw[0] == '"' && json.Unmarshal(raw, into) == nil
}

func isObject(raw json.RawMessage) bool {
	raw = bytes.TrimLeft(raw, " \t\r\n")
	return len(raw) > 0 && raw[0] == '{'
}

func unknown(format string, args ...any) error {
	return fault.New(fault.Plugin, FrameUnknown, "", format, args...)
}

func invalid(format string, args ...any) error {
	return fault.New(fault.Plugin, FrameInvalid, "", format, args...)
}
