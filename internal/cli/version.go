package cli

import (
	"fmt"
	"io"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/wuu-plugins/wuu/internal/term"
	"github.com/wuu-plugins/wuu/internal/version"
)

type versionDoc struct {
	Version  string `json:"version"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

func newVersionCmd(a *App) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print wuu's version (CalVer: YYYY.MMDD.N)",
		Example: "  wuu version\n  wuu version --json",
		Args:    args(cobra.NoArgs),
		RunE:    func(*cobra.Command, []string) error { return a.printVersion() },
	}
}

func (a *App) printVersion() error {
	doc := versionDoc{version.String(), runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH}
	return a.emit(doc, func(w io.Writer, _ term.Style) { fmt.Fprintln(w, doc.Version) })
}
