package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/wuu-plugins/wuu/internal/bundle"
	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/fsx"
	"github.com/wuu-plugins/wuu/internal/manifest"
	"github.com/wuu-plugins/wuu/internal/term"
	"github.com/wuu-plugins/wuu/registry"
)

type buildOptions struct {
	Dir       string
	Manager   string
	Minify    bool
	Sourcemap bool
	Modules   bool // record what the outputs are made of
}

type buildDoc struct {
	Builder string        `json:"builder"`
	Outputs []buildOutput `json:"outputs"`
}

type buildOutput struct {
	Path string `json:"path"`
	Size int64  `json:"size"`
}

func newBuildCmd(a *App, run func(context.Context, *buildOptions) error) *cobra.Command {
	o := &buildOptions{Dir: "."}
	cmd := &cobra.Command{
		Use:     "build [dir]",
		Short:   "Build a plugin's entries into dist/",
		Example: "  wuu plugin build\n  wuu plugin build hello --minify",
		Args:    args(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, argv []string) error {
			if len(argv) > 0 {
				o.Dir = argv[0]
			}
			if run == nil {
				run = a.runBuild
			}
			return run(cmd.Context(), o)
		},
	}
	cmd.Flags().StringVar(&o.Manager, "package-manager", "", "`npm`, pnpm, yarn or bun for a build script")
	cmd.Flags().BoolVar(&o.Minify, "minify", false, "make the output smaller")
	cmd.Flags().BoolVar(&o.Sourcemap, "sourcemap", false, "add inline source maps")
	return cmd
}

func (a *App) runBuild(ctx context.Context, o *buildOptions) error {
	dir, err := a.pluginDir(o.Dir)
	if err != nil {
		return err
	}
	built, err := a.buildDir(ctx, dir, *o, true)
	if err != nil {
		return err
	}
	if built.plan.Builder == bundle.Command {
		missing, err := built.plan.Missing(dir)
		if err != nil {
			return err
		}
		built.findings = append(built.findings, missing...)
	}
	if diag.Count(built.findings).Errors > 0 {
		return a.findingsError(fault.Check, a.rel(dir), built.findings, dirSource(dir))
	}
	if built.plan.Builder == "" {
		if err := a.unreadable(ctx, o.Dir, dir); err != nil {
			return err
		}
	}
	if built.plan.Builder == bundle.None || built.plan.Builder == "" {
		a.note("%s declares nothing that needs building", a.rel(dir))
	}
	doc := buildDoc{Builder: built.plan.Builder, Outputs: []buildOutput{}}
	for _, output := range built.outputs() {
		path := filepath.Join(dir, filepath.FromSlash(output))
		if content, ok := built.overlay[output]; ok {
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				return err
			}
			if err := fsx.WriteFile(path, content, 0o644); err != nil {
				return err
			}
		}
		info, err := os.Stat(path)
		if err != nil {
			return fault.New(fault.Check, "BUILD_MISSING", output, "the build did not make it").
				WithHint("see package.json wuu.build or scripts.build")
		}
		doc.Outputs = append(doc.Outputs, buildOutput{output, info.Size()})
	}
	return a.emit(doc, func(w io.Writer, s term.Style) {
		for _, out := range doc.Outputs {
			fmt.Fprintf(w, "%s %s (%s)\n", s.Green("built"), out.Path, term.Size(out.Size))
		}
	})
}

// unreadable says why a folder has no manifest that could tell what to build.
func (a *App) unreadable(ctx context.Context, arg, dir string) error {
	p, err := a.open(ctx, registry.Source{Kind: registry.Directory, Spec: arg, Path: dir}, sourceFlags{})
	if err != nil {
		return err
	}
	defer p.Close()
	return p.failure(a)
}

// builtDir is the result of building a source folder in memory.
type builtDir struct {
	plan     bundle.Plan
	overlay  map[string][]byte
	result   *bundle.Result // of the embedded builder
	findings []diag.Finding
}

// outputs are the files that building makes: all declared ones when a command
// of the project makes them.
func (b *builtDir) outputs() []string {
	if b.plan.Builder == bundle.Command {
		return b.plan.Outputs
	}
	var list []string
	for _, e := range b.plan.Entries {
		list = append(list, e.Output)
	}
	return list
}

// buildDir builds a source folder in memory. A project with its own build
// command is only built when runCommand says so: other verbs use what is on
// disk (design/distribution.md, "The packed set"). A manifest that cannot be
// read builds nothing: validation reports it.
func (a *App) buildDir(ctx context.Context, dir string, o buildOptions, runCommand bool) (*builtDir, error) {
	out := &builtDir{}
	src, err := os.ReadFile(filepath.Join(dir, "plugin.json"))
	if err != nil {
		return out, nil // pack reports MANIFEST_MISSING with its own words
	}
	m, _ := manifest.Parse("plugin.json", src)
	if m == nil {
		return out, nil
	}
	plan, findings, err := bundle.NewPlan(dir, m, o.Manager)
	if err != nil {
		return nil, err
	}
	out.plan, out.findings = plan, findings
	switch plan.Builder {
	case "command":
		if runCommand {
			a.note("running %s", plan.CommandLine())
			return out, bundle.RunCommand(ctx, plan, dir, os.Environ(), a.IO.Err)
		}
	case "embedded":
		return out, out.embedded(ctx, bundle.Options{Root: dir, Minify: o.Minify, Sourcemap: o.Sourcemap, Modules: o.Modules})
	}
	return out, nil
}

// buildMemory is where collecting begins during a one-shot build: below it a
// collection costs a third of the time and gives nothing back that is needed.
const buildMemory = 1 << 30

func (b *builtDir) embedded(ctx context.Context, o bundle.Options) error {
	builder, err := bundle.NewBuilder(b.plan, o)
	if err != nil {
		return err
	}
	defer builder.Close()
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(buildMemory))
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	result, findings, err := builder.Build(ctx)
	b.findings = append(b.findings, findings...)
	if b.result = result; result != nil {
		b.overlay = result.Overlay()
	}
	return err
}

// pluginDir resolves a folder argument.
func (a *App) pluginDir(arg string) (string, error) {
	dir := arg
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(a.Dir, dir)
	}
	info, err := os.Stat(dir)
	if err != nil {
		return "", fault.New(fault.Usage, "PATH_MISSING", arg, "no such folder").
			WithHint("make a plugin with: wuu plugin create %s", filepath.Base(dir))
	}
	if !info.IsDir() {
		return "", fault.New(fault.Usage, "NOT_A_FOLDER", arg, "is a file; this command takes a plugin's source folder")
	}
	return dir, nil
}
