package diag_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/internal/term"
)

// at places a finding on the n-th occurrence of what in src.
func at(src, what string, f diag.Finding) diag.Finding {
	i := strings.Index(src, what)
	f.File = "plugin.json"
	f.Start, f.End = diag.Locate([]byte(src), i), diag.Locate([]byte(src), i+len(what))
	return f
}

func text(t *testing.T, src string, list ...diag.Finding) string {
	t.Helper()
	var b bytes.Buffer
	if err := diag.WriteText(&b, list, func(string) []byte { return []byte(src) }, term.Style{}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestWriteText(t *testing.T) {
	src := "{\n  \"id\": 7,\n  \"descripton\": \"x\"\n}\n"
	got := text(t, src,
		at(src, "7", diag.Finding{Code: "MANIFEST_TYPE", Severity: diag.Error, Message: "id must be a string, not a number"}),
		diag.Finding{Code: "PACKAGE_LARGE", Severity: diag.Info, Message: "the package is large"},
		at(src, `"descripton"`, diag.Finding{Code: "MANIFEST_UNKNOWN_FIELD", Severity: diag.Warning, Message: "unknown field", Hint: `did you mean "description"?`}),
	)
	want := `info[PACKAGE_LARGE] the package is large
warning[MANIFEST_UNKNOWN_FIELD] plugin.json:3:3: unknown field
   3 |   "descripton": "x"
     |   ^^^^^^^^^^^^
  hint: did you mean "description"?
error[MANIFEST_TYPE] plugin.json:2:9: id must be a string, not a number
   2 |   "id": 7,
     |         ^
1 error, 1 warning, 1 note
`
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// The caret must stand under the same column that a terminal uses for the
// character, whatever stands before it.
func TestCaret(t *testing.T) {
	for _, c := range []struct{ name, line, want string }{
		{"plain", `ab X c`, "   1 | ab X c\n     |    ^\n"},
		{"tab", "\tX", "   1 |     X\n     |     ^\n"},
		{"tab after text", "ab\tX", "   1 | ab  X\n     |     ^\n"},
		{"wide", "日本 X", "   1 | 日本 X\n     |      ^\n"},
		{"emoji", "😀X", "   1 | 😀X\n     |   ^\n"},
		{"combining", "e\u0301X", "   1 | e\u0301X\n     |  ^\n"},
		{"escape sequence", "\x1b[2JX", "   1 | \\u001b[2JX\n     |          ^\n"},
		{"byte order mark", "\ufeffX", "   1 | X\n     | ^\n"},
		{"carriage return", "X\r\nb", "   1 | X\n     | ^\n"},
		{"long", strings.Repeat("a", 200) + "X" + strings.Repeat("b", 200), "   1 | …" + strings.Repeat("a", 40) + "X" + strings.Repeat("b", 59) + "…\n     |  " + strings.Repeat(" ", 40) + "^\n"},
	} {
		got := text(t, c.line, at(c.line, "X", diag.Finding{Severity: diag.Error, Code: "C", Message: "m"}))
		got = strings.TrimSuffix(got[strings.Index(got, "\n")+1:], "1 error\n")
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s: %s", c.name, d)
		}
	}
}

func TestWriteTextEdges(t *testing.T) {
	if got := text(t, ""); got != "" {
		t.Errorf("an empty list prints %q", got)
	}
	src := "[1,\n2]\n"
	if got := text(t, src, at(src, "[1,\n2]", diag.Finding{Code: "C", Severity: diag.Error, Message: "bad\x1b[31m"})); got != "error[C] plugin.json:1:1: bad\\u001b[31m\n   1 | [1,\n     | ^^^\n1 error\n" {
		t.Errorf("span of two lines: %q", got)
	}
	far := diag.Finding{Code: "C", Severity: diag.Error, Message: "m", File: "f", Start: diag.Pos{Line: 99, ColChar: 12}, End: diag.Pos{Line: 99, ColChar: 2}}
	if got := text(t, src, far); !strings.Contains(got, "  99 | \n     | ^\n") {
		t.Errorf("a place outside the file: %q", got)
	}
}

func TestColour(t *testing.T) {
	streams, _, out, _ := term.Test()
	if err := streams.SetColor("always", func(string) string { return "" }); err != nil {
		t.Fatal(err)
	}
	f := diag.Finding{Code: "C", Severity: diag.Error, Message: "m"}
	if err := diag.WriteText(out, []diag.Finding{f}, nil, streams.OutStyle()); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); !strings.HasPrefix(got, "\x1b[31merror[C]\x1b[0m m\n") {
		t.Errorf("%q", got)
	}
}

func TestJSONKeepsThePlace(t *testing.T) {
	src := "\"😀\" X"
	f := at(src, "X", diag.Finding{Code: "C", Severity: diag.Warning, Message: "m", Path: "/a", Fix: []diag.Edit{{Start: 1, End: 2, Text: "y"}}})
	b, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"code":"C","severity":"warning","file":"plugin.json","line":1,"column":6,"column_chars":5,"end_line":1,"end_column":7,"path":"/a","message":"m","fix":{"edits":[{"start":1,"end":2,"text":"y"}]}}`
	if string(b) != want {
		t.Errorf("\n got %s\nwant %s", b, want)
	}
	var back diag.Finding
	if err := json.Unmarshal(b, &back); err != nil {
		t.Fatal(err)
	}
	if got := text(t, src, back); !strings.Contains(got, "     |      ^\n") {
		t.Errorf("the caret of a finding read from JSON: %s", got)
	}
}

// Warnings must never push an error out of the list.
func TestListKeepsErrors(t *testing.T) {
	var l diag.List
	for i := range diag.MaxPerSeverity + 5 {
		l.Add(diag.Finding{Severity: diag.Warning, File: "f", Message: fmt.Sprint(i)})
	}
	l.Add(diag.Finding{Severity: diag.Error, File: "f", Message: "1"}, diag.Finding{Severity: diag.Error, File: "f", Message: "1"})
	got := diag.Count(l.Findings())
	if got != (diag.Summary{Errors: 1, Warnings: diag.MaxPerSeverity, Infos: 1}) {
		t.Errorf("%+v", got)
	}
}
