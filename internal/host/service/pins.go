package service

import (
	"encoding/json"
	"maps"
	"sync"
)

// Pins are setting values that a reader has fixed. The zero value has fixed
// nothing yet.
type Pins struct {
	mu     sync.Mutex
	values map[string]json.RawMessage
}

// fix returns the fixed values; the first call decides them.
func (p *Pins) fix(now map[string]json.RawMessage) map[string]json.RawMessage {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.values == nil {
		p.values = maps.Clone(now)
		if p.values == nil {
			p.values = map[string]json.RawMessage{}
		}
	}
	return p.values
}
