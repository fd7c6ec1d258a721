package cli

import (
	"context"
	"os"
	"path/filepath"
	"slices"

	"github.com/wuu-plugins/wuu/internal/bundle"
	"github.com/wuu-plugins/wuu/pack"
	"github.com/wuu-plugins/wuu/registry"
)

// singleFile is the kind of a plugin in one source file, which only dev and
// call take; it is no source that can be installed.
const singleFile registry.SourceKind = "file"

// isSingleFile tells a plugin in one source file by its name.
func isSingleFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && slices.Contains(bundle.FileExts[:], filepath.Ext(path))
}

// readFile builds the file in memory; its package is what is built, over an
// empty folder.
func (p *opened) readFile(ctx context.Context) error {
	plan, options, err := bundle.NewFilePlan(p.source.Path)
	if err != nil {
		return err
	}
	built := &builtDir{plan: plan}
	if err := built.embedded(ctx, options); err != nil || built.overlay == nil {
		p.findings = built.findings
		return err
	}
	_, files := bundle.FilePackage(p.source.Path)
	for name, content := range files {
		built.overlay[name] = content
	}
	if p.empty, err = os.MkdirTemp("", "wuu-file-"); err != nil {
		return err
	}
	if p.dir, err = os.OpenRoot(p.empty); err != nil {
		return err
	}
	pkg, findings, err := pack.OpenDir(ctx, p.dir, pack.Options{Overlay: built.overlay})
	p.pkg, p.findings = pkg, append(built.findings, findings...)
	return err
}
