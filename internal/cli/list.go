package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/wuu-plugins/wuu/internal/term"
)

type listDoc struct {
	Plugins []packageRecord `json:"plugins"`
}

func newListCmd(a *App, run func(context.Context) error) *cobra.Command {
	return &cobra.Command{
		Use:     "list",
		Aliases: []string{"ls"},
		Short:   "List installed plugins and dev overrides",
		Example: "  wuu plugin list\n  wuu plugin list --json",
		Args:    args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if run == nil {
				run = a.runList
			}
			return run(cmd.Context())
		},
	}
}

func (a *App) runList(context.Context) error {
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
