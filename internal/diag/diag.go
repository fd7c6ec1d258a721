// Package diag holds findings: a mistake, its exact place, and the way out.
package diag

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"
)

// Severity says how bad a finding is.
type Severity string

// The three severities; only Error makes a check fail.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
	Info    Severity = "info"
)

// Pos is a place in a text file. Offset counts bytes from 0; Line, Col16
// (UTF-16 units) and ColChar (characters) count from 1. Line 0 means that the
// finding has no place inside its file.
type Pos struct{ Offset, Line, Col16, ColChar int }

// Edit replaces the bytes [Start, End) of the finding's file by Text.
type Edit struct {
	Start int    `json:"start"`
	End   int    `json:"end"`
	Text  string `json:"text"`
}

// Finding is one result of a check. File is a slash-separated path inside the
// package, Path a JSON pointer inside a JSON file.
type Finding struct {
	Code     string
	Severity Severity
	File     string
	Path     string
	Message  string
	Hint     string
	URL      string
	Start    Pos
	End      Pos
	Fix      []Edit
}

type findingJSON struct {
	Code        string   `json:"code"`
	Severity    Severity `json:"severity"`
	File        string   `json:"file,omitempty"`
	Line        int      `json:"line,omitempty"`
	Column      int      `json:"column,omitempty"`
	ColumnChars int      `json:"column_chars,omitempty"`
	EndLine     int      `json:"end_line,omitempty"`
	EndColumn   int      `json:"end_column,omitempty"`
	Path        string   `json:"path,omitempty"`
	Message     string   `json:"message"`
	Hint        string   `json:"hint,omitempty"`
	Fix         *fixJSON `json:"fix,omitempty"`
	URL         string   `json:"url,omitempty"`
}

type fixJSON struct {
	Edits []Edit `json:"edits"`
}

// MarshalJSON writes the shape of design/validation.md.
func (f Finding) MarshalJSON() ([]byte, error) {
	out := findingJSON{
		Code: f.Code, Severity: f.Severity, File: f.File, Path: f.Path, Message: f.Message, Hint: f.Hint, URL: f.URL,
		Line: f.Start.Line, Column: f.Start.Col16, ColumnChars: f.Start.ColChar,
		EndLine: f.End.Line, EndColumn: f.End.Col16,
	}
	if len(f.Fix) > 0 {
		out.Fix = &fixJSON{f.Fix}
	}
	return json.Marshal(out)
}

// UnmarshalJSON reads what MarshalJSON writes; byte offsets are not in it.
func (f *Finding) UnmarshalJSON(b []byte) error {
	var in findingJSON
	if err := json.Unmarshal(b, &in); err != nil {
		return err
	}
	*f = Finding{
		Code: in.Code, Severity: in.Severity, File: in.File, Path: in.Path, Message: in.Message, Hint: in.Hint, URL: in.URL,
		Start: Pos{Line: in.Line, Col16: in.Column, ColChar: in.ColumnChars},
		End:   Pos{Line: in.EndLine, Col16: in.EndColumn},
	}
	if in.Fix != nil {
		f.Fix = in.Fix.Edits
	}
	return nil
}

// Locate turns a byte offset in src into a position. Offsets past the end
// give the end; a leading byte order mark takes no column.
func Locate(src []byte, offset int) Pos {
	offset = min(max(offset, 0), len(src))
	line := 1 + bytes.Count(src[:offset], []byte{'\n'})
	start := bytes.LastIndexByte(src[:offset], '\n') + 1
	if start == 0 && bytes.HasPrefix(src, []byte("\ufeff")) && offset >= 3 {
		start = 3
	}
	pos := Pos{Offset: offset, Line: line, Col16: 1, ColChar: 1}
	for rest := src[start:offset]; len(rest) > 0; {
		r, size := utf8.DecodeRune(rest)
		rest = rest[size:]
		pos.ColChar++
		pos.Col16++
		if r > 0xffff {
			pos.Col16++
		}
	}
	return pos
}

// Sort orders findings by file, place, code and message, so that two runs
// over the same input print the same.
func Sort(list []Finding) {
	slices.SortStableFunc(list, func(a, b Finding) int {
		for _, c := range []int{
			strings.Compare(a.File, b.File), a.Start.Line - b.Start.Line, a.Start.Col16 - b.Start.Col16,
			strings.Compare(a.Code, b.Code), strings.Compare(a.Message, b.Message),
		} {
			if c != 0 {
				return c
			}
		}
		return 0
	})
}

// Summary counts findings by severity.
type Summary struct {
	Errors   int `json:"errors"`
	Warnings int `json:"warnings"`
	Infos    int `json:"infos"`
}

// Count summarises list.
func Count(list []Finding) Summary {
	var s Summary
	for _, f := range list {
		switch f.Severity {
		case Error:
			s.Errors++
		case Warning:
			s.Warnings++
		case Info:
			s.Infos++
		}
	}
	return s
}
