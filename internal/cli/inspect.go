package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/wuu-plugins/wuu/internal/term"
)

type inspectOptions struct {
	Spec   string
	Files  bool
	Verify bool
	Source sourceFlags
}

type inspectDoc struct {
	packageRecord
	Files []packedFile `json:"files,omitempty"`
}

func newInspectCmd(a *App, run func(context.Context, *inspectOptions) error) *cobra.Command {
	o := &inspectOptions{}
	cmd := &cobra.Command{
		Use:   "inspect <spec|id>",
		Short: "Show what a package holds and may do, without installing it",
		Example: `  wuu plugin inspect hello-0.1.0.zip --files
  wuu plugin inspect --json npm:wuu-hello@0.1.0
  wuu plugin inspect --verify hello`,
		Args:              args(cobra.ExactArgs(1)),
		ValidArgsFunction: a.completeIDs,
		RunE: func(cmd *cobra.Command, argv []string) error {
			o.Spec = argv[0]
			if run == nil {
				run = a.runInspect
			}
			return run(cmd.Context(), o)
		},
	}
	cmd.Flags().BoolVar(&o.Files, "files", false, "list every file with its size, mode and hash")
	cmd.Flags().BoolVar(&o.Verify, "verify", false, "hash the files of an installed `id` again")
	o.Source.addTo(cmd)
	return cmd
}

func (a *App) runInspect(ctx context.Context, o *inspectOptions) error {
	if o.Verify {
		return a.verifyInstalled(ctx, o.Spec)
	}
	p, err := a.openSound(ctx, o.Spec, o.Source)
	if err != nil {
		return err
	}
	defer p.Close()
	doc := inspectDoc{packageRecord: p.record()}
	if o.Files {
		doc.Files = newPackDoc(p).Files
	}
	return a.emit(doc, func(w io.Writer, s term.Style) {
		a.writeFindings(w, s, p.findings, p.content)
		fmt.Fprintf(w, "%s %s\n", s.Bold(doc.ID), doc.Version)
		doc.writeDetails(w, s)
		for _, f := range doc.Files {
			fmt.Fprintf(w, "  %s %10s  %s  %s\n", f.Mode, term.Size(f.Size), f.SHA256[:16], f.Path)
		}
	})
}
