// Package validate checks a package against every rule that can be checked
// without running plugin code; it starts no process.
package validate

import (
	"context"

	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/internal/manifest"
	"github.com/wuu-plugins/wuu/pack"
)

// Finding is a mistake at its exact place.
type Finding = diag.Finding

// Options guide a run.
type Options struct {
	WuuVersion string // checked against minimum_wuu_version
	Platform   string // GOOS; "" means this one
	NPM        bool   // the package comes from, or will be, an npm tarball
	Strict     bool   // warnings become errors
}

// Report is the result of a run. Manifest is nil when it cannot be used.
type Report struct {
	Manifest *manifest.Manifest
	Findings []Finding
	Files    []string // what was checked
}

// OK reports whether no finding is an error.
func (r *Report) OK() bool { return diag.Count(r.Findings).Errors == 0 }

// Run checks p. error is I/O only.
func Run(ctx context.Context, p *pack.Package, o Options) (*Report, error) { panic("not built yet") }
