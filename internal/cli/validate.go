package cli

import (
	"context"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/term"
)

type validateOptions struct {
	Spec   string
	Strict bool
	FailOn string
	Fix    bool
	Watch  bool
	Format string
	Output string
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
	Fixed       []fixedFile    `json:"fixed,omitempty"`
	NotFixed    []notFixed     `json:"not_fixed,omitempty"`
}

func newValidateCmd(a *App, run func(context.Context, *validateOptions) error) *cobra.Command {
	o := &validateOptions{Spec: "."}
	cmd := &cobra.Command{
		Use:   "validate [path|spec]",
		Short: "Check a plugin without running it",
		Long:  "Check a plugin without running its code: will it install and load? The same code as install, on the bytes that would be packed.",
		Example: `  wuu plugin validate
  wuu plugin validate --fix
  wuu plugin validate hello-0.1.0.zip
  wuu plugin validate --output report.sarif
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
	flags := cmd.Flags()
	flags.BoolVar(&o.Strict, "strict", false, "count warnings as errors")
	flags.StringVar(&o.FailOn, "fail-on", "error", "exit with 1 at an `error` or already at a warning")
	flags.BoolVar(&o.Fix, "fix", false, "make the safe edits in the files of a folder, then check again")
	flags.BoolVar(&o.Watch, "watch", false, "check a folder again whenever a file changes")
	flags.StringVar(&o.Format, "format", "", "`text`, json, sarif, github or junit")
	flags.StringVar(&o.Output, "output", "", "write the report to `FILE`; .sarif, .json, .xml or .txt choose its format")
	choices(cmd, "fail-on", "error", "warning")
	choices(cmd, "format", reportFormats()...)
	o.Source.addTo(cmd)
	return cmd
}

func (a *App) runValidate(ctx context.Context, o *validateOptions) error {
	if err := a.checkReport(o); err != nil {
		return err
	}
	src, err := a.parseSource(ctx, o.Spec, o.Source)
	if err != nil {
		return err
	}
	if o.Fix || o.Watch {
		if err := onlyFolder(src, o); err != nil {
			return err
		}
	}
	switch {
	case o.Watch:
		return a.watchValidate(ctx, o, src)
	case o.Fix:
		return a.fixAndReport(ctx, o, src)
	}
	c, err := a.check(ctx, o, src)
	if err != nil {
		return err
	}
	defer c.Close()
	return a.reportChecked(c, o)
}

// checked is a source after validation, with the verdict, which no format
// can change any more.
type checked struct {
	*opened
	doc    validateDoc
	failOn diag.Severity
}

func (c *checked) fails(f diag.Finding) bool {
	return f.Severity == diag.Error || f.Severity == diag.Warning && c.failOn == diag.Warning
}

// verdict is the error that decides the exit code.
func (c *checked) verdict() error {
	switch {
	case c.doc.OK:
		return nil
	case c.refused:
		return checkFailed(fault.Refused, "ARCHIVE_REFUSED")
	}
	return checkFailed(fault.Check, "INVALID")
}

// reportChecked prints or writes the report and gives the verdict.
func (a *App) reportChecked(c *checked, o *validateOptions) error {
	verdict := c.verdict()
	if err := a.report(c, o); err != nil {
		return err
	}
	return verdict
}

func (a *App) writeVerdict(w io.Writer, s term.Style, c *checked, o *validateOptions) {
	list := c.findings
	if a.quiet {
		list = slices.DeleteFunc(slices.Clone(list), func(f diag.Finding) bool { return !c.fails(f) })
	}
	a.writeFindings(w, s, list, c.masked)
	c.writeLast(w, s, o, a.quiet)
}
