package contract

import (
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"regexp"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/fsx"
)

// maxCaseFile is how large a case file may be, in bytes.
const maxCaseFile = 1 << 20

// testCase is one call and what it must give.
type testCase struct {
	Name      string
	Tool      string
	Arguments json.RawMessage // a JSON object
	Expect    expectation
	File      string // as shown
	Line      int
}

func (c testCase) id() string { return stageTools + "." + c.Tool + "/" + c.Name }

func (c testCase) place() string { return fmt.Sprintf("%s:%d", c.File, c.Line) }

// shownFile names a case file the same wherever the plugin lies: its own name,
// and tests/ before it when it stands there.
func shownFile(file string) string {
	dir, name := path.Split(filepath.ToSlash(file))
	if path.Base(dir) == "tests" {
		return "tests/" + name
	}
	return name
}

// readCases reads case files in the given order. A case that stands twice (same
// tool, same name) is refused: its verdicts could not be told apart.
func readCases(files []string) ([]testCase, error) {
	var all []testCase
	seen := map[string]testCase{}
	for _, file := range files {
		src, err := fsx.ReadFile(file, maxCaseFile)
		if err != nil {
			return nil, &fault.Error{Kind: fault.Usage, Code: "CASE_FILE_INVALID", Subject: file, Err: err}
		}
		cases, err := parseCases(shownFile(file), src)
		if err != nil {
			return nil, err
		}
		for _, c := range cases {
			if first, dup := seen[c.id()]; dup {
				return nil, caseError(c.File, c.Line, 0, "repeats the case %q of %s", c.Name, first.place())
			}
			seen[c.id()] = c
		}
		all = append(all, cases...)
	}
	return all, nil
}

// document is a case file as it stands.
type document struct {
	Cases []entry `yaml:"cases"`
}

// entry is a case as it stands; its node tells the line.
type entry struct {
	node ast.Node
	body entryBody
}

type entryBody struct {
	Name      string         `yaml:"name"`
	Tool      string         `yaml:"tool"`
	Arguments map[string]any `yaml:"arguments"`
	Expect    struct {
		Text     *string `yaml:"text"`
		Contains *string `yaml:"contains"`
		Matches  *string `yaml:"matches"`
		IsError  bool    `yaml:"is_error"`
	} `yaml:"expect"`
}

// UnmarshalYAML keeps the node beside what it holds.
func (e *entry) UnmarshalYAML(node ast.Node) error {
	e.node = node
	return yaml.NodeToValue(node, &e.body, yaml.Strict())
}

// parseCases reads one case file. Unknown keys are errors; every error is a
// *fault.Error of kind Usage that names line and column.
func parseCases(file string, src []byte) ([]testCase, error) {
	doc, err := decode(src)
	if err != nil {
		return nil, yamlError(file, err)
	}
	if len(doc.Cases) == 0 {
		return nil, caseError(file, 1, 1, "has no cases")
	}
	cases := make([]testCase, 0, len(doc.Cases))
	for i, e := range doc.Cases {
		if e.node == nil {
			return nil, caseError(file, 1, 1, "case %d is empty", i+1)
		}
		c, err := e.testCase(file)
		if err != nil {
			return nil, err
		}
		cases = append(cases, c)
	}
	return cases, nil
}

// decode reads the document. The decoder panics on some documents that are
// broken in rare ways ("cases:  ! "): that is a mistake in the file like any
// other.
func decode(src []byte) (doc document, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("is no YAML that can be read (%v)", p)
		}
	}()
	err = yaml.UnmarshalWithOptions(src, &doc, yaml.Strict())
	return doc, err
}

func (e entry) testCase(file string) (testCase, error) {
	at := e.node.GetToken().Position
	bad := func(format string, args ...any) (testCase, error) {
		return testCase{}, caseError(file, at.Line, 0, format, args...)
	}
	b := e.body
	c := testCase{Name: b.Name, Tool: b.Tool, File: file, Line: at.Line, Arguments: json.RawMessage("{}")}
	c.Expect = expectation{Text: b.Expect.Text, Contains: b.Expect.Contains, IsError: b.Expect.IsError}
	switch {
	case b.Name == "":
		return bad("a case needs a name")
	case b.Tool == "":
		return bad("the case %q needs a tool", b.Name)
	case conditions(b) > 1:
		return bad("the case %q has more than one of text, contains and matches", b.Name)
	}
	if b.Arguments != nil {
		raw, err := json.Marshal(b.Arguments)
		if err != nil {
			return bad("arguments of the case %q are not JSON: %w", b.Name, err)
		}
		c.Arguments = raw
	}
	if b.Expect.Matches != nil {
		re, err := regexp.Compile(*b.Expect.Matches)
		if err != nil {
			return bad("matches of the case %q: %w", b.Name, err)
		}
		c.Expect.Matches = re
	}
	return c, nil
}

func conditions(b entryBody) int {
	n := 0
	for _, p := range []*string{b.Expect.Text, b.Expect.Contains, b.Expect.Matches} {
		if p != nil {
			n++
		}
	}
	return n
}

// yamlError keeps the place and drops the library's own picture of it.
func yamlError(file string, err error) error {
	var y yaml.Error
	if !errors.As(err, &y) || y.GetToken() == nil {
		return caseError(file, 0, 0, "%w", err)
	}
	at := y.GetToken().Position
	return caseError(file, at.Line, at.Column, "%s", y.GetMessage())
}

func caseError(file string, line, column int, format string, args ...any) error {
	subject := file
	if line > 0 {
		subject += fmt.Sprintf(":%d", line)
	}
	if column > 0 {
		subject += fmt.Sprintf(":%d", column)
	}
	return fault.New(fault.Usage, "CASE_FILE_INVALID", subject, format, args...).
		WithHint("a case has name, tool, arguments, and expect with one of text, contains and matches, and is_error")
}
