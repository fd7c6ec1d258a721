package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/wuu-plugins/wuu/internal/catalog"
	"github.com/wuu-plugins/wuu/internal/term"
)

// outdatedRecord is one entry of list --outdated.
type outdatedRecord struct {
	packageRecord
	Outdated outdated `json:"outdated"`
}

type outdatedDoc struct {
	Plugins []outdatedRecord `json:"plugins"`
	Offline bool             `json:"offline,omitempty"` // only versions in the content store are known
}

func (a *App) runOutdated(ctx context.Context, offline bool) error {
	state, err := a.catalog().Snapshot()
	if err != nil {
		return err
	}
	doc, err := a.outdatedDoc(ctx, append(state.Plugins, state.Dev...), offline)
	if err != nil {
		return err
	}
	return a.emit(doc, func(w io.Writer, s term.Style) { doc.write(w, s) })
}

func (a *App) outdatedDoc(ctx context.Context, plugins []catalog.Record, offline bool) (outdatedDoc, error) {
	doc := outdatedDoc{Plugins: []outdatedRecord{}, Offline: offline}
	found, err := a.checkOutdated(ctx, plugins, sourceFlags{Offline: offline})
	for i := range found {
		doc.Plugins = append(doc.Plugins, outdatedRecord{installedRecord(plugins[i], installedLock(plugins[i])), found[i]})
	}
	return doc, err
}

// write prints one line of result, then one for each plugin.
func (d outdatedDoc) write(w io.Writer, s term.Style) {
	if len(d.Plugins) == 0 {
		fmt.Fprintln(w, "no plugins installed")
		return
	}
	newer, width := 0, 0
	for _, p := range d.Plugins {
		width = max(width, len(p.ID)+1+len(p.Version))
		if p.Outdated.hasUpdate() {
			newer++
		}
	}
	fmt.Fprintf(w, "%d of %d plugins %s newer versions\n", newer, len(d.Plugins), map[bool]string{true: "has", false: "have"}[newer == 1])
	for _, p := range d.Plugins {
		fmt.Fprintf(w, "  %-*s  %s\n", width, p.ID+" "+term.Clean(p.Version), p.Outdated.words(s))
	}
	if d.Offline {
		fmt.Fprintln(w, "  offline: only versions in the content store are known")
	}
}

// words says in one line what is known.
func (o outdated) words(s term.Style) string {
	text := s.Green("up to date")
	switch {
	case o.Error != nil:
		text = s.Red("not known: ") + term.Clean(o.Error.Message)
	case !o.Checkable:
		text = s.Dim("not checkable: ") + term.Clean(o.Reason)
	case o.Compatible != "" && o.Compatible == o.Newest:
		text = s.Cyan("newest " + o.Newest)
	case o.Compatible != "":
		text = s.Cyan("compatible "+o.Compatible) + ", newest " + o.Newest
	case o.Newest != "":
		text = "newest " + o.Newest + ", not compatible"
	}
	if o.Deprecated != "" {
		text += ", " + s.Yellow("deprecated: ") + term.Clean(o.Deprecated)
	}
	return text
}
