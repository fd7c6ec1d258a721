package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/wuu-plugins/wuu/internal/catalog"
	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/npmver"
	"github.com/wuu-plugins/wuu/internal/term"
)

type updateDoc struct {
	ID      string   `json:"id"`
	Version string   `json:"version"`
	Newer   []string `json:"newer"` // specs to give to update, newest first
}

type updateOptions struct {
	installOptions
	All   bool
	Check bool
}

func newUpdateCmd(a *App, run func(context.Context, *updateOptions) error) *cobra.Command {
	o := &updateOptions{}
	cmd := &cobra.Command{
		Use:   "update <id> [spec] | --all",
		Short: "Replace an installed plugin by another version",
		Long: `Replace an installed plugin by another version. Without a spec, show the newer versions that its registry has; none is
chosen for you. --all updates every plugin to its newest compatible version (within ^current, never a deprecated one), each
in a transaction of its own; it shows the list and asks once, or takes --yes. What a version can do more is asked plugin by plugin.`,
		Example: `  wuu plugin update hello npm:wuu-hello@0.1.1
  wuu plugin update hello ./hello-0.1.1.zip
  wuu plugin update hello
  wuu plugin update --all --check
  wuu plugin update --all --yes`,
		Args:              args(o.checkArgs),
		ValidArgsFunction: a.completeIDs,
		RunE: func(cmd *cobra.Command, argv []string) error {
			if len(argv) > 0 {
				o.ID = argv[0]
			}
			if len(argv) > 1 {
				o.Spec = argv[1]
			}
			if run == nil {
				run = a.runUpdate
			}
			return run(cmd.Context(), o)
		},
	}
	o.addTo(cmd)
	cmd.Flags().BoolVar(&o.All, "all", false, "update every plugin to its newest compatible version")
	cmd.Flags().BoolVar(&o.Check, "check", false, "with --all or an id: show what would be updated, and change nothing")
	return cmd
}

func (o *updateOptions) checkArgs(cmd *cobra.Command, argv []string) error {
	switch {
	case o.All:
		return cobra.NoArgs(cmd, argv)
	case o.Check:
		return cobra.ExactArgs(1)(cmd, argv)
	}
	return cobra.RangeArgs(1, 2)(cmd, argv)
}

func (a *App) runUpdate(ctx context.Context, o *updateOptions) error {
	if o.All {
		return a.updateAll(ctx, o)
	}
	r, err := a.installed(o.ID)
	if err != nil {
		return err
	}
	if o.Check {
		return a.checkUpdate(ctx, r, o)
	}
	if o.Spec != "" {
		return a.runInstall(ctx, &o.installOptions)
	}
	return a.chooseUpdate(ctx, r, o)
}

// checkUpdate is what update --all --check says, of one plugin.
func (a *App) checkUpdate(ctx context.Context, r catalog.Record, o *updateOptions) error {
	if err := o.checkAll(); err != nil {
		return err
	}
	doc, err := a.planUpdates(ctx, []catalog.Record{r}, o.Source)
	if err != nil {
		return err
	}
	doc.Check = true
	return a.finishUpdates(doc)
}

// chooseUpdate shows the newer versions of one plugin and picks none.
func (a *App) chooseUpdate(ctx context.Context, r catalog.Record, o *updateOptions) error {
	if o.Source.Frozen {
		return fault.New(fault.Usage, "USAGE", "", "--frozen looks for no other version").
			WithHint("name what is recorded: wuu plugin update --frozen %s lock:<path>", o.ID)
	}
	if r.Origin.Kind != "npm" {
		return fault.New(fault.Usage, "NO_REGISTRY", o.ID, "was installed from %s, which lists no versions", r.Origin.Spec).
			WithHint("name the new source: wuu plugin update %s <spec>", o.ID)
	}
	client, err := a.registryClient(o.Source.Offline)
	if err != nil {
		return err
	}
	versions, err := client.Versions(ctx, r.Origin.Registry, r.Origin.Package)
	if err != nil {
		return err
	}
	doc := updateDoc{ID: r.ID, Version: r.Version, Newer: newerSpecs(r.Origin.Package, r.Version, versions)}
	return a.emit(doc, func(w io.Writer, s term.Style) {
		if len(doc.Newer) == 0 {
			fmt.Fprintf(w, "%s %s is the newest version\n", r.ID, r.Version)
			return
		}
		fmt.Fprintf(w, "%s %s is installed; choose one:\n", r.ID, r.Version)
		for _, spec := range doc.Newer {
			fmt.Fprintf(w, "  %s\n", s.Cyan(term.Clean(a.updateCommand(r.ID, spec, r.Origin.Registry))))
		}
	})
}

// newerSpecs keeps the versions after current, in the registry's order.
func newerSpecs(pkg, current string, versions []string) []string {
	specs := []string{}
	installed, err := npmver.Parse(current)
	if err != nil {
		return specs
	}
	for _, text := range versions {
		if v, err := npmver.Parse(text); err == nil && v.Compare(installed) > 0 {
			specs = append(specs, "npm:"+pkg+"@"+text)
		}
	}
	return specs
}
