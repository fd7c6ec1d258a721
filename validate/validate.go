// Package validate checks a package against every rule that can be checked
// without running plugin code; it starts no process. A finding points at the
// exact characters, its code stands in the table that Codes returns, and two
// runs over the same package find the same in the same order.
//
// The rules see what pack sees: the files that would be packed or were
// installed, never what happens to lie beside them.
package validate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"slices"

	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/internal/jsonpos"
	"github.com/wuu-plugins/wuu/internal/manifest"
	"github.com/wuu-plugins/wuu/internal/version"
	"github.com/wuu-plugins/wuu/pack"
)

// Finding is a mistake at its exact place.
type Finding = diag.Finding

// Manifest is plugin.json as it was read.
type Manifest = manifest.Manifest

// Options guide a run.
type Options struct {
	WuuVersion string // checked against minimum_wuu_version; "" means this build
	Platform   string // GOOS; "" means this one
	NPM        bool   // the package comes from, or will be, an npm tarball
	Strict     bool   // warnings become errors
}

// Report is the result of a run.
type Report struct {
	// Manifest is nil when it cannot be used. Its parts that stand in files of
	// their own are read, and an absent skills field names the default folder
	// when the package has one.
	Manifest *Manifest
	Findings []Finding // sorted by file and place
	Files    []string  // what the rules looked at, sorted
}

// OK reports whether no finding is an error.
func (r *Report) OK() bool { return diag.Count(r.Findings).Errors == 0 }

// Run checks p. error is I/O only, or the end of ctx.
func Run(ctx context.Context, p *pack.Package, o Options) (*Report, error) {
	if o.WuuVersion == "" {
		o.WuuVersion = version.Base()
	}
	if o.Platform == "" {
		o.Platform = runtime.GOOS
	}
	c := newChecker(p, o)
	if err := c.run(ctx); err != nil {
		return nil, err
	}
	report := &Report{Manifest: c.m, Findings: c.found.Findings(), Files: slices.Compact(slices.Sorted(slices.Values(c.checked)))}
	if o.Strict {
		for i := range report.Findings {
			if report.Findings[i].Severity == diag.Warning {
				report.Findings[i].Severity = diag.Error
			}
		}
	}
	return report, nil
}

// checker is one run: the package, and what was found so far.
type checker struct {
	p        *pack.Package
	o        Options
	m        *manifest.Manifest
	files    map[string]pack.File
	omitted  map[string]string // path → reason
	folded   map[string]string // path in another case → path
	found    diag.List
	checked  []string
	pictures map[string]bool // the SVG files that were looked through
	unread   bool            // some file's content was not at hand
}

// rules are the checks of a readable manifest, in the order of their cost.
func (c *checker) rules() []func() error {
	return []func() error{
		c.checkVersion, c.checkMinimum, c.checkPlatform, c.resolve, c.checkReferences, c.checkSkills, c.checkPackageJSON, c.checkEmpty,
	}
}

func (c *checker) run(ctx context.Context) error {
	c.checked = append(c.checked, c.p.ManifestPath)
	m, found := manifest.Parse(c.p.ManifestPath, c.p.Manifest)
	c.found.Add(found...)
	if m == nil {
		return nil
	}
	c.m = m
	for _, rule := range c.rules() {
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		if err := rule(); err != nil {
			return err
		}
	}
	return nil
}

// resolve reads what the manifest keeps in files of its own.
func (c *checker) resolve() error {
	if c.m.Skills == nil && c.hasFolder("skills") {
		c.m.Skills = []string{"skills"}
	}
	found, err := c.m.Resolve(func(path string) ([]byte, error) {
		if _, there := c.files[path]; !there {
			return nil, fs.ErrNotExist
		}
		return c.read(path, jsonpos.MaxSize)
	})
	c.found.Add(found...)
	return err
}

// read returns the content of a file of the package. A file of more than limit
// bytes is a finding and then counts as absent (fs.ErrNotExist); so does, with
// a note, one of which only the name and hash are at hand, because the archive
// was not extracted.
func (c *checker) read(path string, limit int64) ([]byte, error) {
	c.checked = append(c.checked, path)
	if size := c.files[path].Size; size > limit {
		c.unread = true
		c.found.Add(Finding{
			Code: "JSON_SIZE", Severity: diag.Error, File: path,
			Message: fmt.Sprintf("the file has %d bytes; at most %d are allowed", size, limit),
		})
		return nil, fs.ErrNotExist
	}
	b, err := c.p.ReadFile(path, limit)
	if errors.Is(err, errors.ErrUnsupported) {
		c.unread = true
		c.found.Add(Finding{
			Code: "CONTENT_NOT_CHECKED", Severity: diag.Info, File: path,
			Message: "the content was not checked, since the archive is not extracted",
		})
		return nil, fs.ErrNotExist
	}
	return b, err
}
