package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/term"
)

type validateOptions struct {
	Spec   string
	Strict bool
	Source sourceFlags
}

type validateDoc struct {
	OK          bool           `json:"ok"`
	ID          string         `json:"id,omitempty"`
	Version     string         `json:"version,omitempty"`
	Fingerprint string         `json:"package_fingerprint,omitempty"`
	Summary     diag.Summary   `json:"summary"`
	Findings    []diag.Finding `json:"findings"`
	Files       []string       `json:"files"`
}

func newValidateCmd(a *App, run func(context.Context, *validateOptions) error) *cobra.Command {
	o := &validateOptions{Spec: "."}
	cmd := &cobra.Command{
		Use:   "validate [path|spec]",
		Short: "Check a plugin without running it",
		Long:  "Check a plugin without running its code: will it install and load? The same code as install, on the bytes that would be packed.",
		Example: `  wuu plugin validate
  wuu plugin validate hello-0.1.0.zip
  wuu plugin validate --json npm:wuu-hello@0.1.0`,
		Args: args(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, argv []string) error {
			if len(argv) > 0 {
				o.Spec = argv[0]
			}
			if run == nil {
				run = a.runValidate
			}
			return run(cmd.Context(), o)
		},
	}
	cmd.Flags().BoolVar(&o.Strict, "strict", false, "count warnings as errors")
	o.Source.addTo(cmd)
	return cmd
}

func (a *App) runValidate(ctx context.Context, o *validateOptions) error {
	src, err := a.parseSource(ctx, o.Spec, o.Source)
	if err != nil {
		return err
	}
	p, err := a.open(ctx, src, o.Source)
	if err != nil {
		return err
	}
	defer p.Close()
	if p.pkg != nil {
		if err := p.warnOfSecrets(ctx, a); err != nil {
			return err
		}
	}
	if o.Strict {
		for i := range p.findings {
			if p.findings[i].Severity == diag.Warning {
				p.findings[i].Severity = diag.Error
			}
		}
	}
	doc := validateDoc{Findings: orEmpty(p.findings), Files: []string{}, Summary: diag.Count(p.findings)}
	doc.OK = doc.Summary.Errors == 0
	if p.pkg != nil {
		doc.ID, doc.Version, doc.Fingerprint = p.pkg.ID, p.pkg.Version, p.pkg.Fingerprint
	}
	if p.report != nil {
		doc.Files = orEmpty(p.report.Files)
	}
	err = a.emit(doc, func(w io.Writer, s term.Style) {
		a.writeFindings(w, s, p.findings, p.masked)
		if doc.OK {
			fmt.Fprintf(w, "%s %s %s\n", s.Green("valid"), doc.ID, doc.Version)
			fmt.Fprintf(w, "  %d files, fingerprint %s\n", len(p.pkg.Files), doc.Fingerprint)
		} else {
			fmt.Fprintf(w, "%s %s\n", s.Red("invalid"), term.Clean(o.Spec))
		}
	})
	switch {
	case err != nil:
		return err
	case doc.OK:
		return nil
	case p.refused:
		return checkFailed(fault.Refused, "ARCHIVE_REFUSED")
	default:
		return checkFailed(fault.Check, "INVALID")
	}
}
