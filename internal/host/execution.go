package host

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"sync"

	"github.com/wuu-plugins/wuu/internal/host/service"
)

// Reasons for which the host itself ends executions; they travel to the plugin.
var (
	errTimeLimit = errors.New("time limit")
	errRevoked   = errors.New("plugin disabled or removed")
	errClosing   = errors.New("host is closing")
)

// execution is one running call. Its id never comes back.
type execution struct {
	id       string
	instance *instance
	scope    Scope
	ctx      context.Context // ends with the execution, the cause is the reason
	cancel   context.CancelCauseFunc
	pins     service.Pins

	mu     sync.Mutex
	closed bool
	last   *Update
	update func(Update) // nil when nobody listens
}

// Update implements service.Execution.
func (e *execution) Update(message string, detail json.RawMessage) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return
	}
	e.last = &Update{ExecutionID: e.id, Message: message, Detail: detail}
	if e.update != nil {
		e.update(*e.last)
	}
}

// Pins implements service.Execution.
func (e *execution) Pins() *service.Pins { return &e.pins }

// bind returns ctx ending also with the execution.
func (e *execution) bind(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(e.ctx, func() { cancel(context.Cause(e.ctx)) })
	return ctx, func() {
		stop()
		cancel(nil)
	}
}

// executions are the running calls of one host.
type executions struct {
	mu   sync.Mutex
	last uint64
	live map[string]*execution
}

// open starts an execution on i; its context ends with ctx or with close.
func (x *executions) open(ctx context.Context, i *instance, scope Scope, update func(Update)) *execution {
	ctx, cancel := context.WithCancelCause(ctx)
	x.mu.Lock()
	defer x.mu.Unlock()
	x.last++
	e := &execution{
		id: "exec-" + strconv.FormatUint(x.last, 10), instance: i, scope: scope,
		ctx: ctx, cancel: cancel, update: update,
	}
	if x.live == nil {
		x.live = map[string]*execution{}
	}
	x.live[e.id] = e
	return e
}

// close ends e: no update is passed on after it returns.
func (x *executions) close(e *execution) {
	x.mu.Lock()
	delete(x.live, e.id)
	x.mu.Unlock()
	e.cancel(context.Canceled)
	e.mu.Lock()
	e.closed = true
	e.mu.Unlock()
}

func (x *executions) find(id string) *execution {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.live[id]
}

// cancel ends, with reason, the executions that pick chooses.
func (x *executions) cancel(reason error, pick func(*execution) bool) {
	for _, e := range x.all() {
		if pick(e) {
			e.cancel(reason)
		}
	}
}

func (x *executions) all() []*execution {
	x.mu.Lock()
	defer x.mu.Unlock()
	out := make([]*execution, 0, len(x.live))
	for _, e := range x.live {
		out = append(out, e)
	}
	return out
}

// Executions lists what runs now, by generation and id. Reading the list keeps
// nothing alive.
func (h *Host) Executions() []Execution {
	out := []Execution{}
	for _, e := range h.executions.all() {
		e.mu.Lock()
		last := e.last
		e.mu.Unlock()
		out = append(out, Execution{
			GenerationID: e.instance.generation(), ID: e.id, PluginID: e.instance.id(),
			Scope: e.scope, Progress: last, Retained: e.instance.isRetired(),
		})
	}
	slices.SortFunc(out, func(a, b Execution) int {
		return cmp.Or(cmp.Compare(a.GenerationID, b.GenerationID), cmp.Compare(len(a.ID), len(b.ID)), cmp.Compare(a.ID, b.ID))
	})
	return out
}
