package host

import (
	"context"
	"path/filepath"
	"runtime"

	"github.com/wuu-plugins/wuu/internal/catalog"
	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/fsx"
	"github.com/wuu-plugins/wuu/internal/manifest"
	"github.com/wuu-plugins/wuu/internal/version"
)

type record = catalog.Record

// maxManifest is how much of a plugin.json a host reads.
const maxManifest = 4 << 20

// plan reads the packages that s selects and plans them. The snapshots stay
// leased until release. An error is the end of ctx.
func (h *Host) plan(ctx context.Context, s State) (p *plan, release func(), err error) {
	installed := map[string]bool{}
	for _, r := range s.Plugins {
		installed[r.ID] = true
	}
	var leases []func()
	release = func() {
		for _, f := range leases {
			f()
		}
	}
	var all []*candidate
	for _, r := range s.Selected() {
		c := &candidate{rec: r, standalone: r.Dev && !installed[r.ID]} // an older record has no storage subject
		all = append(all, c)
		if policy(c); !c.runnable() {
			continue
		}
		dir, done, err := h.snapshots.open(ctx, r)
		if ctx.Err() != nil {
			release()
			return nil, nil, context.Cause(ctx)
		}
		if err == nil {
			leases = append(leases, done)
			c.dir = dir
			c.manifest, err = readManifest(dir, r)
		}
		if err != nil {
			c.failed = true
			c.block(c.id(), stage(CodeSnapshot, c.id(), "read the package", err))
		}
	}
	p = makePlan(all, world{platform: runtime.GOOS, version: version.Base()})
	for _, note := range p.notes {
		h.note("host", note)
	}
	return p, release, nil
}

func readManifest(dir string, r record) (*manifest.Manifest, error) {
	name := r.ManifestPath
	if name == "" {
		name = manifest.Locations[0]
	}
	src, err := fsx.ReadFile(filepath.Join(dir, filepath.FromSlash(name)), maxManifest)
	if err != nil {
		return nil, err
	}
	m, findings := manifest.Parse(name, src)
	for _, f := range findings {
		if f.Severity == diag.Error {
			return nil, fault.New(fault.Check, f.Code, "", "%s:%d:%d: %s", f.File, f.Start.Line, f.Start.ColChar, f.Message).WithHint("%s", f.Hint)
		}
	}
	return m, nil
}

func ids(s State) []string {
	var out []string
	for _, r := range s.Selected() {
		out = append(out, r.ID)
	}
	return out
}
