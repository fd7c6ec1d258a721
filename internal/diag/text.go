package diag

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/wuu-plugins/wuu/internal/term"
)

// WriteText prints findings for people: infos, then warnings, then errors, so
// that what matters is next to the prompt; each with its place, a code frame
// whose caret stands under the exact character, and its hint; at the end one
// line with the counts. source returns the content of a finding's file, or nil
// when it is not at hand (then there is no frame); it is asked once for each
// file and may itself be nil. An empty list prints nothing.
func WriteText(w io.Writer, findings []Finding, source func(file string) []byte, style term.Style) error {
	if len(findings) == 0 {
		return nil
	}
	out := bufio.NewWriter(w)
	list := ordered(findings)
	sources := map[string][]byte{}
	for _, f := range list {
		src, asked := sources[f.File]
		if !asked && source != nil && f.File != "" {
			src = source(f.File)
			sources[f.File] = src
		}
		writeOne(out, f, src, style)
	}
	fmt.Fprintln(out, Count(list).Line())
	return out.Flush()
}

func writeOne(out io.Writer, f Finding, src []byte, style term.Style) {
	name := fmt.Sprintf("%s[%s]", f.Severity, f.Code)
	switch f.Severity {
	case Error:
		name = style.Red(name)
	case Warning:
		name = style.Yellow(name)
	default:
		name = style.Cyan(name)
	}
	fmt.Fprint(out, name)
	if place := f.place(); place != "" {
		fmt.Fprint(out, " ", style.Bold(place)+":")
	}
	fmt.Fprintln(out, "", term.Clean(f.Message))
	if f.Start.Line > 0 && src != nil {
		writeFrame(out, f, src, style)
	}
	if f.Hint != "" {
		fmt.Fprintf(out, "  %s %s\n", style.Cyan("hint:"), term.Clean(f.Hint))
	}
}

func (f Finding) place() string {
	if f.File == "" {
		return ""
	}
	place := term.Clean(f.File)
	if f.Start.Line > 0 {
		place += fmt.Sprintf(":%d:%d", f.Start.Line, f.Start.ColChar)
	}
	return place
}

// Line says the counts in words: "2 errors, 1 warning".
func (s Summary) Line() string {
	var parts []string
	for _, c := range []struct {
		n    int
		name string
	}{{s.Errors, "error"}, {s.Warnings, "warning"}, {s.Infos, "note"}} {
		switch {
		case c.n == 1:
			parts = append(parts, "1 "+c.name)
		case c.n > 1:
			parts = append(parts, fmt.Sprintf("%d %ss", c.n, c.name))
		}
	}
	if len(parts) == 0 {
		return "no findings"
	}
	return strings.Join(parts, ", ")
}

// lineAt returns the text of line n of src, without its end.
func lineAt(src []byte, n int) string {
	src = bytes.TrimPrefix(src, []byte("\ufeff"))
	for ; n > 1; n-- {
		_, rest, more := bytes.Cut(src, []byte{'\n'})
		if !more {
			return ""
		}
		src = rest
	}
	line, _, _ := bytes.Cut(src, []byte{'\n'})
	return strings.TrimSuffix(string(line), "\r")
}
