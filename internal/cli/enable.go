package cli

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wuu-plugins/wuu/internal/catalog"
	"github.com/wuu-plugins/wuu/internal/host"
	"github.com/wuu-plugins/wuu/internal/term"
)

type changeDoc struct {
	packageRecord
	Action   string             `json:"action"`
	Affected []string           `json:"affected"` // active plugins that now lack a required dependency
	Hosts    []host.Observation `json:"hosts"`
}

func newEnableCmd(a *App, run func(context.Context, string) error) *cobra.Command {
	if run == nil {
		run = func(ctx context.Context, id string) error {
			return a.change(ctx, func(tx *catalog.Tx) (catalog.Change, error) { return tx.Set(id, true) })
		}
	}
	return a.idCommand(run, &cobra.Command{
		Use: "enable <id>", Short: "Let hosts run an installed plugin", Example: "  wuu plugin enable hello",
	})
}

func newDisableCmd(a *App, run func(context.Context, string) error) *cobra.Command {
	if run == nil {
		run = func(ctx context.Context, id string) error {
			return a.change(ctx, func(tx *catalog.Tx) (catalog.Change, error) { return tx.Set(id, false) })
		}
	}
	return a.idCommand(run, &cobra.Command{
		Use: "disable <id>", Short: "Stop an installed plugin on every host at once", Example: "  wuu plugin disable hello",
		Long: "Stop an installed plugin on every host at once. A dev override ends with: wuu plugin dev --revoke <id>",
	})
}

func newRemoveCmd(a *App, run func(ctx context.Context, id string) error) *cobra.Command {
	purge := false
	if run == nil {
		run = func(ctx context.Context, id string) error {
			return a.change(ctx, func(tx *catalog.Tx) (catalog.Change, error) { return tx.Remove(id, purge) })
		}
	}
	cmd := a.idCommand(run, &cobra.Command{
		Use: "remove <id>", Aliases: []string{"uninstall"}, Short: "Remove an installed plugin",
		Long:    "Remove an installed plugin. Its storage and settings are kept unless --purge.",
		Example: "  wuu plugin remove hello\n  wuu plugin remove hello --purge",
	})
	cmd.Flags().BoolVar(&purge, "purge", false, "also drop its storage and settings")
	return cmd
}

// idCommand completes a command that takes one installed id.
func (a *App) idCommand(run func(context.Context, string) error, cmd *cobra.Command) *cobra.Command {
	cmd.Args = args(cobra.ExactArgs(1))
	cmd.ValidArgsFunction = a.completeIDs
	cmd.RunE = func(cmd *cobra.Command, argv []string) error { return run(cmd.Context(), argv[0]) }
	return cmd
}

// change runs one step of a transaction, publishes it and prints the record.
func (a *App) change(ctx context.Context, step func(*catalog.Tx) (catalog.Change, error)) error {
	tx, err := a.catalog().Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Close()
	a.reportRepairs(tx)
	change, err := step(tx)
	if err != nil {
		return err
	}
	record := change.After
	if record == nil {
		record = change.Before
	}
	doc := changeDoc{packageRecord: installedRecord(*record, installedLock(*record)), Action: change.Action, Affected: orEmpty(change.Affected), Hosts: []host.Observation{}}
	if doc.Action != "unchanged" {
		err = a.publish(ctx, tx, doc.ID, &doc.Hosts)
		if !published(err) {
			return err
		}
		if doc.Action == "removed" {
			a.dropFileList(doc.ID)
		}
	}
	werr := a.emit(doc, func(w io.Writer, s term.Style) {
		fmt.Fprintf(w, "%s %s %s\n", s.Green(doc.Action), doc.ID, doc.Version)
		if len(doc.Affected) > 0 {
			fmt.Fprintf(w, "  %s %s now lack what they require\n", s.Yellow("affected:"), strings.Join(doc.Affected, ", "))
		}
		writeObservations(w, s, doc.ID, doc.Hosts)
	})
	if werr == nil && err != nil {
		return a.reportedAfter(err)
	}
	return werr
}
