package catalog

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/fsx"
)

// isCommitted looks whether the state file was replaced although writing it
// reported an error.
func (c *Catalog) isCommitted(j *journal) bool {
	d, err := c.readState()
	return err == nil && d.Epoch >= j.Epoch
}

// revert brings everything back to the state before j. When it cannot, the
// journal stays for the next Begin.
func (c *Catalog) revert(ctx context.Context, j *journal) error {
	for _, m := range slices.Backward(j.Moves) {
		if err := c.undo(ctx, m); err != nil {
			return fmt.Errorf("put back %s: %w", m.Live, err)
		}
	}
	if err := c.syncParents(j); err != nil {
		return err
	}
	return c.dropJournal()
}

// finish does what is left after the commit point. It may be repeated.
func (c *Catalog) finish(j *journal) error {
	if err := c.writeEpoch(j.Epoch); err != nil {
		// Without an epoch file readers take the epoch from the state file: better
		// none, which needs no room, than one that hides the change from hosts.
		if err := c.dropEpoch(); err != nil {
			return err
		}
	}
	for _, m := range j.Moves {
		// A folder that somebody has open on Windows is left to a later sweep.
		_ = c.removeAll("drop", c.abs(m.Previous))
	}
	for _, p := range j.Purge {
		if err := c.at("purge"); err != nil {
			return err
		}
		if err := fsx.Remove(c.abs(p)); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return c.dropJournal()
}

// recover finishes or reverts the commit that an earlier process left.
func (c *Catalog) recover(ctx context.Context) ([]Repair, error) {
	j, err := c.readJournal()
	if j == nil || err != nil {
		return nil, err
	}
	d, err := c.readState()
	if err != nil {
		return nil, err
	}
	if d.Epoch >= j.Epoch {
		return []Repair{{"finished an interrupted change of", c.home.StateFile()}}, c.finish(j)
	}
	err = c.revert(context.WithoutCancel(ctx), j)
	var f *fault.Error
	if err != nil && !errors.As(err, &f) {
		err = fault.New(fault.Lock, "RECOVERY_FAILED", c.home.JournalFile(), "an interrupted change could not be reverted: %w", err).
			WithHint("correct the cause and try again; nothing was lost")
	}
	return []Repair{{"reverted an interrupted change of", c.home.StateFile()}}, err
}
