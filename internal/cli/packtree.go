package cli

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wuu-plugins/wuu/internal/bundle"
	"github.com/wuu-plugins/wuu/internal/manifest"
	"github.com/wuu-plugins/wuu/pack"
	"github.com/wuu-plugins/wuu/registry"
)

// heldBytes is how much of a tree pack keeps in memory between looking at it
// and writing it.
const heldBytes = 32 << 20

// readTree builds a source folder and opens what would be packed. A missing
// output of a project that is not built here is named as that, and not only as
// a broken reference.
func (a *App) readTree(ctx context.Context, o *packOptions) (*packTree, error) {
	dir, err := a.pluginDir(o.Dir)
	if err != nil {
		return nil, err
	}
	t := &packTree{opened: &opened{source: registry.Source{Kind: registry.Directory, Spec: o.Dir, Path: dir}, built: &builtDir{}}}
	if o.NoBuild {
		err = t.planOnly(dir)
	} else if t.built, err = a.buildDir(ctx, dir, buildOptions{Modules: o.SBOM != ""}, false); err == nil && t.built.plan.Builder == bundle.Command {
		err = t.missing(dir)
	}
	if err != nil {
		return nil, err
	}
	if t.dir, err = os.OpenRoot(dir); err != nil {
		return nil, err
	}
	pkg, findings, err := pack.OpenDir(ctx, t.dir, pack.Options{Overlay: t.built.overlay, Hold: heldBytes})
	if err != nil {
		t.Close()
		return nil, err
	}
	t.pkg = pkg
	t.findings = append(t.findings, append(t.built.findings, findings...)...)
	return t, nil
}

// planOnly finds the declared outputs that are not on disk.
func (t *packTree) planOnly(dir string) error {
	src, err := os.ReadFile(filepath.Join(dir, "plugin.json"))
	if err != nil {
		return nil // pack reports MANIFEST_MISSING with its own words
	}
	m, _ := manifest.Parse("plugin.json", src)
	if m == nil {
		return nil
	}
	plan, _, err := bundle.NewPlan(dir, m, "")
	if err != nil {
		return err
	}
	t.built.plan = bundle.Plan{Builder: bundle.None, Outputs: plan.Outputs}
	if err := t.missing(dir); err != nil {
		return err
	}
	for i := range t.findings {
		t.findings[i].Hint = "build it first: wuu plugin build; or pack without --no-build"
	}
	return nil
}

func (t *packTree) missing(dir string) error {
	found, err := t.built.plan.Missing(dir)
	t.findings = append(t.findings, found...)
	for _, f := range found {
		t.unbuilt = append(t.unbuilt, f.File)
	}
	return err
}

// check validates. A reference to an output that nobody built is told once: at
// its place in the manifest, as what it is.
func (t *packTree) check(ctx context.Context, npm bool) error {
	if err := t.validate(ctx, npm); err != nil {
		return err
	}
	for i, f := range t.findings {
		if strings.HasSuffix(f.Code, "_ENTRY_MISSING") && slices.Contains(t.unbuilt, quotedPath(t.pkg.Manifest, f)) {
			t.findings[i].Code = bundle.CodeMissing
		}
	}
	return nil
}
