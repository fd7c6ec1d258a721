package host

import (
	"context"
	"time"
)

// followEvery is how often Follow looks at the epoch.
const followEvery = 500 * time.Millisecond

// Follow adopts every committed change that nobody told the host about, until
// ctx ends. Failures are noted in the log and tried again at the next look.
func (h *Host) Follow(ctx context.Context) error {
	tick := time.NewTicker(followEvery)
	defer tick.Stop()
	said := ""
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-h.soft.Done():
			return h.closed()
		case <-tick.C:
		}
		err := h.catchUp(ctx)
		if err == nil || ctx.Err() != nil {
			said = ""
			continue
		}
		if err.Error() != said { // once, not twice a second
			said = err.Error()
			h.note("host", "follow the catalog: "+said)
		}
	}
}

// catchUp adopts when the catalog is ahead of the host.
func (h *Host) catchUp(ctx context.Context) error {
	epoch, err := h.catalog.Epoch()
	if err != nil {
		return err
	}
	h.mu.RLock()
	mine := h.current.state.Epoch
	h.mu.RUnlock()
	if epoch <= mine {
		return nil
	}
	_, err = h.Adopt(ctx, epoch)
	return err
}
