package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/wuu-plugins/wuu/internal/host"
	"github.com/wuu-plugins/wuu/internal/term"
)

type hostsDoc struct {
	Hosts []host.Status `json:"hosts"`
}

func newHostsCmd(a *App, run func(ctx context.Context, id string) error) *cobra.Command {
	return &cobra.Command{
		Use:               "hosts [id]",
		Short:             "Show what every live host runs",
		Long:              "Show what every live host runs. An empty list says nothing about whether a plugin would start.",
		Example:           "  wuu plugin hosts\n  wuu plugin hosts hello --json",
		Args:              args(cobra.MaximumNArgs(1)),
		ValidArgsFunction: a.completeIDs,
		RunE: func(cmd *cobra.Command, argv []string) error {
			id := ""
			if len(argv) > 0 {
				id = argv[0]
			}
			if run == nil {
				run = a.runHosts
			}
			return run(cmd.Context(), id)
		},
	}
}

func (a *App) runHosts(ctx context.Context, id string) error {
	clients, release := a.liveHosts(ctx)
	defer release()
	doc := hostsDoc{Hosts: []host.Status{}}
	for _, c := range clients {
		s, err := c.Status(ctx)
		if err != nil {
			a.warn("host %s: %v", c.Entry().ID, err)
			continue
		}
		s.Plugins = keepPlugin(s.Plugins, id)
		doc.Hosts = append(doc.Hosts, s)
	}
	return a.emit(doc, func(w io.Writer, s term.Style) {
		if len(doc.Hosts) == 0 {
			fmt.Fprintln(w, "no live host")
		}
		for _, h := range doc.Hosts {
			fmt.Fprintf(w, "%s %s, pid %d, generation %d\n", s.Bold(h.Product), h.ID, h.PID, h.Generation)
			for _, p := range h.Plugins {
				line := fmt.Sprintf("  %s %s  %s  %.16s", p.ID, p.Version, stateWord(s, p.State), p.Fingerprint)
				if p.Err != nil {
					line += "  " + term.Clean(p.Err.Message)
				}
				fmt.Fprintln(w, line)
			}
			if id != "" && len(h.Plugins) == 0 {
				fmt.Fprintf(w, "  does not have %s\n", term.Clean(id))
			}
		}
	})
}

func keepPlugin(list []host.PluginStatus, id string) []host.PluginStatus {
	out := []host.PluginStatus{}
	for _, p := range list {
		if id == "" || p.ID == id {
			out = append(out, p)
		}
	}
	return out
}

func stateWord(s term.Style, state string) string {
	switch state {
	case "active":
		return s.Green(state)
	case "failed", "degraded":
		return s.Red(state)
	}
	return s.Yellow(state)
}
