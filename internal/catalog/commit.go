package catalog

import (
	"context"
	"errors"
	"path/filepath"
	"slices"

	"github.com/wuu-plugins/wuu/internal/fsx"
)

// Commit makes every staged change durable, or none, and advances the epoch.
// Without any change it returns the epoch as it is. An error means that the
// catalog is as before; what could not be tidied after the commit point is
// left to the next Begin and is no error.
func (t *Tx) Commit(ctx context.Context) (epoch uint64, err error) {
	if err := t.usable(); err != nil {
		return 0, err
	}
	if !t.changed() {
		return t.epoch, nil
	}
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	t.done = true
	if err := t.commit(ctx); err != nil {
		return 0, ioFault(t.c.home.Dir(), "change the catalog", err)
	}
	return t.epoch + 1, nil
}

func (t *Tx) commit(ctx context.Context) error {
	c := t.c
	if err := t.settle(); err != nil {
		return err
	}
	j, err := t.journal()
	if err != nil {
		return err
	}
	if err := c.writeJournal(j); err != nil {
		return errors.Join(err, c.dropJournal())
	}
	// From here on, ctx does not matter: half a commit helps nobody.
	ctx = context.WithoutCancel(ctx)
	err = c.carryOut(j)
	if err == nil {
		err = c.writeState(t.nextDocument(j.Epoch))
	}
	if err != nil && !c.isCommitted(j) {
		return errors.Join(err, c.revert(ctx, j))
	}
	if err := c.finish(j); err != nil {
		return nil // committed; the journal stays, and the next Begin goes on
	}
	return nil
}

// settle makes the staged packages durable with one sync, and releases them
// for the move.
func (t *Tx) settle() error {
	staged := false
	for _, p := range t.moves {
		if p.stage != nil {
			staged = true
			if err := p.stage.release(); err != nil {
				return err
			}
		}
		if err := privateDir(filepath.Dir(p.live)); err != nil {
			return err
		}
	}
	if !staged {
		return nil
	}
	if err := t.c.at("sync"); err != nil {
		return err
	}
	return fsx.SyncFS(t.c.home.Staging())
}

func (t *Tx) journal() (*journal, error) {
	j := &journal{Schema: stateSchema, Epoch: t.epoch + 1, Moves: []move{}, Purge: t.purge}
	if j.Purge == nil {
		j.Purge = []string{}
	}
	for _, p := range t.moves {
		had, err := fsx.Exists(p.live)
		if err != nil {
			return nil, err
		}
		if !had && p.from == "" {
			continue
		}
		dir, id := filepath.Split(p.live)
		m := move{
			Live: t.c.rel(p.live), Had: had, Fingerprint: p.print,
			Previous: t.c.rel(filepath.Join(dir, fsx.RandomName(previousPrefix+id+"-"))),
		}
		if p.from != "" {
			m.Staged = t.c.rel(p.from)
		}
		j.Moves = append(j.Moves, m)
	}
	return j, nil
}

func (t *Tx) nextDocument(epoch uint64) document {
	d := t.next.clone()
	d.Epoch = epoch
	return d
}

// carryOut moves the folders and makes their new names durable, before the
// state file can name them.
func (c *Catalog) carryOut(j *journal) error {
	for _, m := range j.Moves {
		if err := c.do(m); err != nil {
			return err
		}
	}
	return c.syncParents(j)
}

func (c *Catalog) syncParents(j *journal) error {
	if err := c.at("sync-names"); err != nil {
		return err
	}
	var dirs []string
	for _, m := range j.Moves {
		dirs = append(dirs, filepath.Dir(c.abs(m.Live)))
	}
	slices.Sort(dirs)
	for _, dir := range slices.Compact(dirs) {
		if err := fsx.SyncDir(dir); err != nil {
			return err
		}
	}
	return nil
}
