package host

import (
	"context"
	"fmt"
	"time"

	"github.com/wuu-plugins/wuu/internal/fault"
)

// StatePrepared is a plugin that has passed Preflight and waits for the commit.
const StatePrepared = "prepared"

// preparedFor is how long Preflight's processes wait for an Adopt.
const preparedFor = time.Minute

// Preflight implements Controller. What must stop the publish: a plugin that
// next changes and that cannot run, or an active one that next would break.
func (h *Host) Preflight(ctx context.Context, next State) ([]Observation, error) {
	ctx, done, err := h.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	h.dropPrepared()
	p, release, err := h.plan(ctx, next)
	if err != nil {
		return nil, err
	}
	defer release()
	if err := h.refusal(p, nil); err != nil {
		return nil, err
	}
	d, err := h.draft(ctx, next, p, nil, nil)
	if err != nil {
		return nil, err
	}
	seen := h.observations(d.generation)
	for n := range seen {
		i := d.slots[seen[n].PluginID].inst
		if i != nil && i.proc != nil && !h.current.holds(i) {
			seen[n].State = StatePrepared
		}
		seen[n].Generation = h.current.number + 1
	}
	if err := h.refusal(p, d); err != nil {
		for _, i := range d.fresh {
			i.end(h.hard)
		}
		return seen, err
	}
	h.keepPrepared(d)
	return seen, nil
}

// refusal is the first reason, in plan order, why next must not be published;
// d is nil before the start.
func (h *Host) refusal(p *plan, d *draft) error {
	for _, c := range p.all {
		f := c.blocked
		if d != nil {
			f = d.slots[c.id()].failure
		}
		if f == nil || !wantedCode(f.Code) || !h.concerns(c, p) {
			continue
		}
		e := fault.New(fault.Plugin, f.Code, c.id(), "%s", f.Message).WithDetails(f)
		e.Hint = f.Hint
		if e.Hint == "" {
			e.Hint = "nothing was changed: what ran before goes on"
		}
		return e
	}
	return nil
}

// concerns says whether c not running is next's doing: next changes c, or c
// was active and next changes what c needs.
func (h *Host) concerns(c *candidate, p *plan) bool {
	if h.changes(c) {
		return true
	}
	s := h.current.slots[c.id()]
	if s == nil || s.inst == nil {
		return false
	}
	if c.blocked == nil {
		return true // it could not be started again
	}
	for _, other := range p.all {
		if other.id() == c.root && other != c {
			return wantedCandidate(other) && h.changes(other)
		}
	}
	return false // it was removed: the person asked for it
}

// changes says whether next brings another package for c's id than the one
// that is selected now, or turns it on.
func (h *Host) changes(c *candidate) bool {
	s := h.current.slots[c.id()]
	return s == nil || h.identity(s.c) != h.identity(c) || !wanted(s)
}

func wantedCandidate(c *candidate) bool { return wanted(&slot{c: c}) }

func wantedCode(code string) bool {
	return code != CodeDisabled && code != CodeUntrusted && code != CodeBroken
}

// keepPrepared holds d's processes for an Adopt that comes soon.
func (h *Host) keepPrepared(d *draft) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.prepared = d
	h.preparedAge = time.AfterFunc(preparedFor, func() {
		h.mu.Lock()
		mine := h.prepared == d
		if mine {
			h.prepared = nil
		}
		h.mu.Unlock()
		if mine {
			h.goBackground(func() {
				h.note("host", fmt.Sprintf("prepared plugins were not adopted within %s and end", preparedFor))
				for _, i := range d.fresh {
					i.shutdown()
				}
			})
		}
	})
}

// takePrepared hands the prepared instances over.
func (h *Host) takePrepared() []*instance {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.prepared == nil {
		return nil
	}
	h.preparedAge.Stop()
	pool := h.prepared.fresh
	h.prepared = nil
	return pool
}

func (h *Host) dropPrepared() {
	for _, i := range h.takePrepared() {
		i.end(h.hard)
	}
}

// Discard implements Discarder.
func (h *Host) Discard(ctx context.Context) error {
	_, done, err := h.begin(ctx)
	if err != nil {
		return err
	}
	defer done()
	h.dropPrepared()
	return nil
}
