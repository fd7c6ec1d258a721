package diag

import (
	"fmt"
	"slices"
)

// MaxPerSeverity bounds how many findings of one severity a List keeps: a
// hostile file must not make a report of a million lines. Errors have their
// own count, so a flood of warnings cannot hide one.
const MaxPerSeverity = 100

// List collects findings. The zero value is ready.
type List struct {
	all     []Finding
	dropped [3]int
	kept    [3]int
}

func rank(s Severity) int {
	switch s {
	case Error:
		return 2
	case Warning:
		return 1
	}
	return 0
}

// Room reports whether another finding of severity s would be kept, and counts
// it as dropped when not. Ask before building a costly finding.
func (l *List) Room(s Severity) bool {
	if l.kept[rank(s)] < MaxPerSeverity {
		return true
	}
	l.dropped[rank(s)]++
	return false
}

// Add keeps f if there is room.
func (l *List) Add(list ...Finding) {
	for _, f := range list {
		if l.Room(f.Severity) {
			l.kept[rank(f.Severity)]++
			l.all = append(l.all, f)
		}
	}
}

// Findings returns what was kept, sorted and each once, and one note for each severity of
// which some were dropped.
func (l *List) Findings() []Finding {
	Sort(l.all)
	out := slices.CompactFunc(slices.Clone(l.all), func(a, b Finding) bool {
		return a.Code == b.Code && a.Severity == b.Severity && a.File == b.File && a.Start == b.Start && a.End == b.End && a.Message == b.Message
	})
	for i, s := range []Severity{Info, Warning, Error} {
		if n := l.dropped[i]; n > 0 {
			file := ""
			if len(l.all) > 0 {
				file = l.all[0].File
			}
			out = append(out, Finding{
				Code: "MORE_FINDINGS", Severity: Info, File: file,
				Message: fmt.Sprintf("%d more findings of severity %s are not shown", n, s),
			})
		}
	}
	return out
}

// Line is the shortest form of f, for logs and tests: code, line and column in
// characters (when it has a place) and message.
func Line(f Finding) string {
	if f.Start.Line == 0 {
		return f.Code + " " + f.Message
	}
	return fmt.Sprintf("%s %d:%d %s", f.Code, f.Start.Line, f.Start.ColChar, f.Message)
}
