package diag

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
)

// WriteGitHub prints findings as workflow commands, which GitHub shows beside
// the changed lines. Columns are characters. Control characters that the
// format gives a meaning are escaped, so no message can begin a command.
func WriteGitHub(w io.Writer, findings []Finding) error {
	out := bufio.NewWriter(w)
	for _, f := range ordered(findings) {
		level := string(f.Severity)
		if f.Severity == Info {
			level = "notice"
		}
		var properties []string
		add := func(key, value string) { properties = append(properties, key+"="+githubProperty(value)) }
		if f.File != "" {
			add("file", f.File)
		}
		if f.Start.Line > 0 {
			add("line", fmt.Sprint(f.Start.Line))
			add("col", fmt.Sprint(f.Start.ColChar))
			if f.End.Line >= f.Start.Line {
				add("endLine", fmt.Sprint(f.End.Line))
			}
			if f.End.Line == f.Start.Line && f.End.ColChar > f.Start.ColChar {
				add("endColumn", fmt.Sprint(f.End.ColChar))
			}
		}
		add("title", f.Code)
		message := f.Message
		if f.Hint != "" {
			message += "\nhint: " + f.Hint
		}
		fmt.Fprintf(out, "::%s %s::%s\n", level, strings.Join(properties, ","), githubData(message))
	}
	return out.Flush()
}

func githubData(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

func githubProperty(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(githubData(s))
}

// ordered is the order of every output that people read from its end: errors
// last, each severity by file and place.
func ordered(findings []Finding) []Finding {
	list := slices.Clone(findings)
	Sort(list)
	slices.SortStableFunc(list, func(a, b Finding) int { return rank(a.Severity) - rank(b.Severity) })
	return list
}
