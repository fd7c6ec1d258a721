package contract

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wuu-plugins/wuu/internal/fault"
)

const scaffoldCase = `cases:
  - name: greets by name
    tool: greet
    arguments: { name: Ada }
    expect:
      text: "Hello, Ada!"        # exact text
`

func TestParseCases(t *testing.T) {
	cases, err := parseCases("hello.wuu.yaml", []byte(scaffoldCase+`
  - name: 'numbers and lists'
    tool: sum
    arguments:
      values: [1, 2.5, -3, 18446744073709551615]
      nested: { "on": yes, none: null, text: "007", 1: one }
      lines: |
        first
        second
    expect: { matches: '^\d+$' }
  - { name: bare, tool: sum }
`))
	if err != nil {
		t.Fatal(err)
	}
	if len(cases) != 3 {
		t.Fatalf("%d cases", len(cases))
	}
	c := cases[0]
	if c.id() != "tools.greet/greets by name" || c.place() != "hello.wuu.yaml:2" || string(c.Arguments) != `{"name":"Ada"}` ||
		c.Expect.Text == nil || *c.Expect.Text != "Hello, Ada!" || c.Expect.IsError {
		t.Errorf("%+v", c)
	}
	want := `{"lines":"first\nsecond\n","nested":{"1":"one","none":null,"on":"yes","text":"007"},"values":[1,2.5,-3,18446744073709551615]}`
	if got := string(cases[1].Arguments); got != want {
		t.Errorf("arguments\n%s, want\n%s", got, want)
	}
	if cases[1].Line != 8 || cases[2].Line != 17 || string(cases[2].Arguments) != "{}" {
		t.Errorf("lines %d, %d; arguments %s", cases[1].Line, cases[2].Line, cases[2].Arguments)
	}
}

func TestParseCasesRefuses(t *testing.T) {
	for _, c := range []struct{ name, src, place, text string }{
		{"empty file", "", "f:1:1", "no cases"},
		{"no cases", "cases: []\n", "f:1:1", "no cases"},
		{"unknown key at the top", "cases:\n  - { name: a, tool: b }\nsetup: x\n", "f:3", "setup"},
		{"unknown key of a case", "cases:\n  - name: a\n    tool: b\n    args: {}\n", "f:4", "args"},
		{"unknown key of expect", "cases:\n  - name: a\n    tool: b\n    expect:\n      txt: c\n", "f:5", "txt"},
		{"no name", "cases:\n  - name: a\n    tool: b\n  - tool: b\n", "f:4", "name"},
		{"no tool", "cases:\n  - name: a\n", "f:2", "tool"},
		{"empty case", "cases:\n  -\n", "f:1", "case 1 is empty"},
		{"two conditions", "cases:\n  - name: a\n    tool: b\n    expect: { text: x, contains: y }\n", "f:2", "more than one"},
		{"bad pattern", "cases:\n  - name: a\n    tool: b\n    expect: { matches: '(' }\n", "f:2", "missing closing )"},
		{"arguments are a list", "cases:\n  - name: a\n    tool: b\n    arguments: [1]\n", "f:4", ""},
		{"argument is not a number of JSON", "cases:\n  - name: a\n    tool: b\n    arguments: { x: .nan }\n", "f:2", "JSON"},
		{"is_error is no boolean", "cases:\n  - name: a\n    tool: b\n    expect: { is_error: maybe }\n", "f:4", ""},
		{"same key twice", "cases:\n  - name: a\n    name: b\n    tool: c\n", "f:3", ""},
		{"no YAML", "cases: [\n", "f", ""},
		{"tab", "cases:\n\t- name: a\n", "f:2", ""},
	} {
		_, err := parseCases("f", []byte(c.src))
		var f *fault.Error
		if !errors.As(err, &f) || f.Kind != fault.Usage || f.Code != "CASE_FILE_INVALID" {
			t.Errorf("%s: got %v", c.name, err)
			continue
		}
		if f.Subject != c.place && !strings.HasPrefix(f.Subject, c.place+":") || !strings.Contains(f.Err.Error(), c.text) {
			t.Errorf("%s: got %v, want %q at %s", c.name, err, c.text, c.place)
		}
		if strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: several lines: %q", c.name, err)
		}
	}
}

func TestReadCases(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	one, two := write("one.wuu.yaml", scaffoldCase), write("two.wuu.yaml", "cases:\n  - { name: other, tool: greet }\n")
	cases, err := readCases([]string{one, two})
	if err != nil || len(cases) != 2 || cases[1].place() != "two.wuu.yaml:2" {
		t.Errorf("%+v, %v", cases, err)
	}
	for name, files := range map[string][]string{
		"same case twice": {one, write("again.wuu.yaml", scaffoldCase)},
		"missing file":    {filepath.Join(dir, "missing.wuu.yaml")},
		"too large":       {write("large.wuu.yaml", scaffoldCase+strings.Repeat("#", maxCaseFile))},
	} {
		if _, err := readCases(files); fault.As(err) == nil || fault.As(err).Kind != fault.Usage {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// TestBrokenTag: the YAML decoder panics on it.
func TestBrokenTag(t *testing.T) {
	_, err := parseCases("f.wuu.yaml", []byte("cases:  ! "))
	if e := fault.As(err); err == nil || e.Kind != fault.Usage || e.Code != "CASE_FILE_INVALID" {
		t.Errorf("%v", err)
	}
}

func FuzzParseCases(f *testing.F) {
	f.Add([]byte(scaffoldCase))
	f.Add([]byte("cases:\n  - { name: a, tool: b, expect: { is_error: true, matches: '^x' } }\n"))
	f.Add([]byte("cases: &a [*a]"))
	f.Add([]byte("cases: [[["))
	f.Add([]byte("cases:  ! "))
	f.Fuzz(func(t *testing.T, src []byte) {
		cases, err := parseCases("f", src)
		if err != nil {
			return
		}
		for _, c := range cases {
			if c.Name == "" || c.Tool == "" || !json.Valid(c.Arguments) || c.Arguments[0] != '{' || c.Line < 1 {
				t.Fatalf("%q became %+v", src, c)
			}
		}
	})
}
