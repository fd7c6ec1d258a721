package cli

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/wuu-plugins/wuu/internal/contract"
	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/term"
	"github.com/wuu-plugins/wuu/internal/version"
	"github.com/wuu-plugins/wuu/registry"
)

type testOptions struct {
	Dir     string
	Cases   []string
	Timeout time.Duration
	Node    string
}

func newTestCmd(a *App, run func(context.Context, *testOptions) error) *cobra.Command {
	o := &testOptions{Dir: "."}
	cmd := &cobra.Command{
		Use:   "test [dir]",
		Short: "Run a plugin and check that it keeps its contract",
		Long:  "Run a plugin in a fresh host with a temporary home and check that it keeps its contract. Cases are read from tests/*.wuu.yaml.",
		Example: `  wuu plugin test
  wuu plugin test hello --case hello/tests/extra.wuu.yaml --json`,
		Args: args(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, argv []string) error {
			if err := checkLimit("timeout", o.Timeout); err != nil {
				return err
			}
			if len(argv) > 0 {
				o.Dir = argv[0]
			}
			if run == nil {
				run = a.runTest
			}
			return run(cmd.Context(), o)
		},
	}
	cmd.Flags().StringArrayVar(&o.Cases, "case", nil, "case `FILE` (may be repeated; default tests/*.wuu.yaml)")
	cmd.Flags().DurationVar(&o.Timeout, "timeout", 30*time.Second, "limit of each call, `DURATION`")
	cmd.Flags().StringVar(&o.Node, "node", "", "`PATH` of the Node to run with")
	return cmd
}

func (a *App) runTest(ctx context.Context, o *testOptions) error {
	dir, err := a.pluginDir(o.Dir)
	if err != nil {
		return err
	}
	cases, err := a.caseFiles(dir, o.Cases)
	if err != nil {
		return err
	}
	p, err := a.open(ctx, registry.Source{Kind: registry.Directory, Spec: o.Dir, Path: dir}, sourceFlags{})
	if err != nil {
		return err
	}
	defer p.Close()
	node := o.Node
	if node == "" {
		node = a.config.Node
	}
	report, err := contract.Run(ctx, contract.Options{
		Package: p.pkg, Findings: p.findings, Cases: cases, Timeout: o.Timeout, Node: node,
		Version: version.Base(), Hard: a.hard, Getenv: a.Getenv, Now: a.Now,
	})
	if err != nil {
		return err
	}
	err = a.emit(report, func(w io.Writer, s term.Style) {
		a.writeFindings(w, s, p.findings, p.content)
		contract.WriteText(w, report, s)
	})
	if err == nil && !report.OK {
		return checkFailed(fault.Check, "CONTRACT_FAILED")
	}
	return err
}

// caseFiles resolves --case, or finds the plugin's own case files.
func (a *App) caseFiles(dir string, given []string) ([]string, error) {
	if len(given) == 0 {
		return filepath.Glob(filepath.Join(dir, "tests", "*.wuu.yaml"))
	}
	files := make([]string, len(given))
	for i, f := range given {
		files[i] = f
		if !filepath.IsAbs(f) {
			files[i] = filepath.Join(a.Dir, f)
		}
		if _, err := os.Stat(files[i]); err != nil {
			return nil, fault.New(fault.Usage, "PATH_MISSING", f, "no such case file")
		}
	}
	return files, nil
}
