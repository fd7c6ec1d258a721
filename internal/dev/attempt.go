package dev

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/host"
	"github.com/wuu-plugins/wuu/pack"
	"github.com/wuu-plugins/wuu/validate"
)

// The codes of the errors of one attempt.
const (
	CodeInvalid = "DEV_INVALID"    // there are findings of severity error
	CodeRenamed = "DEV_ID_CHANGED" // the plugin's id changed while the loop runs
	CodeHome    = "DEV_HOME"       // the home would be packed with the plugin
)

// A file that changes while it is read is read again.
const (
	changeTries = 5
	changePause = 150 * time.Millisecond // longer than a change takes to be noticed
)

// result is how an attempt ended. err is errNewer, the cause of ctx, or what
// an event has said already.
type result struct {
	err       error
	published bool
	id        string
	candidate *candidate // nil: it was not built
	began     time.Time
}

// attempt is one pass from the sources to the hosts.
type attempt struct {
	*loop
	trigger trigger
	began   time.Time
	result  result
	root    *os.Root // of pkg, which reads from it until it is copied
	pkg     *pack.Package
	report  *validate.Report
	broken  error // published, but a host could not activate it
}

// attempt builds, checks and publishes once. ctx ends everything; soft ends
// what may be given up for a newer change.
func (l *loop) attempt(ctx, soft context.Context, t trigger) result {
	l.seq++
	a := &attempt{loop: l, trigger: t, began: time.Now()}
	a.result.began = a.began
	a.emit(Event{Type: Building, Changes: t.relative(l.project.base())})
	err := a.settled(ctx, soft)
	var bad invalid
	switch {
	case err == nil:
		err = a.broken
	case ctx.Err() != nil:
		err = context.Cause(ctx)
	case errors.Is(err, errNewer):
	case errors.As(err, &bad):
		a.emit(Event{
			Type: Invalid, PluginID: a.result.id, Root: a.project.base(), Findings: bad, Millis: a.millis(), Kept: a.kept(a.result.id),
		})
		err = fault.New(fault.Check, CodeInvalid, a.project.source(), "the plugin has %d errors", diag.Count(bad).Errors)
	default:
		a.emit(Event{Type: Failed, PluginID: a.result.id, Error: host.FailureOf(err), Millis: a.millis(), Kept: a.kept(a.result.id)})
	}
	a.result.err = err
	return a.result
}

// invalid is the error of a candidate with findings of severity error.
type invalid []diag.Finding

func (invalid) Error() string { return "invalid" }

func (a *attempt) millis() int64 {
	since := a.began
	if !a.trigger.first.IsZero() {
		since = a.trigger.first
	}
	return time.Since(since).Milliseconds()
}

// settled goes through the steps, and does so again when a file changed while
// it was read: the change ends soft soon, unless the file is not watched.
func (a *attempt) settled(ctx, soft context.Context) error {
	for try := 1; ; try++ {
		err := a.steps(ctx, soft)
		if a.root != nil {
			_ = a.root.Close() // only read from
			a.root = nil
		}
		if !pack.Changed(err) || try == changeTries {
			return err
		}
		pause := time.NewTimer(changePause)
		select {
		case <-pause.C:
		case <-soft.Done():
			pause.Stop()
			return context.Cause(soft)
		}
	}
}

func (a *attempt) steps(ctx, soft context.Context) error {
	c, err := a.project.build(ctx, soft)
	if err != nil {
		return err
	}
	a.result.candidate = c
	if c.manifest != nil {
		a.result.id = c.manifest.ID
	}
	if c.failed() {
		diag.Sort(c.findings)
		return invalid(c.findings)
	}
	if err := a.validate(ctx, c); err != nil {
		return err
	}
	if a.id != "" && a.id != a.pkg.ID {
		return fault.New(fault.Check, CodeRenamed, a.pkg.ID, "the plugin was %s when the loop began", a.id).
			WithHint("start wuu plugin dev again, and end the old override with: wuu plugin dev --revoke %s", a.id)
	}
	a.emit(Event{Type: Built, PluginID: a.pkg.ID, Fingerprint: a.pkg.Fingerprint, Millis: a.millis()})
	if a.serves() {
		return a.unchanged(ctx)
	}
	return a.publish(ctx, soft)
}

// validate packs the candidate and checks the package.
func (a *attempt) validate(ctx context.Context, c *candidate) error {
	var err error
	if a.root, err = os.OpenRoot(c.dir); err != nil {
		return err
	}
	pkg, findings, err := pack.OpenDir(ctx, a.root, pack.Options{Overlay: c.overlay})
	if err != nil {
		return err
	}
	c.findings = append(c.findings, findings...)
	if pkg == nil {
		diag.Sort(c.findings)
		return invalid(c.findings)
	}
	a.pkg = pkg
	if err := a.homeless(c); err != nil {
		return err
	}
	a.report, err = validate.Run(ctx, pkg, validate.Options{WuuVersion: a.o.Version})
	if err != nil {
		return err
	}
	c.findings = append(c.findings, a.report.Findings...)
	diag.Sort(c.findings)
	if c.failed() || a.report.Manifest == nil {
		return invalid(c.findings)
	}
	return nil
}

// homeless refuses a package that holds the home which it is published to:
// each publish would pack the ones before.
func (a *attempt) homeless(c *candidate) error {
	rel, err := filepath.Rel(c.dir, real(a.o.Home.Dir()))
	if err != nil {
		return nil // on another volume
	}
	prefix := filepath.ToSlash(rel) + "/"
	for _, f := range a.pkg.Files {
		if strings.HasPrefix(f.Path, prefix) {
			return fault.New(fault.Usage, CodeHome, a.o.Home.Dir(), "lies inside the plugin and would be packed").
				WithHint("move it, or name it in .wuuignore: %s", prefix)
		}
	}
	return nil
}

// unchanged ends an attempt whose package is published already. The first one
// of a loop says what the hosts make of it, as if it had published it.
func (a *attempt) unchanged(ctx context.Context) error {
	first := a.id == ""
	a.id, a.last = a.pkg.ID, a.pkg
	if !first {
		return nil
	}
	hosts, release, err := a.hosts(ctx)
	if err != nil {
		return err
	}
	defer release()
	e := Event{Type: Adopted, PluginID: a.pkg.ID, Fingerprint: a.pkg.Fingerprint, Kept: a.pkg.Fingerprint}
	e.Observations = observe(ctx, hosts, a.pkg.ID)
	a.adopted(ctx, hosts, e)
	return nil
}

// serves reports whether exactly this package is what the catalog has for this
// source already.
func (a *attempt) serves() bool {
	state, err := a.o.Catalog.Snapshot()
	if err != nil {
		return false // publishing will say it
	}
	for _, r := range state.Dev {
		if r.ID == a.pkg.ID {
			return r.Broken == "" && r.Origin.Path == real(a.project.source()) && r.PackageFingerprint == a.pkg.Fingerprint
		}
	}
	return false
}
