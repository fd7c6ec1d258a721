package contract

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/wuu-plugins/wuu/internal/protocol"
)

// expectation is what a case wants of the answer. Without any condition the
// answer must be no error.
type expectation struct {
	Text     *string
	Contains *string
	Matches  *regexp.Regexp
	IsError  bool
}

// compare says how the answer differs and what to do about it; "" when it does
// not. The text is that of all text parts, joined by newlines.
func (e expectation) compare(r protocol.ToolResult) (problem, hint string) {
	got := textOf(r)
	switch {
	case r.IsError && !e.IsError:
		return fmt.Sprintf("the tool answered with an error: %q", got), "if that is right, put is_error: true into expect"
	case !r.IsError && e.IsError:
		return fmt.Sprintf("the tool succeeded where an error was expected: %q", got), "return is_error: true when the tool fails"
	case e.Text != nil && got != *e.Text:
		return fmt.Sprintf("the text differs\nwant %q\ngot  %q", *e.Text, got), repair
	case e.Contains != nil && !strings.Contains(got, *e.Contains):
		return fmt.Sprintf("the text lacks a part\nwant %q\ngot  %q", *e.Contains, got), repair
	case e.Matches != nil && !e.Matches.MatchString(got):
		return fmt.Sprintf("the text does not match\nwant /%s/\ngot  %q", e.Matches, got), repair
	}
	return "", ""
}

const repair = "change the tool, or the expectation in the case file"

// met says in words what was found true.
func (e expectation) met() string {
	what := "a result"
	if e.IsError {
		what = "an error, as expected"
	}
	switch {
	case e.Text != nil:
		return what + " with the expected text"
	case e.Contains != nil:
		return what + " that contains the expected text"
	case e.Matches != nil:
		return what + " that matches"
	}
	return what
}

func textOf(r protocol.ToolResult) string {
	var parts []string
	for _, p := range r.Content {
		if p.Type == "text" {
			parts = append(parts, p.Text)
		}
	}
	return strings.Join(parts, "\n")
}
