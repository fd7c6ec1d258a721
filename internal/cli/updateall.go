package cli

import (
	"context"
	"fmt"

	"github.com/wuu-plugins/wuu/internal/catalog"
	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/host"
	"github.com/wuu-plugins/wuu/internal/term"
)

// updateAll updates every installed plugin to its newest compatible version,
// each in a transaction of its own: one that fails does not stop the others.
// The list is shown and asked about once; what a version can do more is asked
// about plugin by plugin, like in any update.
func (a *App) updateAll(ctx context.Context, o *updateOptions) error {
	if err := o.checkAll(); err != nil {
		return err
	}
	state, err := a.catalog().Snapshot()
	if err != nil {
		return err
	}
	doc, err := a.planUpdates(ctx, state.Plugins, o.Source)
	if err != nil {
		return err
	}
	if o.Check || doc.count(actionAvailable) == 0 {
		doc.Check = o.Check
		return a.finishUpdates(doc)
	}
	if err := a.confirmUpdates(ctx, doc, o); err != nil {
		return err
	}
	for i := range doc.Plugins {
		if u := &doc.Plugins[i]; u.Action == actionAvailable && ctx.Err() == nil {
			a.updateOne(ctx, u, o)
		}
	}
	err = a.finishUpdates(doc)
	if err == nil && ctx.Err() != nil {
		err = reported{fault.As(context.Cause(ctx))} // what was done is told all the same
	}
	return err
}

// checkAll refuses flags that mean one source.
func (o *updateOptions) checkAll() error {
	for flag, set := range map[string]bool{
		"registry": o.Source.Registry != "", "integrity": o.Source.Integrity != "", "frozen": o.Source.Frozen,
		"accept-capabilities": o.Consent.Digest != "", "allow-downgrade": o.Consent.AllowDowngrade,
	} {
		if set {
			return fault.New(fault.Usage, "USAGE", "", "--%s means one source; it cannot go with --all or --check", flag).
				WithHint("update that plugin by itself: wuu plugin update <id> <spec>")
		}
	}
	return checkProgress(o.Source.Progress)
}

// planUpdates says of each plugin whether there is something to update to.
func (a *App) planUpdates(ctx context.Context, plugins []catalog.Record, f sourceFlags) (*updatesDoc, error) {
	found, err := a.checkOutdated(ctx, plugins, f)
	if err != nil {
		return nil, err
	}
	doc := &updatesDoc{Plugins: []pluginUpdate{}}
	for i, r := range plugins {
		u := pluginUpdate{ID: r.ID, Registry: r.Origin.Registry, From: r.Version, To: found[i].Compatible, Spec: found[i].Update, Outdated: found[i], Hosts: []host.Observation{}}
		u.pasted = a.specFrom(u.Spec, r.Origin.Registry)
		switch {
		case found[i].err != nil:
			u.fail(found[i].err)
		case !found[i].Checkable:
			u.Action = actionSkipped
		case u.Spec != "":
			u.Action = actionAvailable
		default:
			u.Action = actionCurrent
		}
		doc.Plugins = append(doc.Plugins, u)
	}
	return doc, nil
}

// confirmUpdates shows the list and asks once; without a terminal --yes stands
// for the answer.
func (a *App) confirmUpdates(ctx context.Context, doc *updatesDoc, o *updateOptions) error {
	if o.Consent.Yes || o.DryRun {
		return nil
	}
	n := doc.count(actionAvailable)
	if !a.IO.InTTY || !a.IO.ErrTTY || a.json {
		return fault.New(fault.Consent, "CONSENT_REQUIRED", "", "%s would be updated", plural(n, "plugin")).
			WithHint("look at them with: wuu plugin update --all --check; then add --yes").WithDetails(doc)
	}
	s := a.IO.ErrStyle()
	for _, u := range doc.Plugins {
		if u.Action == actionAvailable {
			fmt.Fprintf(a.IO.Err, "  %s %s → %s  %s\n", s.Bold(u.ID), term.Clean(u.From), u.To, s.Dim(term.Clean(u.Spec)))
		}
	}
	yes, err := a.IO.Confirm(ctx, "Update "+plural(n, "plugin")+"?")
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	switch {
	case err != nil:
		return fault.New(fault.Consent, "DECLINED", "", "nothing was changed: there was no answer")
	case !yes:
		return fault.New(fault.Consent, "DECLINED", "", "nothing was changed: you said no")
	}
	return nil
}

// updateOne runs one update. The yes to the list is no yes to new capabilities.
func (a *App) updateOne(ctx context.Context, u *pluginUpdate, o *updateOptions) {
	one := &installOptions{Spec: u.Spec, ID: u.ID, DryRun: o.DryRun, Source: o.Source}
	one.Source.Registry = u.Registry
	doc, err := a.install(ctx, one)
	if doc != nil {
		u.Action, u.Hosts, u.DryRun = doc.Action, doc.Hosts, doc.DryRun
	}
	if err != nil {
		u.fail(err)
	}
}

// updateCommand is the command that installs spec from the registry that the
// plugin came from, which need not be the one in the settings.
func (a *App) updateCommand(id, spec, registry string) string {
	return "wuu plugin update " + id + " " + a.specFrom(spec, registry)
}

func (a *App) specFrom(spec, registry string) string {
	if registry != a.config.Registry {
		spec += " --registry " + registry
	}
	return spec
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
