// Package contract runs a plugin's contract test in stages: a fresh home, a
// fresh host, real services (design/validation.md, "Contract test").
package contract

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/internal/manifest"
	"github.com/wuu-plugins/wuu/pack"
)

// DefaultTimeout bounds one tool call.
const DefaultTimeout = 30 * time.Second

// Options say what to test and with what.
type Options struct {
	Package  *pack.Package   // nil when it was refused; Findings say why
	Findings []diag.Finding  // of packing and validation, for the package stage
	Cases    []string        // paths of case files
	Timeout  time.Duration   // of one tool call; 0 means DefaultTimeout
	Node     string          // executable for "node"; empty: the one in PATH
	Version  string          // of wuu, for the report
	Hard     context.Context // its end kills what would else be asked to end and waited for; nil never
	Log      io.Writer       // plugin stderr and notes, as they come; nil discards
	Getenv   func(string) string
	Now      func() time.Time
}

// Run tests o.Package and reports; what the plugin does wrong is in the report.
// The error is a case file that cannot be used (kind Usage), a machine that
// cannot run the test, or the end of ctx. Nothing is left of the plugin's
// processes or of the temporary home when Run returns.
func Run(ctx context.Context, o Options) (*Report, error) {
	cases, err := readCases(o.Cases)
	if err != nil {
		return nil, err
	}
	if o.Timeout <= 0 {
		o.Timeout = DefaultTimeout
	}
	report := newReport(o)
	if report.add(packageStage(o)); !report.OK {
		return report, nil
	}
	m, _ := manifest.Parse(o.Package.ManifestPath, o.Package.Manifest) // its findings are validate's
	if m == nil || m.Runtime == nil {
		report.skipRest("the package declares no runtime")
		return report, nil
	}
	b, err := newBench(ctx, o)
	if err != nil {
		return nil, err
	}
	defer b.close()
	if err := b.run(ctx, report, cases); err != nil {
		return nil, err
	}
	return report, nil
}

// run goes through the stages that need the plugin's process.
func (b *bench) run(ctx context.Context, report *Report, cases []testCase) error {
	first, err := b.start(ctx)
	if err != nil {
		return err
	}
	defer first.close()
	shake, declared := handshake(first)
	if report.add(shake); shake.Status != Pass {
		report.skipRest("the handshake did not succeed")
		return context.Cause(ctx)
	}
	life, second, err := b.lifecycle(ctx, first)
	if err != nil {
		return err
	}
	if second != nil {
		defer second.close()
	}
	if report.add(life); life.Status != Pass {
		report.skipRest("the lifecycle did not succeed")
		return context.Cause(ctx)
	}
	report.add(b.tools(ctx, second, declared, cases))
	return context.Cause(ctx)
}

// packageStage repeats the verdict of validation, which decides alone whether
// the package may be run at all.
func packageStage(o Options) Stage {
	s := Stage{Name: stagePackage}
	count := diag.Count(o.Findings)
	for _, f := range o.Findings {
		if f.Severity == diag.Error {
			s.fail(Check{ID: "package." + f.Code, Message: describe(f), Hint: f.Hint})
		}
	}
	switch {
	case count.Errors > 0:
	case o.Package == nil:
		s.fail(Check{ID: "package.readable", Message: "the package cannot be read"})
	default:
		s.pass("package.findings", "validated: %s", count.Line())
	}
	return s
}

func describe(f diag.Finding) string {
	switch {
	case f.File == "":
		return f.Message
	case f.Start.Line == 0:
		return f.File + ": " + f.Message
	}
	return fmt.Sprintf("%s:%d:%d: %s", f.File, f.Start.Line, f.Start.ColChar, f.Message)
}
