package cli

import (
	"io"

	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/internal/term"
)

// writeFindings prints findings with code frames, errors last; nothing under
// --json, where they are in the document, and nothing when there are none.
func (a *App) writeFindings(w io.Writer, s term.Style, list []diag.Finding, source func(string) []byte) {
	if a.json || len(list) == 0 {
		return
	}
	a.IO.Status().Clear()
	if err := diag.WriteText(w, list, source, s); err != nil {
		a.warn("%v", err)
	}
}
