package cli

import (
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/wuu-plugins/wuu/internal/catalog"
	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/lockfile"
)

// installed returns the installed package id; a dev override does not count.
func (a *App) installed(id string) (catalog.Record, error) {
	state, err := a.catalog().Snapshot()
	if err != nil {
		return catalog.Record{}, err
	}
	for _, r := range state.Plugins {
		if r.ID == id {
			return r, nil
		}
	}
	return catalog.Record{}, fault.New(fault.Usage, "NOT_INSTALLED", id, "is not installed").
		WithHint("see what is: wuu plugin list")
}

// installedLock reads the lock of an installed package, nil when it has none.
func installedLock(r catalog.Record) *lockfile.Lock {
	lock, err := lockfile.Read(installedLockPath(r))
	if err != nil {
		return nil
	}
	return lock
}

func installedLockPath(r catalog.Record) string { return filepath.Join(r.Root, lockfile.Name) }

// completeIDs completes the first argument with ids of the catalog.
func (a *App) completeIDs(_ *cobra.Command, args []string, prefix string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 || a.setup() != nil {
		return nil, cobra.ShellCompDirectiveDefault
	}
	state, err := a.catalog().Snapshot()
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	var ids []string
	for _, r := range state.Selected() {
		if strings.HasPrefix(r.ID, prefix) {
			ids = append(ids, r.ID)
		}
	}
	return ids, cobra.ShellCompDirectiveDefault
}
