package diag

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/wuu-plugins/wuu/internal/term"
)

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"`
	File    string        `xml:"file,attr,omitempty"`
	Line    int           `xml:"line,attr,omitempty"`
	Failure *junitFailure `xml:"failure,omitempty"`
	Output  string        `xml:"system-out,omitempty"`
}

type junitFailure struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

// WriteJUnit prints one suite called name: a failed case for each finding that
// fails says about, a passed case with its text for each other one, and one
// passed case when there are no findings, since readers take a suite without
// cases for a mistake.
func WriteJUnit(w io.Writer, name string, findings []Finding, fails func(Finding) bool) error {
	suite := junitSuite{Name: junitText(name)}
	for _, f := range ordered(findings) {
		c := junitCase{Name: junitText(strings.TrimSpace(f.Code + " " + f.place())), Class: junitText(name), File: junitText(f.File), Line: f.Start.Line}
		text := fmt.Sprintf("%s: %s", f.Severity, f.Message)
		if f.Hint != "" {
			text += "\nhint: " + f.Hint
		}
		if fails(f) {
			c.Failure = &junitFailure{Message: junitText(f.Message), Type: f.Code, Text: junitText(text)}
			suite.Failures++
		} else {
			c.Output = junitText(text)
		}
		suite.Cases = append(suite.Cases, c)
	}
	if len(suite.Cases) == 0 {
		suite.Cases = []junitCase{{Name: "no findings", Class: suite.Name}}
	}
	suite.Tests = len(suite.Cases)
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(junitSuites{Tests: suite.Tests, Failures: suite.Failures, Suites: []junitSuite{suite}}); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// junitText escapes what XML cannot hold.
func junitText(s string) string { return term.CleanLines(strings.ToValidUTF8(s, "�")) }
