package cli

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/host"
	"github.com/wuu-plugins/wuu/internal/term"
)

type reloadOptions struct {
	ID   string
	Wait time.Duration
}

type reloadDoc struct {
	Hosts []host.Observation `json:"hosts"`
}

func newReloadCmd(a *App, run func(context.Context, *reloadOptions) error) *cobra.Command {
	o := &reloadOptions{}
	cmd := &cobra.Command{
		Use:               "reload <id>",
		Short:             "Start a plugin's process again on every live host",
		Example:           "  wuu plugin reload hello\n  wuu plugin reload hello --wait 5s",
		Args:              args(cobra.ExactArgs(1)),
		ValidArgsFunction: a.completeIDs,
		RunE: func(cmd *cobra.Command, argv []string) error {
			if err := checkLimit("wait", o.Wait); err != nil {
				return err
			}
			o.ID = argv[0]
			if run == nil {
				run = a.runReload
			}
			return run(cmd.Context(), o)
		},
	}
	cmd.Flags().DurationVar(&o.Wait, "wait", 30*time.Second, "give up on a host after this `DURATION`")
	return cmd
}

func (a *App) runReload(ctx context.Context, o *reloadOptions) error {
	clients, release := a.liveHosts(ctx)
	defer release()
	if len(clients) == 0 {
		return fault.New(fault.Plugin, "NO_HOST", o.ID, "no live host to reload it on").
			WithHint("start one with: wuu host run")
	}
	doc := reloadDoc{Hosts: []host.Observation{}}
	var failed error
	for _, c := range clients {
		limited, cancel := context.WithTimeoutCause(ctx, o.Wait,
			fault.New(fault.Plugin, "TIMEOUT", c.Entry().ID, "the host (%s, process %d) did not finish within %s", c.Entry().Product, c.Entry().PID, o.Wait).
				WithHint("give it longer with --wait"))
		seen, err := c.Reload(limited, o.ID)
		cancel()
		if err != nil {
			seen = []host.Observation{{HostID: c.Entry().ID, PluginID: o.ID, State: "failed", Err: host.FailureOf(err)}}
		}
		doc.Hosts = append(doc.Hosts, seen...)
		if failed == nil {
			failed = host.Failed(seen, o.ID)
		}
	}
	err := a.emit(doc, func(w io.Writer, s term.Style) {
		for _, seen := range doc.Hosts {
			if seen.PluginID != o.ID && (seen.Err == nil || seen.Err.Kind == fault.Done) {
				continue
			}
			why := ""
			if seen.Err != nil && seen.Err.Kind == fault.Done { // a failure is told below
				why = ": " + term.Clean(seen.Err.Message)
			}
			fmt.Fprintf(w, "%s %s on host %s, generation %d%s\n", stateWord(s, seen.State), seen.PluginID, seen.HostID, seen.Generation, why)
		}
	})
	if err == nil && failed != nil {
		return a.reportedAfter(failed)
	}
	return err
}
