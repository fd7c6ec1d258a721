package catalog

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/filelock"
	"github.com/wuu-plugins/wuu/internal/fsx"
)

// Tx is one mutation of the catalog under the lease. It is for one goroutine.
type Tx struct {
	c       *Catalog
	ctx     context.Context // Begin's: bounds the hashing of staged packages
	lease   *filelock.Held
	repairs []Repair

	epoch uint64   // before
	base  document // before
	seen  State    // base with roots and broken packages
	next  document // after
	moves []pending
	purge []string // relative to the home
	own   []*Stage // made by the transaction itself
	done  bool     // committed, or tried to
}

// pending is a folder that Commit will move.
type pending struct {
	live  string // absolute
	from  string // absolute; empty for a removal
	print string // fingerprint of from
	stage *Stage
}

// Repair is something that Begin found broken and mended. What is a phrase
// like "reverted an unfinished change".
type Repair struct {
	What string `json:"what"`
	Path string `json:"path"`
}

// Begin takes the lease without waiting (kind Busy when another process holds
// it), finishes or reverts an interrupted commit, and sweeps dead stages. ctx
// also bounds the hashing that Put and PutDev do.
func (c *Catalog) Begin(ctx context.Context) (*Tx, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	lease, err := c.takeLease()
	if err != nil {
		return nil, err
	}
	t := &Tx{c: c, ctx: ctx, lease: lease}
	if err := t.open(ctx); err != nil {
		return nil, errors.Join(ioFault(c.home.Dir(), "mend the catalog", err), lease.Unlock())
	}
	return t, nil
}

func (c *Catalog) takeLease() (*filelock.Held, error) {
	path := c.home.LeaseFile()
	if err := errors.Join(c.home.Ensure(), privateDir(c.home.State())); err != nil {
		return nil, ioFault(c.home.State(), "make the state folder", err)
	}
	lease, err := filelock.TryLock(path, "")
	var busy *filelock.BusyError
	if errors.As(err, &busy) {
		return nil, fault.New(fault.Busy, "CATALOG_BUSY", c.home.Dir(), "%s is changing the plugin catalog", busy.Holder).
			WithHint("try again when it has ended").WithDetails(busy.Holder)
	}
	if err != nil {
		return nil, damaged(path, err)
	}
	return lease, nil
}

// open brings the home in order and reads it.
func (t *Tx) open(ctx context.Context) (err error) {
	if t.repairs, err = t.c.recover(ctx); err != nil {
		return err
	}
	t.repairs = append(t.repairs, t.c.sweep()...)
	v, err := t.c.view()
	if err != nil {
		return err
	}
	t.epoch, t.base, t.next = v.epoch(), v.doc, v.doc.clone()
	if v.epochFile < t.epoch {
		if err := t.mendEpoch(); err != nil {
			return err
		}
	}
	t.seen = t.c.fill(ctx, v)
	return nil
}

// mendEpoch writes the epoch file again. That it was missing is no news: a
// commit on a full disk does without.
func (t *Tx) mendEpoch() error {
	there, err := fsx.Exists(t.c.home.EpochFile())
	if err != nil {
		return err
	}
	if err := t.c.writeEpoch(t.epoch); err != nil {
		return t.c.dropEpoch()
	}
	if there {
		t.repairs = append(t.repairs, Repair{fmt.Sprintf("set the epoch to %d in", t.epoch), t.c.home.EpochFile()})
	}
	return nil
}

// Repairs lists what Begin mended.
func (t *Tx) Repairs() []Repair { return t.repairs }

// Next is the state that Commit will make: what hosts preflight. Staged
// packages have their stage as Root.
func (t *Tx) Next() State {
	s := State{Epoch: t.epoch, Plugins: stored(t.next.Plugins), Dev: stored(t.next.Dev)}
	if t.changed() {
		s.Epoch++
	}
	for i := range s.Plugins {
		t.place(&s.Plugins[i], t.seen.Plugins, t.c.home.Plugin(s.Plugins[i].ID), "")
	}
	for i := range s.Dev {
		t.place(&s.Dev[i], t.seen.Dev, t.c.home.Dev(s.Dev[i].ID), generationName)
	}
	return s
}

// place fills in where r's package is now: in its stage, or where it was seen
// when the transaction began.
func (t *Tx) place(r *Record, seen []Record, live, sub string) {
	if p := t.pending(live); p != nil {
		r.Root = filepath.Join(p.from, sub)
	} else if was := find(seen, r.ID); was != nil {
		r.Root, r.Broken = was.Root, was.Broken
	}
}

func (t *Tx) pending(live string) *pending {
	for i := range t.moves {
		if t.moves[i].live == live {
			return &t.moves[i]
		}
	}
	return nil
}

// plan adds a move; a later one for the same place replaces it.
func (t *Tx) plan(p pending) {
	t.moves = append(slices.DeleteFunc(t.moves, func(was pending) bool { return was.live == p.live }), p)
}

// planRemoval adds the removal of what stands at live. When nothing does, it
// only takes back what the transaction meant to put there.
func (t *Tx) planRemoval(live string) error {
	there, err := fsx.Exists(live)
	if err != nil {
		return err
	}
	t.plan(pending{live: live})
	if !there {
		t.moves = t.moves[:len(t.moves)-1]
	}
	return nil
}

func (t *Tx) changed() bool {
	return len(t.moves) > 0 || len(t.purge) > 0 || !t.next.same(t.base)
}

// usable is checked by every step.
func (t *Tx) usable() error {
	if t.lease == nil || t.done {
		return errors.New("catalog: the transaction is over")
	}
	return nil
}

// Close gives the lease back; before Commit nothing has happened. It may be
// called more than once.
func (t *Tx) Close() error {
	if t.lease == nil {
		return nil
	}
	var err error
	for _, s := range t.own {
		err = errors.Join(err, s.Close())
	}
	err = errors.Join(err, t.lease.Unlock())
	t.lease = nil
	return err
}
