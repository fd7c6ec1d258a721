package cli

import (
	"context"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/wuu-plugins/wuu/internal/scaffold"
	"github.com/wuu-plugins/wuu/internal/term"
)

type createOptions struct {
	Name   string
	Type   string
	Output string
}

func newCreateCmd(a *App, run func(context.Context, *createOptions) error) *cobra.Command {
	o := &createOptions{}
	cmd := &cobra.Command{
		Use:   "create <name>",
		Short: "Make a new plugin",
		Example: `  wuu plugin create hello
  wuu plugin create panel --type desktop
  wuu plugin create tool --type single --output tool.ts`,
		Args: args(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, argv []string) error {
			o.Name = argv[0]
			if run == nil {
				run = a.runCreate
			}
			return run(cmd.Context(), o)
		},
	}
	cmd.Flags().StringVar(&o.Type, "type", "agent", "`agent`, desktop, full or single")
	choices(cmd, "type", "agent", "desktop", "full", "single")
	cmd.Flags().StringVar(&o.Output, "output", "", "folder (for single: file) to make, `PATH` (default ./<name>)")
	return cmd
}

func (a *App) runCreate(ctx context.Context, o *createOptions) error {
	target := o.Output
	if target == "" {
		target = o.Name
		if o.Type == "single" {
			target += ".ts"
		}
	}
	if !filepath.IsAbs(target) {
		target = filepath.Join(a.Dir, target)
	}
	result, err := scaffold.Create(ctx, scaffold.Options{Name: o.Name, Type: o.Type, Dir: target, From: a.Dir})
	if err != nil {
		return err
	}
	return a.emit(result, func(w io.Writer, s term.Style) {
		fmt.Fprintf(w, "%s %s\n", s.Green("created"), a.rel(result.Path))
		for _, f := range result.Files {
			fmt.Fprintf(w, "  %s\n", f)
		}
		if a.quiet {
			return
		}
		fmt.Fprintln(w, "next:")
		for _, line := range result.Next {
			fmt.Fprintf(w, "  %s\n", s.Cyan(line))
		}
	})
}
