package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/term"
)

type listDoc struct {
	Plugins []packageRecord `json:"plugins"`
}

type listOptions struct {
	Outdated bool
	Offline  bool
}

func newListCmd(a *App, run func(context.Context, *listOptions) error) *cobra.Command {
	o := &listOptions{}
	cmd := &cobra.Command{
		Use:     "list",
		Aliases: []string{"ls"},
		Short:   "List installed plugins and dev overrides",
		Long: `List installed plugins and dev overrides. With --outdated, ask the registry that each plugin came from for
newer versions: the newest compatible one (within ^current), and the newest of all.`,
		Example: "  wuu plugin list\n  wuu plugin list --outdated\n  wuu plugin list --json",
		Args:    args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if run == nil {
				run = a.runList
			}
			return run(cmd.Context(), o)
		},
	}
	cmd.Flags().BoolVar(&o.Outdated, "outdated", false, "show newer versions in the registries that the plugins came from")
	cmd.Flags().BoolVar(&o.Offline, "offline", false, "with --outdated: know only the versions in the content store")
	return cmd
}

func (a *App) runList(ctx context.Context, o *listOptions) error {
	if o.Outdated {
		return a.runOutdated(ctx, o.Offline)
	}
	if o.Offline {
		return fault.New(fault.Usage, "USAGE", "", "--offline goes with --outdated: list itself asks nobody")
	}
	state, err := a.catalog().Snapshot()
	if err != nil {
		return err
	}
	doc := listDoc{Plugins: []packageRecord{}}
	for _, r := range append(state.Plugins, state.Dev...) {
		doc.Plugins = append(doc.Plugins, installedRecord(r, installedLock(r)))
	}
	return a.emit(doc, func(w io.Writer, s term.Style) {
		if len(doc.Plugins) == 0 {
			fmt.Fprintln(w, "no plugins installed")
			return
		}
		over := map[string]bool{}
		for _, r := range state.Dev {
			over[r.ID] = r.Broken == ""
		}
		for _, r := range doc.Plugins {
			word := r.word(s)
			if over[r.ID] && !r.Dev {
				word += ", overridden by dev"
			}
			fmt.Fprintf(w, "%s %s  %s  %s\n", s.Bold(r.ID), r.Version, word, s.Dim(term.Clean(a.where(r))))
		}
	})
}

// word is a plugin's state in one or two words.
func (r packageRecord) word(s term.Style) string {
	switch {
	case r.Broken != "":
		return s.Red("broken: " + term.Clean(r.Broken))
	case r.Dev:
		return s.Cyan("dev")
	case !r.Trusted:
		return s.Yellow("not trusted")
	case !r.Enabled:
		return s.Yellow("disabled")
	default:
		return s.Green("enabled")
	}
}

// where is a source as it means something from the working directory.
func (a *App) where(r packageRecord) string {
	if r.Source.Path != "" {
		return a.rel(r.Source.Path)
	}
	return r.Source.Spec
}
