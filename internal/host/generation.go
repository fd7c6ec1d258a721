package host

import (
	"context"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/host/service"
)

// slot is one selected package in a generation.
type slot struct {
	c    *candidate
	inst *instance // nil when it does not run
	// failure says why it does not run; nil with an instance.
	failure *Failure
	failed  bool // failure is the package's fault, not a condition around it
}

func (s *slot) state() (string, *Failure) {
	switch {
	case s.inst != nil:
		return s.inst.state()
	case s.failed:
		return StateFailed, s.failure
	}
	return StateInactive, s.failure
}

// generation is the set of selected packages that is, or may become, current.
type generation struct {
	number uint64
	state  State
	order  []*slot // providers first; the ones that do not run are not in it
	slots  map[string]*slot
	all    []*slot // by id
}

// instances are the ones at work, providers first.
func (g *generation) instances() []*instance {
	var out []*instance
	for _, s := range g.order {
		if s.inst != nil {
			out = append(out, s.inst)
		}
	}
	return out
}

func (g *generation) holds(i *instance) bool {
	s := g.slots[i.id()]
	return s != nil && s.inst == i
}

// draft is a generation in the making and the instances started for it.
type draft struct {
	*generation
	fresh []*instance // initialised and prepared, not activated
}

// draft builds a generation from p: unchanged healthy instances are kept,
// prepared ones of pool are used, what failed before fails again without
// another try, and all others are started. renew asks for a new process. An
// error is the end of ctx alone, and then nothing that was started is left.
func (h *Host) draft(ctx context.Context, s State, p *plan, pool []*instance, renew func(id string) bool) (*draft, error) {
	d := &draft{generation: newGeneration(s, p)}
	var started []*slot
	for _, sl := range d.order {
		if h.keep(sl, pool, renew) {
			continue
		}
		inst, f := h.launch(ctx, sl.c)
		if ctx.Err() != nil {
			break
		}
		if f != nil {
			h.note(sl.c.id(), "failed: "+f.Message)
			sl.failure, sl.failed = f, true
			continue
		}
		sl.inst = inst
		started = append(started, sl)
	}
	for _, sl := range started {
		if f := sl.inst.prepare(ctx); f != nil {
			h.note(sl.c.id(), "failed: "+f.Message)
			sl.inst.end(h.hard)
			sl.inst, sl.failure, sl.failed = nil, f, true
		}
	}
	if ctx.Err() != nil {
		for _, sl := range started {
			if sl.inst != nil {
				sl.inst.end(h.hard)
			}
		}
		return nil, context.Cause(ctx)
	}
	for _, sl := range d.order {
		if sl.inst != nil && !h.current.holds(sl.inst) {
			d.fresh = append(d.fresh, sl.inst)
		}
	}
	return d, nil
}

func newGeneration(s State, p *plan) *generation {
	g := &generation{state: s, slots: map[string]*slot{}}
	for _, c := range p.all {
		sl := &slot{c: c, failure: c.blocked, failed: c.failed}
		g.slots[c.id()] = sl
		g.all = append(g.all, sl)
	}
	for _, c := range p.order {
		g.order = append(g.order, g.slots[c.id()])
	}
	return g
}

// keep fills sl without starting anything, if that can be.
func (h *Host) keep(sl *slot, pool []*instance, renew func(string) bool) bool {
	want := h.identity(sl.c)
	for _, i := range pool {
		if i.id() == sl.c.id() && i.identity == want && i.usable() {
			sl.inst = i
			return true
		}
	}
	old := h.current.slots[sl.c.id()]
	if renew != nil && renew(sl.c.id()) || old == nil || h.identity(old.c) != want {
		return false
	}
	if old.inst != nil {
		sl.inst = old.inst // crashed or degraded ones too: reload renews them
		return true
	}
	if old.c.blocked == nil {
		sl.failure, sl.failed = old.failure, true
		return true
	}
	return false
}

// usable says whether a prepared instance is still there to be activated.
func (i *instance) usable() bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.failure == nil && !i.closing
}

// identity is what an instance for c would be.
func (h *Host) identity(c *candidate) identity {
	return identity{c.rec.Fingerprint, h.subject(c), c.rec.Dev}
}

// subject is the storage identity of c: a dev override of an installed plugin
// keeps the installed one's.
func (h *Host) subject(c *candidate) string {
	if c.rec.StorageSubject != "" {
		return c.rec.StorageSubject
	}
	return service.Subject(c.id(), c.standalone)
}

// observations describe g as it is now.
func (h *Host) observations(g *generation) []Observation {
	out := []Observation{}
	for _, s := range g.all {
		state, f := s.state()
		out = append(out, Observation{
			HostID: h.id, PluginID: s.c.id(), Fingerprint: s.c.rec.Fingerprint,
			Generation: g.number, State: state, Err: f,
		})
	}
	return out
}

// closed is the error of a host that has ended.
func (h *Host) closed() error {
	return fault.New(fault.Plugin, CodeHostClosed, h.id, "the host is closing")
}
