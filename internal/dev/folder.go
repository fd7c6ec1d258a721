package dev

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"sync/atomic"

	"github.com/wuu-plugins/wuu/internal/bundle"
	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/internal/manifest"
)

// folder is a plugin folder. It keeps the builder while the plan stays.
type folder struct {
	o       *Options
	root    string
	plan    bundle.Plan
	builder *bundle.Builder
	ignores *ignores
	extra   []string // absolute, from wuu.dev.watch
	script  atomic.Bool
}

func newFolder(o *Options, root string) *folder {
	f := &folder{o: o, root: root, ignores: newIgnores(root, o.Home.Dir())}
	f.extra, _ = extraInputs(root) // what is wrong with them, the first build says
	return f
}

func (f *folder) scripted() bool { return f.script.Load() }
func (f *folder) base() string   { return f.root }
func (f *folder) source() string { return f.root }

func (f *folder) close() {
	if f.builder != nil {
		f.builder.Close()
	}
}

func (f *folder) watch() watchSet {
	return watchSet{roots: append([]string{f.root}, f.extra...), ignore: f.ignores.ignore}
}

func (f *folder) check(context.Context, context.Context, string) ([]diag.Finding, error) {
	return nil, nil
}

// build leaves a manifest that cannot be used to the packing and validation
// that follow: they have the words for it.
func (f *folder) build(ctx, soft context.Context) (*candidate, error) {
	f.ignores.reset()
	c := &candidate{dir: f.root}
	f.extra, c.findings = extraInputs(f.root)
	m, findings := f.manifest()
	if m == nil {
		return c, nil
	}
	c.manifest = m
	plan, planFindings, err := bundle.NewPlan(f.root, m, f.o.Manager)
	if err != nil {
		return nil, err
	}
	c.findings = append(c.findings, planFindings...)
	f.ignores.outputs(f.root, plan)
	for _, name := range plan.AsIs {
		c.inputs = append(c.inputs, filepath.Join(f.root, filepath.FromSlash(name)))
	}
	if c.failed() {
		c.findings = append(c.findings, findings...)
		return c, nil
	}
	f.script.Store(plan.Builder == bundle.Command)
	if f.scripted() {
		return c, f.command(soft, plan, c)
	}
	return c, f.embedded(ctx, plan, c)
}

func (f *folder) command(soft context.Context, plan bundle.Plan, c *candidate) error {
	if err := bundle.RunCommand(soft, plan, f.root, f.o.Env, f.o.BuildLog); err != nil {
		return err
	}
	missing, err := plan.Missing(f.root)
	c.findings = append(c.findings, missing...)
	return err
}

func (f *folder) embedded(ctx context.Context, plan bundle.Plan, c *candidate) error {
	if f.builder == nil || !reflect.DeepEqual(plan, f.plan) {
		f.close()
		builder, err := bundle.NewBuilder(plan, bundle.Options{Root: f.root})
		if err != nil {
			f.builder = nil
			return err
		}
		f.builder, f.plan = builder, plan
	}
	result, findings, err := f.builder.Build(ctx)
	if err != nil {
		return err
	}
	c.findings = append(c.findings, findings...)
	c.inputs = append(c.inputs, result.Inputs...)
	c.absent = result.Absent
	c.overlay = result.Overlay()
	return nil
}

// manifest reads the only manifest of the folder; nil when there is none, or
// more than one, or none that can be used.
func (f *folder) manifest() (*manifest.Manifest, []diag.Finding) {
	var name string
	var src []byte
	for _, location := range manifest.Locations {
		data, err := os.ReadFile(filepath.Join(f.root, filepath.FromSlash(location)))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil || name != "":
			return nil, nil
		}
		name, src = location, data
	}
	if name == "" {
		return nil, nil
	}
	return manifest.Parse(name, src)
}
