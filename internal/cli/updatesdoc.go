package cli

import (
	"fmt"
	"io"

	"github.com/wuu-plugins/wuu/internal/catalog"
	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/host"
	"github.com/wuu-plugins/wuu/internal/term"
)

// The actions of update --all, beside those of an installation.
const (
	actionAvailable = "available" // there is a newer compatible version
	actionCurrent   = "current"   // there is none
	actionSkipped   = "skipped"   // nobody can be asked
	actionFailed    = "failed"
)

// updatesDoc is the result of update --all and of --check.
type updatesDoc struct {
	Check   bool           `json:"check,omitempty"`
	Plugins []pluginUpdate `json:"plugins"`
}

// pluginUpdate is what became of one plugin.
type pluginUpdate struct {
	ID       string             `json:"id"`
	From     string             `json:"from"`
	To       string             `json:"to,omitempty"`
	Spec     string             `json:"spec,omitempty"`
	Registry string             `json:"registry,omitempty"` // the recorded one
	Action   string             `json:"action"`
	DryRun   bool               `json:"dry_run,omitempty"`
	Outdated outdated           `json:"outdated"`
	Error    *errorBody         `json:"error,omitempty"`
	Hosts    []host.Observation `json:"hosts"`
	err      *fault.Error
	pasted   string // the spec as arguments of a command
}

// fail notes why the plugin is not what it should be. An update whose
// activation failed stays one: the change stands.
func (u *pluginUpdate) fail(err error) {
	e := *fault.As(err)
	if need, ok := e.Details.(catalog.ConsentNeeded); ok {
		e.Hint = fmt.Sprintf("look at it with: wuu plugin inspect %s; then: wuu plugin update %s %s --accept-capabilities=%s", u.pasted, u.ID, u.pasted, need.CapabilitiesDigest)
	}
	u.err = &e
	u.Error = &errorBody{e.Code, e.Error(), e.Hint, e.Details}
	if !published(err) {
		u.Action = actionFailed
	}
}

func (d *updatesDoc) count(action string) (n int) {
	for _, u := range d.Plugins {
		if u.Action == action {
			n++
		}
	}
	return n
}

// worst is the error with the highest exit code, nil when all went well.
func (d *updatesDoc) worst() *fault.Error {
	var worst *fault.Error
	for _, u := range d.Plugins {
		if u.err != nil && (worst == nil || u.err.Kind > worst.Kind) {
			worst = u.err
		}
	}
	return worst
}

// finishUpdates prints the result on stdout and every error on stderr.
func (a *App) finishUpdates(doc *updatesDoc) error {
	if err := a.emit(doc, func(w io.Writer, s term.Style) { doc.write(w, s) }); err != nil {
		return err
	}
	worst := doc.worst()
	if worst == nil {
		return nil
	}
	if !a.json {
		for _, u := range doc.Plugins {
			if u.err != nil {
				a.fail(u.err) //nolint:errcheck // it returns its argument
			}
		}
	}
	return reported{worst}
}

func (d *updatesDoc) write(w io.Writer, s term.Style) {
	available, done := d.count(actionAvailable), d.count("updated")
	switch {
	case len(d.Plugins) == 0:
		fmt.Fprintln(w, "no plugins installed")
	case d.Check:
		fmt.Fprintf(w, "%s can be updated\n", plural(available, "plugin"))
	case d.dryRun():
		fmt.Fprintf(w, "%s would be updated\n", plural(done, "plugin"))
	default:
		fmt.Fprintf(w, "%s updated\n", plural(done, "plugin"))
	}
	for _, u := range d.Plugins {
		fmt.Fprintf(w, "  %s %s  %s\n", s.Bold(u.ID), term.Clean(u.From), u.words(s))
		writeObservations(w, s, u.ID, u.Hosts)
	}
}

func (d *updatesDoc) dryRun() bool {
	for _, u := range d.Plugins {
		if u.DryRun {
			return true
		}
	}
	return false
}

func (u pluginUpdate) words(s term.Style) string {
	switch u.Action {
	case actionAvailable:
		return s.Cyan("→ "+u.To) + "  " + s.Dim(term.Clean(u.Spec))
	case "updated":
		if u.DryRun {
			return s.Cyan("would be updated to " + u.To)
		}
		return s.Green("updated to " + u.To)
	case actionFailed:
		return s.Red("failed")
	}
	return u.Outdated.words(s)
}
