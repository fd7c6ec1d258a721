package service

import (
	"context"

	"github.com/wuu-plugins/wuu/internal/protocol"
)

// NameUpdate reports the progress of a live execution.
const NameUpdate = "execution.update"

// Limits of one progress report.
const (
	maxUpdateMessage = 64 << 10 // bytes
	maxUpdateDetail  = 1 << 20  // bytes of JSON
)

type updates struct{}

func (u updates) register(set Set) { set.add(NameUpdate, Method{Do: u.update}) }

func (u updates) update(_ context.Context, c Call) (any, *protocol.Error) {
	p, perr := decode(c.Params, []string{"execution_id"}, []string{"message", "detail"})
	if perr != nil {
		return nil, asRequest(perr)
	}
	id, perr := p.text("execution_id")
	if perr != nil {
		return nil, asRequest(perr)
	}
	message, perr := p.text("message")
	if perr != nil {
		return nil, asRequest(perr)
	}
	if len(message) > maxUpdateMessage || len(p["detail"]) > maxUpdateDetail {
		return nil, Errorf(protocol.CodeLimitExceeded, "a progress message may have %d bytes and its detail %d", maxUpdateMessage, maxUpdateDetail)
	}
	e, perr := c.Find(id)
	if perr != nil {
		return nil, perr
	}
	e.Update(message, p["detail"])
	return struct{}{}, nil
}

// asRequest gives bad parameters the code that this one service uses for them
// (reference/wuu-facts.md §4).
func asRequest(e *protocol.Error) *protocol.Error {
	return &protocol.Error{Code: protocol.CodeInvalidRequest, Message: e.Message}
}
