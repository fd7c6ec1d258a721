package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/host"
	"github.com/wuu-plugins/wuu/internal/host/control"
	"github.com/wuu-plugins/wuu/internal/term"
)

const hostProduct = "wuu host"

func newHostCmd(a *App) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "host",
		Short:   "Keep a host running that serves all enabled plugins",
		Example: "  wuu host run\n  wuu host stop",
	}
	return group(cmd, newHostRunCmd(a, nil), newHostStopCmd(a, nil))
}

func newHostRunCmd(a *App, run func(context.Context) error) *cobra.Command {
	return &cobra.Command{
		Use:     "run",
		Short:   "Run a host in the foreground until Ctrl-C or wuu host stop",
		Example: "  wuu host run\n  wuu host run --home /tmp/try &",
		Args:    args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if run == nil {
				run = a.runHost
			}
			return run(cmd.Context())
		},
	}
}

type hostDoc struct {
	ID      string              `json:"id"`
	PID     int                 `json:"pid"`
	Plugins []host.PluginStatus `json:"plugins"`
}

func (a *App) runHost(ctx context.Context) error {
	state, err := a.catalog().Snapshot()
	if err != nil {
		return err
	}
	h, _, closeHost, err := a.embed(ctx, hostProduct, state, nil)
	if err != nil {
		return err
	}
	defer closeHost()
	running, stop := context.WithCancel(ctx)
	defer stop()
	server, err := control.Serve(a.home, h, a.Getenv, stop)
	if err != nil {
		return err
	}
	defer server.Close()
	status, err := h.Status(ctx)
	if err != nil {
		return err
	}
	err = a.emit(hostDoc{status.ID, status.PID, orEmpty(status.Plugins)}, func(w io.Writer, s term.Style) {
		fmt.Fprintf(w, "%s %s, pid %d\n", s.Green("running"), status.ID, status.PID)
		for _, p := range status.Plugins {
			line := fmt.Sprintf("  %s %s  %s", p.ID, p.Version, stateWord(s, p.State))
			if p.Err != nil {
				line += "  " + term.Clean(p.Err.Message)
			}
			fmt.Fprintln(w, line)
		}
	})
	if err != nil {
		return err
	}
	err = h.Follow(running)
	if ctx.Err() != nil {
		a.note("stopping")
		return reported{fault.As(context.Cause(ctx))}
	}
	if running.Err() != nil {
		return nil // wuu host stop
	}
	return err
}

type hostStopDoc struct {
	Stopped []string `json:"stopped"`
}

func newHostStopCmd(a *App, run func(ctx context.Context, id string) error) *cobra.Command {
	return &cobra.Command{
		Use:     "stop [host-id]",
		Short:   "End the hosts that wuu host run started",
		Example: "  wuu host stop",
		Args:    args(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, argv []string) error {
			id := ""
			if len(argv) > 0 {
				id = argv[0]
			}
			if run == nil {
				run = a.runHostStop
			}
			return run(cmd.Context(), id)
		},
	}
}

func (a *App) runHostStop(ctx context.Context, id string) error {
	clients, release := a.liveHosts(ctx)
	defer release()
	doc := hostStopDoc{Stopped: []string{}}
	for _, c := range clients {
		e := c.Entry()
		if e.ID != id && (id != "" || e.Product != hostProduct) {
			continue
		}
		if err := c.Stop(ctx); err != nil {
			return err
		}
		doc.Stopped = append(doc.Stopped, e.ID)
	}
	if id != "" && len(doc.Stopped) == 0 {
		return fault.New(fault.Usage, "NO_HOST", id, "is no live host").WithHint("see: wuu plugin hosts")
	}
	return a.emit(doc, func(w io.Writer, s term.Style) {
		if len(doc.Stopped) == 0 {
			fmt.Fprintln(w, "no live host")
		}
		for _, id := range doc.Stopped {
			fmt.Fprintf(w, "%s %s\n", s.Green("stopped"), id)
		}
	})
}
