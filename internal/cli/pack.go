package cli

import (
	"context"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/term"
	"github.com/wuu-plugins/wuu/pack"
)

type packOptions struct {
	Dir     string
	Format  string
	Output  string
	DryRun  bool
	List    bool
	NoBuild bool
	Verify  string
	SBOM    string
	MaxSize string
	Allow   []string
}

func newPackCmd(a *App, run func(context.Context, *packOptions) error) *cobra.Command {
	o := &packOptions{Dir: "."}
	cmd := &cobra.Command{
		Use:   "pack [dir]",
		Short: "Make the zip or npm tarball of a plugin",
		Long: `Make the zip or npm tarball of a plugin. The same tree always gives the same bytes.

Secrets and characters that do not show stop it, at their exact place, unless they are allowed by name.`,
		Example: `  wuu plugin pack
  wuu plugin pack hello --format both --output out/
  wuu plugin pack --list --dry-run
  wuu plugin pack --allow SECRET_TOKEN:tests/fixture.txt
  wuu plugin pack --verify hello-0.1.0.zip
  wuu plugin pack --max-size 2MB --sbom hello.cdx.json`,
		Args: args(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, argv []string) error {
			if len(argv) > 0 {
				o.Dir = argv[0]
			}
			if run == nil {
				run = a.runPack
			}
			return run(cmd.Context(), o)
		},
	}
	cmd.Flags().StringVar(&o.Format, "format", "zip", "`zip`, npm or both")
	choices(cmd, "format", "zip", "npm", "both")
	cmd.Flags().StringVar(&o.Output, "output", "", "folder, or file for a single format, `PATH` (default .)")
	cmd.Flags().BoolVar(&o.DryRun, "dry-run", false, "write nothing")
	cmd.Flags().BoolVar(&o.List, "list", false, "list the files, and what is left out and why")
	cmd.Flags().BoolVar(&o.NoBuild, "no-build", false, "pack what is on disk; a missing output is an error")
	cmd.Flags().StringVar(&o.Verify, "verify", "", "write nothing; compare an archive `FILE` with what would be packed")
	cmd.Flags().StringVar(&o.SBOM, "sbom", "", "also write to `FILE` which npm packages are bundled, as CycloneDX 1.6")
	cmd.Flags().StringVar(&o.MaxSize, "max-size", "", "fail when an archive is larger than `SIZE`, such as 2MB (default wuu.budget of package.json)")
	cmd.Flags().StringArrayVar(&o.Allow, "allow", nil, "let a finding stay in, by `CODE:path`; repeatable")
	return cmd
}

func (a *App) runPack(ctx context.Context, o *packOptions) error {
	formats := map[string][]string{"zip": {"zip"}, "npm": {"npm"}, "both": {"zip", "npm"}}[o.Format]
	if formats == nil {
		return fault.New(fault.Usage, "USAGE", "", "--format %s: want zip, npm or both", o.Format)
	}
	t, err := a.openTree(ctx, o, slices.Contains(formats, "npm"))
	if err != nil {
		return err
	}
	defer t.Close()
	if o.Verify != "" {
		return a.verifyArchive(ctx, t, o)
	}
	doc := newPackDoc(t.opened)
	for _, format := range formats {
		art, err := a.writeArtifact(ctx, t, format, o)
		if err != nil {
			return err
		}
		doc.Artifacts = append(doc.Artifacts, art)
	}
	if o.SBOM != "" && !o.DryRun {
		if doc.SBOM, err = a.writeSBOM(t, o); err != nil {
			return err
		}
	}
	return a.emit(doc, func(w io.Writer, s term.Style) { doc.write(w, s, o) })
}

// packTree is a source folder that is ready to be packed.
type packTree struct {
	*opened
	unbuilt []string // declared outputs that are not there
	budget  int64    // bytes of an archive, 0 for none
}

// openTree builds, opens, validates and searches a source folder. What must
// not be packed is the error.
func (a *App) openTree(ctx context.Context, o *packOptions, npm bool) (*packTree, error) {
	flagAllow, flagBudget, err := o.parse()
	if err != nil {
		return nil, err
	}
	t, err := a.readTree(ctx, o)
	if err != nil {
		return nil, err
	}
	if t.pkg != nil {
		err = t.check(ctx, npm)
	}
	if err == nil && t.pkg != nil {
		settings, found := pack.ReadSettings(t.pkg.PackageJSON, a.Now())
		t.findings = append(t.findings, found...)
		if t.budget = flagBudget; t.budget == 0 {
			t.budget = settings.Budget
		}
		err = t.scan(ctx, t.sources(), append(settings.Allow, flagAllow...))
	}
	if err == nil {
		diag.Sort(t.findings)
		err = t.failure(a)
	}
	if err != nil {
		t.Close()
		return nil, err
	}
	a.writeFindings(a.IO.Err, a.IO.ErrStyle(), t.findings, t.masked)
	return t, nil
}

// parse reads the flags that have a form of their own.
func (o *packOptions) parse() (allow []pack.Allow, budget int64, err error) {
	for _, text := range o.Allow {
		entry, err := pack.ParseAllow(text)
		if err != nil {
			return nil, 0, err
		}
		allow = append(allow, entry)
	}
	if o.MaxSize == "" {
		return allow, 0, nil
	}
	if budget, err = pack.ParseSize(o.MaxSize); err != nil {
		return nil, 0, fault.New(fault.Usage, "USAGE", "", "--max-size: %w", err)
	}
	return allow, budget, nil
}

// failure hides secrets in the code frames.
func (t *packTree) failure(a *App) error {
	if diag.Count(t.findings).Errors == 0 {
		return nil
	}
	return a.findingsError(fault.Check, t.source.Spec, t.findings, t.masked)
}
