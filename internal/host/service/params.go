package service

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"

	"github.com/wuu-plugins/wuu/internal/protocol"
)

// params is a decoded parameter object. encoding/json alone would take
// members in any letter case, twice, and unknown ones.
type params map[string]json.RawMessage

// decode reads raw as one JSON object that has every required member, maybe
// the optional ones, and no other. Absent parameters are the empty object.
func decode(raw json.RawMessage, required, optional []string) (params, *protocol.Error) {
	if len(raw) == 0 {
		raw = json.RawMessage("{}")
	}
	p, err := members(raw)
	if err != nil {
		return nil, invalid("params: %v", err)
	}
	for name := range p {
		if !slices.Contains(required, name) && !slices.Contains(optional, name) {
			return nil, invalid("params: unknown member %q", short(name))
		}
	}
	for _, name := range required {
		if _, ok := p[name]; !ok {
			return nil, invalid("params: %q is missing", name)
		}
	}
	return p, nil
}

// members splits a JSON object; a member that comes twice is an error.
func members(raw []byte) (params, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return nil, errors.New("must be a JSON object")
	}
	p := params{}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, errors.New("must be a JSON object")
		}
		name := key.(string) // a Decoder gives nothing else at this place
		if _, twice := p[name]; twice {
			return nil, errors.New("member " + short(name) + " comes twice")
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, errors.New("must be a JSON object")
		}
		p[name] = value
	}
	if _, err := d.Token(); err != nil {
		return nil, errors.New("must be a JSON object")
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("something follows the object")
	}
	return p, nil
}

// text returns a member that must be a string; "" when it is absent.
func (p params) text(name string) (string, *protocol.Error) {
	s, err := p.textOrNull(name)
	if err != nil {
		return "", err
	}
	if s == nil {
		if _, present := p[name]; present {
			return "", invalid("params: %q must be a string", name)
		}
		return "", nil
	}
	return *s, nil
}

// textOrNull returns a member that must be a string or null.
func (p params) textOrNull(name string) (*string, *protocol.Error) {
	raw, ok := p[name]
	if !ok {
		return nil, nil
	}
	var s *string
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, invalid("params: %q must be a string", name)
	}
	return s, nil
}
