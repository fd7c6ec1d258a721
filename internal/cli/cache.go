package cli

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/sri"
	"github.com/wuu-plugins/wuu/internal/term"
	"github.com/wuu-plugins/wuu/registry"
)

func newCacheCmd(a *App) *cobra.Command {
	return group(&cobra.Command{
		Use:     "cache",
		Short:   "Look at, check and shrink the store of downloaded archives",
		Example: "  wuu cache ls\n  wuu cache verify\n  wuu cache prune --max 200MB",
	}, newCacheListCmd(a, nil), newCacheVerifyCmd(a, nil), newCachePruneCmd(a, nil))
}

// cachedArchive is one archive of the content store.
type cachedArchive struct {
	Integrity string                  `json:"integrity"`
	Size      int64                   `json:"size"`
	Used      time.Time               `json:"used"`
	Sources   []registry.StoredSource `json:"sources"` // what registries said it is; empty when only a lock named it
}

// cacheDoc is the result of cache ls; the store's limit is in bytes.
type cacheDoc struct {
	Path     string          `json:"path"`
	Size     int64           `json:"size"`
	Max      int64           `json:"max"`
	Archives []cachedArchive `json:"archives"` // the most recently used first
}

func cached(all []registry.StoredArchive) []cachedArchive {
	out := make([]cachedArchive, len(all))
	for i, b := range all {
		out[i] = cachedArchive{sri.FormatSHA512(b.SHA512), b.Size, b.Used.UTC(), orEmpty(b.Sources)}
	}
	return out
}

func sizeOf(all []cachedArchive) (total int64) {
	for _, b := range all {
		total += b.Size
	}
	return total
}

func (a *App) store() *registry.Store {
	return registry.OpenStore(a.home.Cache(), a.config.CacheMax, a.Now)
}

func newCacheListCmd(a *App, run func(context.Context) error) *cobra.Command {
	return &cobra.Command{
		Use:     "ls",
		Aliases: []string{"list"},
		Short:   "List the stored archives: size, last use and where they came from",
		Example: "  wuu cache ls\n  wuu cache ls --json",
		Args:    args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if run == nil {
				run = a.runCacheList
			}
			return run(cmd.Context())
		},
	}
}

func (a *App) runCacheList(context.Context) error {
	all := cached(a.store().List())
	doc := cacheDoc{Path: a.home.Cache(), Size: sizeOf(all), Max: a.config.CacheMax, Archives: all}
	return a.emit(doc, func(w io.Writer, s term.Style) {
		fmt.Fprintf(w, "%s, %s of at most %s, in %s\n", plural(len(all), "archive"), term.Size(doc.Size), term.Size(doc.Max), a.rel(doc.Path))
		writeCached(w, s, all)
	})
}

// writeCached prints one line for each archive.
func writeCached(w io.Writer, s term.Style, all []cachedArchive) {
	for _, b := range all {
		fmt.Fprintf(w, "  %9s  %s  %s\n", term.Size(b.Size), s.Dim(b.Used.Format("2006-01-02 15:04")), term.Clean(b.name()))
	}
}

// name is the packages that an archive is known as, else its hash.
func (b cachedArchive) name() string {
	if len(b.Sources) == 0 {
		return b.Integrity
	}
	names := make([]string, len(b.Sources))
	for i, src := range b.Sources {
		names[i] = "npm:" + src.Package + "@" + src.Version + " from " + src.Registry
	}
	return strings.Join(names, ", ")
}

type cacheVerifyDoc struct {
	OK      bool            `json:"ok"`
	Checked int             `json:"checked"`
	Size    int64           `json:"size"`    // bytes that were hashed
	Dropped []cachedArchive `json:"dropped"` // the altered ones
}

func newCacheVerifyCmd(a *App, run func(context.Context, string) error) *cobra.Command {
	progress := ""
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "Hash every stored archive again and drop the altered ones",
		Long: `Hash every stored archive again and drop the altered ones. The exit code is 1 when there were any. They are not lost:
the next install downloads them again.`,
		Example: "  wuu cache verify\n  wuu cache verify --json",
		Args:    args(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if run == nil {
				run = a.runCacheVerify
			}
			return run(cmd.Context(), progress)
		},
	}
	cmd.Flags().StringVar(&progress, "progress", "", "`json`: phases as JSON lines on stderr")
	choices(cmd, "progress", "json")
	return cmd
}

func (a *App) runCacheVerify(ctx context.Context, progress string) error {
	if err := checkProgress(progress); err != nil {
		return err
	}
	store := a.store()
	before := cached(store.List())
	defer a.IO.Status().Clear()
	dropped, err := store.Verify(ctx, fetching(a.progress(progress, "")))
	if err != nil {
		return err
	}
	doc := cacheVerifyDoc{OK: len(dropped) == 0, Checked: len(before), Size: sizeOf(before), Dropped: cached(dropped)}
	err = a.emit(doc, func(w io.Writer, s term.Style) {
		if doc.OK {
			fmt.Fprintf(w, "%s %s, %s\n", s.Green("verified"), plural(doc.Checked, "archive"), term.Size(doc.Size))
			return
		}
		fmt.Fprintf(w, "%s %d of %s; dropped\n", s.Red("altered"), len(doc.Dropped), plural(doc.Checked, "archive"))
		writeCached(w, s, doc.Dropped)
	})
	if err == nil && !doc.OK {
		err = checkFailed(fault.Check, "CACHE_ALTERED")
	}
	return err
}
