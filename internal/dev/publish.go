package dev

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"github.com/wuu-plugins/wuu/internal/catalog"
	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/host"
)

// The waits for a lease that another process holds.
const (
	firstRetry = 250 * time.Millisecond
	lastRetry  = 2 * time.Second
)

// callLimit bounds the --call tool.
const callLimit = 30 * time.Second

// publish brings the package to the catalog and to all hosts.
func (a *attempt) publish(ctx, soft context.Context) error {
	stage, err := a.o.Catalog.NewStage()
	if err != nil {
		return err
	}
	defer stage.Close()
	if err := a.pkg.CopyTo(ctx, stage.Root()); err != nil {
		return err
	}
	findings, err := a.project.check(ctx, soft, stage.Dir())
	if err != nil {
		return err
	}
	if diag.Count(findings).Errors > 0 {
		return invalid(findings)
	}
	tx, err := a.lease(ctx, soft)
	if err != nil {
		return err
	}
	defer tx.Close()
	hosts, release, err := a.hosts(ctx)
	if err != nil {
		return err
	}
	defer release()
	change, err := tx.PutDev(stage, a.candidate(), a.project.source())
	if err != nil {
		return err
	}
	if change.Action == "unchanged" {
		_ = tx.Close() // nothing was staged
		return a.unchanged(ctx)
	}
	seen, err := host.Publish(ctx, tx, hosts)
	if err != nil {
		return err
	}
	_ = tx.Close() // committed; others may go on while the tool is called
	return a.announce(ctx, hosts, seen)
}

func (a *attempt) hosts(ctx context.Context) ([]host.Controller, func(), error) {
	if a.o.Hosts == nil {
		return nil, func() {}, nil
	}
	hosts, release, err := a.o.Hosts(ctx)
	if release == nil {
		release = func() {}
	}
	return hosts, release, err
}

// announce says what has been published and what the hosts made of it.
func (a *attempt) announce(ctx context.Context, hosts []host.Controller, seen []host.Observation) error {
	epoch, err := a.o.Catalog.Epoch()
	if err != nil {
		return err
	}
	e := Event{PluginID: a.pkg.ID, Fingerprint: a.pkg.Fingerprint, Epoch: epoch}
	published := e
	published.Type, published.Millis, published.Root, published.Findings = Published, a.millis(), a.project.base(), a.result.candidate.findings
	published.Effects = effects(a.last, a.pkg, a.report.Manifest)
	a.emit(published)
	a.id, a.last, a.result.published = a.pkg.ID, a.pkg, true
	e.Type, e.Observations = Adopted, seen
	a.adopted(ctx, hosts, e)
	return nil
}

// adopted completes and sends the event about the hosts.
func (a *attempt) adopted(ctx context.Context, hosts []host.Controller, e Event) {
	a.broken = host.Failed(e.Observations, a.pkg.ID)
	e.Error = host.FailureOf(a.broken)
	if a.broken == nil && a.o.Call != "" {
		e.Call = a.call(ctx, hosts)
	}
	e.Millis = a.millis()
	a.emit(e)
}

// observe asks the hosts about the plugin; a host that does not answer is left
// out.
func observe(ctx context.Context, hosts []host.Controller, id string) []host.Observation {
	var seen []host.Observation
	for _, h := range hosts {
		status, err := h.Status(ctx)
		if err != nil {
			continue
		}
		for _, p := range status.Plugins {
			if p.ID == id {
				seen = append(seen, host.Observation{
					HostID: status.ID, PluginID: id, Fingerprint: p.Fingerprint, Generation: status.Generation, State: p.State, Err: p.Err,
				})
			}
		}
	}
	return seen
}

// lease begins a transaction. While another process holds the lease it tries
// again and again, and says so once; without watching, busy is the answer.
// soft bounds the waiting alone: what holds the lease is not cut short.
func (a *attempt) lease(ctx, soft context.Context) (tx *catalog.Tx, err error) {
	begin := func() (err error) {
		tx, err = a.o.Catalog.Begin(ctx)
		return err
	}
	if !a.o.Watch {
		return tx, begin()
	}
	err = retryBusy(soft, begin, func(busy error) {
		a.emit(Event{Type: Failed, PluginID: a.pkg.ID, Error: waiting(busy), Kept: a.kept(a.pkg.ID)})
	})
	return tx, err
}

func waiting(busy error) *host.Failure {
	f := host.FailureOf(busy)
	f.Hint = "waiting for it; the publish goes on by itself"
	return f
}

// retryBusy calls begin until it says something else than busy, with growing
// pauses; say hears of the first refusal.
func retryBusy(ctx context.Context, begin func() error, say func(error)) error {
	for wait := firstRetry; ; wait = min(2*wait, lastRetry) {
		err := begin()
		var f *fault.Error
		if !errors.As(err, &f) || f.Kind != fault.Busy {
			return err
		}
		if wait == firstRetry {
			say(err)
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(wait):
		}
	}
}

func (a *attempt) candidate() catalog.Candidate {
	c := catalog.Candidate{
		Manifest: a.report.Manifest, ManifestPath: a.pkg.ManifestPath,
		PackageFingerprint: a.pkg.Fingerprint, FileCount: len(a.pkg.Files), UnpackedSize: a.pkg.Size,
	}
	for _, f := range a.pkg.Files {
		if f.Exec {
			c.Executables = append(c.Executables, f.Path)
		}
	}
	return c
}

// call runs the --call tool on the first host that has the plugin active.
func (a *attempt) call(ctx context.Context, hosts []host.Controller) *CallReport {
	r := &CallReport{Tool: a.o.Call}
	for _, h := range hosts {
		if !active(ctx, h, a.pkg.ID) {
			continue
		}
		result, err := h.CallTool(ctx, host.ToolCall{
			PluginID: a.pkg.ID, Tool: a.o.Call, Arguments: a.o.CallArgs, Timeout: callLimit,
		}, nil)
		if err != nil {
			r.Error = host.FailureOf(err)
		} else {
			r.Result = &result
		}
		return r
	}
	r.Error = host.FailureOf(fault.New(fault.Plugin, "NOT_ACTIVE", a.pkg.ID, "no live host has it active"))
	return r
}

func active(ctx context.Context, h host.Controller, id string) bool {
	for _, o := range observe(ctx, []host.Controller{h}, id) {
		return o.State == host.StateActive
	}
	return false
}

// real is path without symbolic links, as the catalog records it.
func real(path string) string {
	if r, err := filepath.EvalSymlinks(path); err == nil {
		return r
	}
	return path
}
