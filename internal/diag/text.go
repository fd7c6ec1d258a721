package diag

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/wuu-plugins/wuu/internal/term"
)

// TextOptions guide WriteText; the zero value prints plain text without code
// frames.
type TextOptions struct {
	// Source returns the content of a finding's file, or nil when it is not at
	// hand; it is asked once for each file.
	Source func(file string) []byte
	Style  term.Style
	// Prefix is put before every file name, for example "hello/" when the
	// package is in that folder.
	Prefix string
}

// WriteText prints findings for people: infos, then warnings, then errors, so
// that what matters is next to the prompt; each with its place, a code frame
// whose caret stands under the exact character, and its hint; at the end one
// line with the counts. It prints nothing for an empty list.
func WriteText(w io.Writer, findings []Finding, o TextOptions) error {
	if len(findings) == 0 {
		return nil
	}
	out := bufio.NewWriter(w)
	list := slices.Clone(findings)
	Sort(list)
	slices.SortStableFunc(list, func(a, b Finding) int { return rank(a.Severity) - rank(b.Severity) })
	sources := map[string][]byte{}
	for _, f := range list {
		src, asked := sources[f.File]
		if !asked && o.Source != nil && f.File != "" {
			src = o.Source(f.File)
			sources[f.File] = src
		}
		writeOne(out, f, src, o)
	}
	fmt.Fprintln(out, Count(list).Line())
	return out.Flush()
}

func writeOne(out io.Writer, f Finding, src []byte, o TextOptions) {
	name := fmt.Sprintf("%s[%s]", f.Severity, f.Code)
	switch f.Severity {
	case Error:
		name = o.Style.Red(name)
	case Warning:
		name = o.Style.Yellow(name)
	default:
		name = o.Style.Cyan(name)
	}
	fmt.Fprint(out, name)
	if place := f.place(o.Prefix); place != "" {
		fmt.Fprint(out, " ", o.Style.Bold(place)+":")
	}
	fmt.Fprintln(out, "", term.Clean(f.Message))
	if f.Start.Line > 0 && src != nil {
		writeFrame(out, f, src, o.Style)
	}
	if f.Hint != "" {
		fmt.Fprintf(out, "  %s %s\n", o.Style.Cyan("hint:"), term.Clean(f.Hint))
	}
}

func (f Finding) place(prefix string) string {
	if f.File == "" {
		return ""
	}
	place := term.Clean(prefix + f.File)
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
