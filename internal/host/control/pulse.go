package control

import (
	"context"
	"time"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/host"
)

const (
	// pulseEvery is how often a host that works on a request is asked whether
	// it is there.
	pulseEvery = 2 * time.Second
	// silence is how long it may owe that answer: it gives it beside its work.
	silence = 5 * time.Second
)

// watched is ctx that ends with HOST_SILENT when the host answers nothing any
// more: one that is stopped or stuck would hold its callers for ever. stop must
// be called.
func (c *Client) watched(ctx context.Context) (_ context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		tick := time.NewTicker(pulseEvery)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			ask, done := context.WithTimeoutCause(ctx, silence, silent(c.entry, silence))
			var s host.Status
			err := c.exchange(ask, methodStatus, struct{}{}, &s, nil, nil)
			done()
			if err != nil {
				cancel(err) // of no effect when ctx has ended
				return
			}
		}
	}()
	return ctx, func() { cancel(nil) }
}

// silent is the error about a host that does not answer.
func silent(e Entry, limit time.Duration) *fault.Error {
	return fault.New(fault.Plugin, host.CodeHostSilent, e.ID, "the host (%s, process %d) did not answer within %s", e.Product, e.PID, limit).
		WithHint("it is stuck or stopped; end process %d if it stays so", e.PID)
}
