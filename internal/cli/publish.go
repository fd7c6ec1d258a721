package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/wuu-plugins/wuu/internal/catalog"
	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/host"
	"github.com/wuu-plugins/wuu/internal/term"
	"github.com/wuu-plugins/wuu/registry"
)

// publish preflights a transaction on every live host, commits it and lets
// the hosts adopt it. observed receives what they saw; an activation failure
// after the commit is an error with code ACTIVATION_FAILED (exit 7).
func (a *App) publish(ctx context.Context, tx *catalog.Tx, id string, observed *[]host.Observation) error {
	clients, release := a.liveHosts(ctx)
	defer release()
	seen, err := host.Publish(ctx, tx, controllers(clients))
	*observed = append(*observed, seen...)
	if err != nil {
		return err
	}
	if failed := host.Failed(seen, id); failed != nil {
		return fault.New(fault.Plugin, "ACTIVATION_FAILED", id, "published, activation failed: %w", failed).
			WithHint("correct the plugin and publish again, or: wuu plugin reload %s", id)
	}
	return nil
}

// published tells an activation failure, where the change stands, from a
// publish that did not happen.
func published(err error) bool { return err == nil || fault.As(err).Code == "ACTIVATION_FAILED" }

// reportedAfter prints an error below a result that is already on stdout;
// under --json the result's hosts say it, and only the exit code is left.
func (a *App) reportedAfter(err error) error {
	e := fault.As(err)
	if !a.json {
		a.fail(err) //nolint:errcheck // it returns its argument
	}
	return reported{e}
}

// reportRepairs says what the transaction mended, and sweeps dead downloads.
func (a *App) reportRepairs(tx *catalog.Tx) {
	for _, r := range tx.Repairs() {
		a.warn("an earlier run was interrupted: %s %s", r.What, r.Path)
	}
	for _, path := range registry.OpenStore(a.home.Cache(), a.config.CacheMax, a.Now).Sweep() {
		a.warn("an earlier run was interrupted: removed the leftover %s", path)
	}
}

// writeObservations prints what the hosts saw of the plugin id, and which other
// plugins a change has broken; those that run as before are no news.
func writeObservations(w io.Writer, s term.Style, id string, seen []host.Observation) {
	for _, o := range seen {
		if o.PluginID != id && (o.Err == nil || o.Err.Kind == fault.Done) {
			continue
		}
		line := fmt.Sprintf("  host %s: %s %s, generation %d", o.HostID, o.PluginID, o.State, o.Generation)
		if o.Err != nil {
			line += ": " + s.Red(term.Clean(o.Err.Message))
		}
		fmt.Fprintln(w, line)
	}
}

// askConsent shows what a package is and may do, and asks.
func (a *App) askConsent(ctx context.Context, r packageRecord, need catalog.ConsentNeeded) (bool, error) {
	s := a.IO.ErrStyle()
	a.IO.Status().Clear()
	fmt.Fprintf(a.IO.Err, "%s %s from %s\n", s.Bold(term.Clean(r.ID)), term.Clean(r.Version), term.Clean(r.Source.Spec))
	switch need.Reason {
	case "identity":
		if need.Previous != nil {
			fmt.Fprintf(a.IO.Err, "  the installed one came from %s\n", term.Clean(need.Previous.Spec))
		}
	case "capabilities":
		fmt.Fprintf(a.IO.Err, "  this version can also: %s\n", term.Clean(strings.Join(need.Added, ", ")))
	}
	for _, line := range capabilityLines(need.Capabilities) {
		if line[1] != "" {
			fmt.Fprintf(a.IO.Err, "  %s %s\n", s.Dim(fmt.Sprintf("%-14s", line[0])), term.Clean(line[1]))
		}
	}
	fmt.Fprintln(a.IO.Err, "  A plugin runs with your rights; wuu does not confine it.")
	return a.IO.Confirm(ctx, "Trust and enable it?")
}
