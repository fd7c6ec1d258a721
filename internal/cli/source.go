package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"

	"github.com/wuu-plugins/wuu/internal/catalog"
	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/term"
	"github.com/wuu-plugins/wuu/internal/version"
	"github.com/wuu-plugins/wuu/lockfile"
	"github.com/wuu-plugins/wuu/pack"
	"github.com/wuu-plugins/wuu/registry"
	"github.com/wuu-plugins/wuu/validate"
)

// sourceFlags are the flags of every verb that takes a spec.
type sourceFlags struct {
	Registry  string
	Integrity string
	Offline   bool
	Frozen    bool // install and update only
	Progress  string
}

// opened is a source that went through the whole pipeline up to validation:
// its files are in a stage, or (pkg from a folder) can be copied there.
type opened struct {
	source registry.Source
	pkg    *pack.Package
	report *validate.Report
	stage  *catalog.Stage
	lock   *lockfile.Lock
	// signature is nil when no registry's metadata was read.
	signature *registry.Signature
	findings  []diag.Finding
	refused   bool // the archive itself was refused: exit 4
	dir       *os.Root
	built     *builtDir // of a source folder
	empty     string    // temporary folder below a single file's package
}

// Close removes the stage unless a commit took it.
func (p *opened) Close() {
	if p.stage != nil {
		p.stage.Close()
	}
	if p.dir != nil {
		p.dir.Close()
	}
	if p.empty != "" {
		os.RemoveAll(p.empty)
	}
}

// parseSource parses a spec; a range or tag is answered with exact versions.
func (a *App) parseSource(ctx context.Context, spec string, f sourceFlags) (registry.Source, error) {
	if err := checkProgress(f.Progress); err != nil {
		return registry.Source{}, err
	}
	s, err := registry.ParseSource(spec, registry.SourceOptions{
		Registry: f.Registry, Integrity: f.Integrity, Default: a.config.Registry, Dir: a.Dir,
		InsecureLoopback: a.insecureLoopback(),
	})
	if err == nil && f.Frozen {
		return a.frozen(s)
	}
	if err == nil || f.Frozen || fault.As(err).Code != "SOURCE_NOT_EXACT" {
		return s, err
	}
	client, cerr := a.registryClient(f.Offline)
	if cerr != nil {
		return s, err
	}
	return s, client.SuggestExact(ctx, err)
}

// openSound parses a spec and opens it; findings of severity error are the
// error.
func (a *App) openSound(ctx context.Context, spec string, f sourceFlags) (*opened, error) {
	src, err := a.parseSource(ctx, spec, f)
	if err != nil {
		return nil, err
	}
	p, err := a.open(ctx, src, f)
	if err != nil {
		return nil, err
	}
	if err := p.failure(a); err != nil {
		p.Close()
		return nil, err
	}
	return p, nil
}

// open takes a source through the pipeline of design/distribution.md up to
// the findings; only I/O, network and integrity failures are errors.
func (a *App) open(ctx context.Context, s registry.Source, f sourceFlags) (*opened, error) {
	p := &opened{source: s}
	err := p.read(ctx, a, f)
	if err == nil && p.pkg != nil {
		err = p.validate(ctx, p.format() == pack.TGZ && s.Kind != registry.Directory)
	}
	if err != nil {
		p.Close()
		return nil, err
	}
	diag.Sort(p.findings)
	return p, nil
}

func (p *opened) read(ctx context.Context, a *App, f sourceFlags) error {
	switch p.source.Kind {
	case registry.Directory:
		return p.readDir(ctx, a)
	case singleFile:
		return p.readFile(ctx)
	}
	client, err := a.registryClient(f.Offline)
	if err != nil {
		return err
	}
	show := a.progress(f.Progress, p.source.Spec)
	defer a.IO.Status().Clear()
	artifact, err := client.Fetch(ctx, p.source, fetching(show))
	if err != nil {
		return err
	}
	defer artifact.Close()
	p.lock, p.signature = artifact.Lock, artifact.Signature
	if artifact.Refetched {
		a.warn("%s was altered in the content store; it was dropped and fetched again", p.source.Spec)
	}
	if artifact.Deprecated != "" {
		a.warn("%s is deprecated: %s", p.source.Spec, term.Clean(artifact.Deprecated))
	}
	if p.stage, err = a.catalog().NewStage(); err != nil {
		return err
	}
	show("extract", 0, artifact.Size)
	pkg, findings, err := pack.Extract(ctx, artifact.Blob, artifact.Size, p.stage.Root(),
		pack.Options{WantName: artifact.Name, WantVersion: artifact.Version, Format: p.format()})
	p.pkg, p.findings = pkg, findings
	p.refused = pkg == nil && pack.Refusal(findings)
	p.blameLock()
	if err == nil && pkg != nil {
		show("extract", artifact.Size, artifact.Size)
		show("done", artifact.Size, artifact.Size)
	}
	return err
}

// format is what the archive claims to be; bytes of another kind are refused.
func (p *opened) format() pack.Format {
	switch p.source.Kind {
	case registry.NPM, registry.Replay, registry.TGZ:
		return pack.TGZ
	}
	return pack.FormatOf(p.source.Path)
}

func (p *opened) readDir(ctx context.Context, a *App) error {
	built, err := a.buildDir(ctx, p.source.Path, buildOptions{}, false)
	if err != nil {
		return err
	}
	p.built = built
	if p.dir, err = os.OpenRoot(p.source.Path); err != nil {
		return err
	}
	pkg, findings, err := pack.OpenDir(ctx, p.dir, pack.Options{Overlay: built.overlay})
	p.pkg, p.findings = pkg, append(built.findings, findings...)
	return err
}

func (p *opened) validate(ctx context.Context, npm bool) error {
	report, err := validate.Run(ctx, p.pkg, validate.Options{WuuVersion: version.Base(), NPM: npm})
	if err != nil {
		return err
	}
	p.report = report
	p.findings = mergeMissing(p.findings, report.Findings, p.pkg.Manifest)
	return nil
}

// failure turns findings of severity error into the command's error.
func (p *opened) failure(a *App) error {
	if diag.Count(p.findings).Errors == 0 {
		return nil
	}
	kind := fault.Check
	if p.refused {
		kind = fault.Refused
	}
	return a.findingsError(kind, p.source.Spec, p.findings, p.content)
}

// content reads a packed file for a code frame; nil when it cannot be had.
func (p *opened) content(file string) []byte {
	if p.pkg != nil {
		if src, err := p.pkg.ReadFile(file, 1<<20); err == nil {
			return src
		}
	}
	switch p.source.Kind {
	case registry.Directory:
		return dirSource(p.source.Path)(file)
	case singleFile:
		return dirSource(filepath.Dir(p.source.Path))(file)
	}
	return nil
}

// dirSource reads files below dir for code frames.
func dirSource(dir string) func(string) []byte {
	return func(file string) []byte {
		if !filepath.IsLocal(filepath.FromSlash(file)) {
			return nil
		}
		src, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(file)))
		if err != nil {
			return nil
		}
		return src
	}
}

// findingsError is the error of a command that stopped at findings; its code
// is the first error's.
func (a *App) findingsError(kind fault.Kind, subject string, list []diag.Finding, source func(string) []byte) error {
	n := diag.Count(list).Errors
	e := &fault.Error{Kind: kind, Subject: subject, Details: findingDetails{list, source}}
	for _, f := range list {
		if f.Severity == diag.Error {
			e.Code, e.Err = f.Code, errors.New(f.Message)
			break
		}
	}
	if n > 1 {
		e.Err = errors.New("has " + strconv.Itoa(n) + " errors")
	}
	return e
}
