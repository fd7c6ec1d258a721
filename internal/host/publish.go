package host

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/wuu-plugins/wuu/internal/catalog"
)

// The codes of errors that say that the host itself is not there (any more), or
// answers nothing: it can neither refuse nor be waited for.
const (
	CodeHostGone   = "HOST_GONE"
	CodeHostSilent = "HOST_SILENT"
)

// Publish preflights t's next state on all hosts, commits, and lets all hosts
// adopt. A preflight refusal leaves everything as it was; an activation
// failure afterwards is in the observations (exit 7, nothing rolled back). A
// host that has gone meanwhile, or does not answer, is an observation too and stops nothing.
func Publish(ctx context.Context, t *catalog.Tx, hosts []Controller) ([]Observation, error) {
	next := t.Next()
	seen, errs := each(hosts, func(c Controller) ([]Observation, error) { return c.Preflight(ctx, next) })
	var live []Controller
	var absent []Observation
	var refused error
	for n, err := range errs {
		switch {
		case err == nil:
			live = append(live, hosts[n])
		case gone(err):
			absent = append(absent, lost(hosts[n], err))
		case refused == nil:
			refused = err
		}
	}
	if refused != nil {
		discard(ctx, live)
		return sorted(append(seen, absent...)), refused
	}
	epoch, err := t.Commit(ctx)
	if err != nil {
		discard(ctx, live)
		return nil, err
	}
	adopted, errs := each(live, func(c Controller) ([]Observation, error) { return c.Adopt(ctx, epoch) })
	for n, err := range errs {
		if err != nil {
			absent = append(absent, lost(live[n], err))
		}
	}
	return sorted(append(adopted, absent...)), nil
}

// each asks all hosts at the same time.
func each(hosts []Controller, ask func(Controller) ([]Observation, error)) ([]Observation, []error) {
	answers := make([][]Observation, len(hosts))
	errs := make([]error, len(hosts))
	var wait sync.WaitGroup
	for n, c := range hosts {
		wait.Go(func() { answers[n], errs[n] = ask(c) })
	}
	wait.Wait()
	return slices.Concat(answers...), errs
}

// discard tells hosts that nothing comes of what they prepared. It must also
// happen after the end of ctx, and what fails here ends by itself.
func discard(ctx context.Context, hosts []Controller) {
	ctx = context.WithoutCancel(ctx)
	for _, c := range hosts {
		if d, ok := c.(Discarder); ok {
			_ = d.Discard(ctx)
		}
	}
}

func gone(err error) bool {
	f := FailureOf(err)
	return f.Code == CodeHostGone || f.Code == CodeHostSilent || f.Code == CodeHostClosed
}

// lost is the observation of a host that gave none.
func lost(c Controller, err error) Observation {
	o := Observation{State: StateFailed, Err: FailureOf(err)}
	if named, ok := c.(interface{ ID() string }); ok {
		o.HostID = named.ID()
	}
	return o
}

func sorted(seen []Observation) []Observation {
	slices.SortStableFunc(seen, func(a, b Observation) int {
		if d := strings.Compare(a.HostID, b.HostID); d != 0 {
			return d
		}
		return strings.Compare(a.PluginID, b.PluginID)
	})
	return seen
}

// Failed is the first observation of a plugin, or host, that failed or is
// degraded, as an error of kind Plugin; nil when there is none. id "" means
// any plugin.
func Failed(seen []Observation, id string) error {
	for _, o := range seen {
		if (o.State == StateFailed || o.State == StateDegraded) && o.Err != nil && (id == "" || o.PluginID == id || o.PluginID == "") {
			return o.Err.Fault()
		}
	}
	return nil
}
