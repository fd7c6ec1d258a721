package contract

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/wuu-plugins/wuu/internal/term"
)

// WriteText writes r for people: the verdict first, then every check under its
// stage, failures with their frames. What the plugin sent is made safe to
// print. A write error is w's to keep.
func WriteText(w io.Writer, r *Report, s term.Style) {
	var b bytes.Buffer
	writeVerdict(&b, r, s)
	for _, stage := range r.Stages {
		fmt.Fprintln(&b, s.Bold(stage.Name))
		for _, c := range stage.Checks {
			writeCheck(&b, stage.Name, c, s)
		}
	}
	_, _ = w.Write(b.Bytes())
}

func writeVerdict(b *bytes.Buffer, r *Report, s term.Style) {
	passed, failed, skipped := r.Count()
	verdict := s.Green("Contract kept")
	if !r.OK {
		verdict = s.Red("Contract broken")
	}
	fmt.Fprintf(b, "%s: %d passed, %d failed, %d skipped\n", verdict, passed, failed, skipped)
}

func writeCheck(b *bytes.Buffer, stage string, c Check, s term.Style) {
	mark := string(c.Status)
	switch c.Status {
	case Pass:
		mark = s.Green(mark)
	case Fail:
		mark = s.Red(mark)
	case Skip:
		mark = s.Yellow(mark)
	}
	rule := strings.TrimPrefix(c.ID, stage+".")
	lines := strings.Split(strings.TrimRight(term.CleanLines(c.Message), "\n"), "\n")
	fmt.Fprintf(b, "  %s  %s: %s\n", mark, term.Clean(rule), lines[0])
	for _, line := range lines[1:] {
		fmt.Fprintf(b, "        %s\n", line)
	}
	for _, f := range c.Frames {
		arrow := "->"
		if f.Direction == "to_host" {
			arrow = "<-"
		}
		fmt.Fprintf(b, "        %s %s\n", s.Dim(arrow), s.Dim(term.Clean(f.Line)))
	}
	for _, line := range c.Log {
		fmt.Fprintf(b, "        %s\n", s.Dim("log "+term.Clean(line)))
	}
	if c.Hint != "" {
		fmt.Fprintf(b, "        %s %s\n", s.Cyan("hint:"), term.Clean(c.Hint))
	}
}
