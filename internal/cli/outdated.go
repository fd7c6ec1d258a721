package cli

import (
	"context"
	"sync"

	"github.com/wuu-plugins/wuu/internal/catalog"
	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/npmver"
	"github.com/wuu-plugins/wuu/registry"
)

// outdated is what is known about newer versions of one installed plugin. A
// version that its publisher deprecated is never one to update to.
type outdated struct {
	Checkable  bool       `json:"checkable"`
	Reason     string     `json:"reason,omitempty"`     // why not checkable
	Current    string     `json:"current"`              // the installed version
	Compatible string     `json:"compatible,omitempty"` // the newest within ^current
	Newest     string     `json:"newest,omitempty"`     // the newest of all
	Update     string     `json:"update,omitempty"`     // the spec of Compatible
	Deprecated string     `json:"deprecated,omitempty"` // what the publisher says of the current version
	Error      *errorBody `json:"error,omitempty"`      // the registry gave no answer
	err        error
}

// hasUpdate reports whether there is any newer version.
func (o outdated) hasUpdate() bool { return o.Compatible != "" || o.Newest != "" }

// askers is how many registries are asked at the same time.
const askers = 8

// checkOutdated asks the recorded registry of every plugin for its versions,
// several at a time. A registry that does not answer is an entry's error; the
// error of the whole is only the end of ctx. The look-ups are no phases of
// --progress json.
func (a *App) checkOutdated(ctx context.Context, plugins []catalog.Record, f sourceFlags) ([]outdated, error) {
	client, err := a.registryClient(f.Offline)
	if err != nil {
		return nil, err
	}
	defer client.Close()
	all := make([]outdated, len(plugins))
	show := func(string, int64, int64) {}
	if f.Progress == "" {
		show = a.progress("", "")
	}
	defer a.IO.Status().Clear()
	var wait sync.WaitGroup
	slots := make(chan struct{}, askers)
	for i, r := range plugins {
		wait.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			show("look up "+r.ID, 0, 0)
			all[i] = lookUp(ctx, client, r)
		})
	}
	wait.Wait()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return all, nil
}

func lookUp(ctx context.Context, client *registry.Client, r catalog.Record) outdated {
	o := outdated{Current: r.Version}
	switch {
	case r.Dev:
		o.Reason = "a dev override follows its folder"
		return o
	case r.Origin.Kind != string(registry.NPM):
		o.Reason = "installed from " + r.Origin.Spec + ", which lists no versions"
		if r.Origin.Spec == "" {
			o.Reason = "its source was not recorded"
		}
		return o
	}
	current, err := npmver.Parse(r.Version)
	if err != nil {
		o.Reason = "its version is not an exact version"
		return o
	}
	o.Checkable = true
	releases, err := client.Releases(ctx, r.Origin.Registry, r.Origin.Package)
	if err != nil {
		e := fault.As(err)
		o.err, o.Error = err, &errorBody{e.Code, err.Error(), e.Hint, nil}
		return o
	}
	o.choose(r.Origin.Package, current, releases)
	return o
}

// choose picks the newest version within ^current, as npm means it: the same
// major number, and below 1.0.0 the same minor number too. Prereleases count
// only when the current version is one.
func (o *outdated) choose(pkg string, current npmver.Version, releases []registry.Release) {
	same, err := npmver.ParseRange("^" + o.Current)
	for _, r := range releases {
		v, verr := npmver.Parse(r.Version)
		if verr != nil {
			continue
		}
		if v.Compare(current) == 0 {
			o.Deprecated = r.Deprecated
		}
		if v.Compare(current) <= 0 || r.Deprecated != "" || v.Prerelease() != "" && current.Prerelease() == "" {
			continue
		}
		if o.Newest == "" {
			o.Newest = r.Version
		}
		if o.Compatible == "" && err == nil && same.Match(v) {
			o.Compatible, o.Update = r.Version, "npm:"+pkg+"@"+r.Version
		}
	}
}
