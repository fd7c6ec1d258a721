package cli

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/term"
	"github.com/wuu-plugins/wuu/pack"
)

type cachePruneOptions struct {
	Max string
	All bool
}

type cachePruneDoc struct {
	Removed  []cachedArchive `json:"removed"`
	Freed    int64           `json:"freed"`
	Archives int             `json:"archives"` // that are left
	Size     int64           `json:"size"`     // of those
}

func newCachePruneCmd(a *App, run func(context.Context, *cachePruneOptions) error) *cobra.Command {
	o := &cachePruneOptions{}
	cmd := &cobra.Command{
		Use:   "prune",
		Short: "Remove the archives that were not used for longest",
		Long: `Remove the archives that were not used for longest, until the rest fits. Nothing is lost but the time of a download;
installed plugins do not need them, except offline.`,
		Example: "  wuu cache prune\n  wuu cache prune --max 200MB\n  wuu cache prune --all",
		Args:    args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if run == nil {
				run = a.runCachePrune
			}
			return run(cmd.Context(), o)
		},
	}
	cmd.Flags().StringVar(&o.Max, "max", "", "how much may stay: a `SIZE` such as 200MB (default cache.max_bytes of the settings)")
	cmd.Flags().BoolVar(&o.All, "all", false, "remove every archive")
	return cmd
}

func (a *App) runCachePrune(_ context.Context, o *cachePruneOptions) error {
	limit, err := o.limit(a.config.CacheMax)
	if err != nil {
		return err
	}
	store := a.store()
	removed := cached(store.Prune(limit))
	left := cached(store.List())
	for _, b := range removed {
		if slices.ContainsFunc(left, func(l cachedArchive) bool { return l.Integrity == b.Integrity }) {
			return fault.New(fault.Usage, "STORE_FAILED", a.home.Cache(), "an archive could not be removed: %s", b.name()).
				WithHint("check who may write there")
		}
	}
	doc := cachePruneDoc{Removed: removed, Freed: sizeOf(removed), Archives: len(left), Size: sizeOf(left)}
	return a.emit(doc, func(w io.Writer, s term.Style) {
		fmt.Fprintf(w, "removed %s, %s; left %s, %s\n", plural(len(removed), "archive"), term.Size(doc.Freed), plural(len(left), "archive"), term.Size(doc.Size))
		writeCached(w, s, removed)
	})
}

// limit is how many bytes may stay.
func (o *cachePruneOptions) limit(otherwise int64) (int64, error) {
	switch {
	case o.All && o.Max != "":
		return 0, fault.New(fault.Usage, "USAGE", "", "--all and --max contradict each other")
	case o.All, o.Max == "0":
		return 0, nil
	case o.Max == "":
		return otherwise, nil
	}
	limit, err := pack.ParseSize(o.Max)
	if err != nil {
		return 0, fault.New(fault.Usage, "USAGE", "", "--max: %w", err)
	}
	return limit, nil
}
