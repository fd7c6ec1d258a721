package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/internal/term"
	"github.com/wuu-plugins/wuu/registry"
)

// check opens a source and decides whether it passes.
func (a *App) check(ctx context.Context, o *validateOptions, src registry.Source) (*checked, error) {
	p, err := a.open(ctx, src, o.Source)
	if err != nil {
		return nil, err
	}
	if p.pkg != nil {
		if err := p.warnOfSecrets(ctx, a); err != nil {
			p.Close()
			return nil, err
		}
	}
	if o.Strict {
		for i := range p.findings {
			if p.findings[i].Severity == diag.Warning {
				p.findings[i].Severity = diag.Error
			}
		}
	}
	c := &checked{opened: p, failOn: diag.Severity(o.FailOn)}
	c.doc = validateDoc{Findings: orEmpty(p.findings), Files: []string{}, Summary: diag.Count(p.findings)}
	c.doc.OK = c.doc.Summary.Errors == 0 && (c.failOn != diag.Warning || c.doc.Summary.Warnings == 0)
	if p.pkg != nil {
		c.doc.ID, c.doc.Version, c.doc.Fingerprint = p.pkg.ID, p.pkg.Version, p.pkg.Fingerprint
	}
	if p.report != nil {
		c.doc.Files = orEmpty(p.report.Files)
	}
	return c, nil
}

// writeLast says the verdict in one word, and what was checked.
func (c *checked) writeLast(w io.Writer, s term.Style, o *validateOptions, quiet bool) {
	switch {
	case !c.doc.OK:
		fmt.Fprintf(w, "%s %s\n", s.Red("invalid"), term.Clean(o.Spec))
	case !quiet && c.pkg != nil:
		fmt.Fprintf(w, "%s %s %s\n", s.Green("valid"), c.doc.ID, c.doc.Version)
		fmt.Fprintf(w, "  %d files, fingerprint %s\n", len(c.pkg.Files), c.doc.Fingerprint)
	}
}
