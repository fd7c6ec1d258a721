package host

import (
	"context"
	"slices"

	"github.com/wuu-plugins/wuu/internal/fault"
)

// Start plans s and activates it as the first generation. Plugins that fail
// are observations, never an error.
func (h *Host) Start(ctx context.Context, s State) ([]Observation, error) {
	ctx, done, err := h.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	return h.become(ctx, s, nil)
}

// Adopt implements Controller. What is committed gets adopted even when the
// caller goes away: the end of ctx ends the waiting only.
func (h *Host) Adopt(ctx context.Context, epoch uint64) ([]Observation, error) {
	type answer struct {
		seen []Observation
		err  error
	}
	answers := make(chan answer, 1)
	detached := context.WithoutCancel(ctx)
	if !h.goBackground(func() {
		seen, err := h.adopt(detached, epoch)
		answers <- answer{seen, err}
	}) {
		return nil, h.closed()
	}
	select {
	case a := <-answers:
		return a.seen, a.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// goBackground runs f unless the host has been closed.
func (h *Host) goBackground(f func()) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.isClosed {
		return false
	}
	h.background.Go(f)
	return true
}

func (h *Host) adopt(ctx context.Context, epoch uint64) ([]Observation, error) {
	ctx, done, err := h.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	s, err := h.catalog.Snapshot()
	if err != nil {
		return nil, err
	}
	if s.Epoch < epoch {
		return nil, fault.New(fault.Plugin, CodeHostStale, h.id, "epoch %d is not there yet: the catalog is at %d", epoch, s.Epoch)
	}
	return h.become(ctx, s, nil)
}

// Reload implements Controller: new processes for the plugin, or for all,
// from the newest committed state. When the new process fails and the old one
// is well, the old one goes on serving and the observation says "failed".
func (h *Host) Reload(ctx context.Context, id string) ([]Observation, error) {
	ctx, done, err := h.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	s := h.current.state
	if newest, err := h.catalog.Snapshot(); err == nil && newest.Epoch > s.Epoch {
		s = newest
	}
	if id != "" && !slices.ContainsFunc(s.Selected(), func(r record) bool { return r.ID == id }) {
		return nil, unknownPlugin(id, ids(s))
	}
	return h.become(ctx, s, func(other string) bool { return id == "" || id == other })
}

// become makes s the current generation.
func (h *Host) become(ctx context.Context, s State, renew func(string) bool) ([]Observation, error) {
	p, release, err := h.plan(ctx, s)
	if err != nil {
		return nil, err
	}
	defer release()
	pool := h.takePrepared()
	d, err := h.draft(ctx, s, p, pool, renew)
	if err != nil {
		for _, i := range pool {
			i.shutdown()
		}
		return nil, err
	}
	for _, i := range pool {
		if !d.holds(i) {
			i.shutdown()
		}
	}
	kept := h.keepServing(d, renew)
	for _, i := range d.fresh {
		i.activate(h.soft) // committed: only the host's own end stops it
	}
	h.swap(d)
	seen := h.observations(d.generation)
	for n := range seen {
		if f := kept[seen[n].PluginID]; f != nil {
			seen[n].State, seen[n].Err = StateFailed, f
		}
	}
	return seen, nil
}

// keepServing puts the old instance of a reloaded plugin back into d where
// the new one failed, and returns those failures.
func (h *Host) keepServing(d *draft, renew func(string) bool) map[string]*Failure {
	kept := map[string]*Failure{}
	if renew == nil {
		return kept
	}
	for _, sl := range d.order {
		old := h.current.slots[sl.c.id()]
		if sl.inst != nil || old == nil || old.inst == nil || !renew(sl.c.id()) {
			continue
		}
		if old.inst.identity != h.identity(sl.c) || !old.inst.healthy() {
			continue
		}
		f := *sl.failure
		f.Hint = "the process from before still serves"
		kept[sl.c.id()] = &f
		sl.inst, sl.failure, sl.failed = old.inst, nil, false
	}
	return kept
}

// swap makes d current, unless it is what is current already, and lets go of
// the instances that it has not: at once where the plugin is not to run any
// more, else when their executions have ended.
func (h *Host) swap(d *draft) {
	h.mu.Lock()
	old := h.current
	d.number = old.number
	if len(d.fresh) > 0 || old.number == 0 || !sameSlots(old, d.generation) {
		d.number++
	}
	for _, i := range d.fresh {
		i.setGeneration(d.number)
	}
	h.current = d.generation
	var gone []*instance
	for _, i := range old.instances() {
		if !d.holds(i) {
			gone = append(gone, i)
		}
	}
	h.retired = append(h.retired, gone...)
	h.mu.Unlock()

	revoked := h.takeRetired(func(i *instance) bool { return !wanted(d.slots[i.id()]) })
	for _, i := range revoked {
		i.revoke()
	}
	for _, i := range gone {
		if !slices.Contains(revoked, i) {
			i.retire()
		}
	}
	for _, i := range d.fresh {
		if _, f := i.state(); f != nil {
			i.shutdown() // degraded: nothing serves from it
		}
	}
	h.background.Go(h.prune)
}

// wanted says whether the plugin is still meant to run, whatever keeps it
// from running now.
func wanted(s *slot) bool {
	if s == nil {
		return false
	}
	switch f := s.c.blocked; {
	case f == nil:
		return true
	default:
		return f.Code != CodeDisabled && f.Code != CodeUntrusted && f.Code != CodeBroken
	}
}

// sameSlots says whether two generations hold the same instances and reasons.
func sameSlots(a, b *generation) bool {
	if len(a.all) != len(b.all) {
		return false
	}
	for _, s := range a.all {
		o := b.slots[s.c.id()]
		if o == nil || o.inst != s.inst || o.c.rec.Fingerprint != s.c.rec.Fingerprint || (o.failure == nil) != (s.failure == nil) {
			return false
		}
	}
	return true
}

func (i *instance) setGeneration(n uint64) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.number = n
}

// takeRetired removes and returns the retired instances that pick chooses;
// the ones that have ended are forgotten.
func (h *Host) takeRetired(pick func(*instance) bool) []*instance {
	h.mu.Lock()
	defer h.mu.Unlock()
	var taken, rest []*instance
	for _, i := range h.retired {
		select {
		case <-i.ended:
			continue
		default:
		}
		if pick(i) {
			taken = append(taken, i)
		} else {
			rest = append(rest, i)
		}
	}
	h.retired = rest
	return taken
}
