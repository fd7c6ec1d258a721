package cli

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/pack"
	"github.com/wuu-plugins/wuu/registry"
	"github.com/wuu-plugins/wuu/validate"
)

// scan searches the package for secrets and hidden characters. What another
// rule found at the same place is told once.
func (p *opened) scan(ctx context.Context, sources []string, allow []pack.Allow) error {
	found, err := p.pkg.Scan(ctx, pack.ScanOptions{Allow: allow, Sources: sources})
	if err != nil {
		return err
	}
	found = slices.DeleteFunc(found, func(f diag.Finding) bool {
		return f.Code == "HIDDEN_UNICODE" && slices.ContainsFunc(p.findings, func(other diag.Finding) bool {
			return other.Code == "TEXT_CONTROL" && other.File == f.File && other.Start.Line == f.Start.Line && other.Start.Col16 == f.Start.Col16
		})
	})
	p.findings = append(p.findings, found...)
	return nil
}

// warnOfSecrets searches as pack does. What stops a pack is a warning here:
// who checks a package that is there already cannot take anything back.
func (p *opened) warnOfSecrets(ctx context.Context, a *App) error {
	settings, found := pack.ReadSettings(p.pkg.PackageJSON, a.Now())
	before := len(p.findings)
	p.findings = append(p.findings, found...)
	if err := p.scan(ctx, p.sources(), settings.Allow); err != nil {
		return err
	}
	for i := range p.findings[before:] {
		if f := &p.findings[before+i]; f.Severity == diag.Error {
			f.Severity = diag.Warning
		}
	}
	p.findings = validate.Ignore(p.findings, settings.Ignore)
	diag.Sort(p.findings)
	return nil
}

// masked is content for a code frame in which secrets cannot be read: four
// characters of each stay, as in the finding's message.
func (p *opened) masked(file string) []byte {
	src := p.content(file)
	for _, f := range p.findings {
		if f.File != file || !strings.HasPrefix(f.Code, "SECRET_") {
			continue
		}
		from, to := min(f.Start.Offset+4, len(src)), min(f.End.Offset, len(src))
		if to-from < 4 { // of so few characters four are too many
			from = min(f.Start.Offset, len(src))
		}
		if from < to {
			src = slices.Concat(src[:from], bytes.Map(mask, src[from:to]), src[to:])
		}
	}
	return src
}

func mask(r rune) rune {
	if r == '\n' || r == '\r' {
		return r
	}
	return '*'
}

// sources are the files below the folder that the builder read, as paths of a
// package; installed packages are somebody else's.
func (p *opened) sources() []string {
	if p.source.Kind != registry.Directory || p.built == nil || p.built.result == nil {
		return nil
	}
	var list []string
	for _, file := range p.built.result.Inputs {
		rel, err := filepath.Rel(p.source.Path, file)
		if err == nil && filepath.IsLocal(rel) && !strings.Contains(filepath.ToSlash("/"+rel), "/node_modules/") {
			list = append(list, filepath.ToSlash(rel))
		}
	}
	return list
}
