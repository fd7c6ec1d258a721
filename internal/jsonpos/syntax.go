package jsonpos

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/wuu-plugins/wuu/internal/diag"
)

// problem is a syntax error in terms of offsets in the text without its byte
// order mark.
type problem struct {
	code       string
	start, end int
	message    string
	hint       string
	fix        []diag.Edit
}

// checkSyntax finds the first thing that is not JSON. encoding/json decides
// whether and where; the words for it are ours.
func (p *parser) checkSyntax(body []byte) (diag.Finding, bool) {
	bad, ok := depthProblem(body)
	if !ok {
		var raw json.RawMessage
		err := json.Unmarshal(body, &raw)
		if err == nil {
			return diag.Finding{}, false
		}
		bad = explain(body, err)
	}
	for i := range bad.fix {
		bad.fix[i].Start += p.base
		bad.fix[i].End += p.base
	}
	return p.place(p.base+bad.start, p.base+bad.end, diag.Finding{
		Code: bad.code, Severity: diag.Error, Message: bad.message, Hint: bad.hint, Fix: bad.fix,
	}), true
}

func depthProblem(body []byte) (problem, bool) {
	depth, quoted := 0, false
	for i := 0; i < len(body); i++ {
		switch c := body[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			if depth++; depth > MaxDepth {
				return problem{
					code: "JSON_DEPTH", start: i, end: i + 1,
					message: fmt.Sprintf("arrays and objects are nested deeper than %d levels", MaxDepth),
				}, true
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return problem{}, false
}

func explain(body []byte, err error) problem {
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) {
		return problem{code: "JSON_SYNTAX", end: len(body), message: "not JSON: " + err.Error()}
	}
	at := min(max(int(syntax.Offset)-1, 0), len(body))
	if strings.Contains(syntax.Error(), "unexpected end") {
		at = len(body)
	}
	s := scanTo(body, at)
	bad := s.classify(body, at)
	if bad.code == "" {
		bad.code = "JSON_SYNTAX"
	}
	if bad.end <= bad.start && bad.start < len(body) {
		_, size := utf8.DecodeRune(body[bad.start:])
		bad.end = bad.start + size
	}
	bad.end = max(bad.end, bad.start)
	return bad
}

// state is where a reader stands just before the character that is wrong.
type state struct {
	stack       []int // offsets of open brackets
	quote       int   // start of the open string, or -1
	escape      int   // start of the open escape sequence, or -1
	last        int   // offset of the last significant byte outside strings, or -1
	key, colon  bool  // the last string is a key; its colon was read
	body        []byte
	escapeUntil int
}

func scanTo(body []byte, at int) *state {
	s := &state{quote: -1, escape: -1, last: -1, body: body}
	for i := 0; i < at; i++ {
		s.step(i)
	}
	if s.escape >= 0 && at >= s.escapeUntil {
		s.escape = -1
	}
	return s
}

func (s *state) step(i int) {
	c := s.body[i]
	if s.quote >= 0 {
		s.stepString(i, c)
		return
	}
	switch c {
	case ' ', '\t', '\r', '\n':
		return
	case '"':
		s.key = s.expectsKey()
		s.quote, s.colon = i, false
	case '{', '[':
		s.stack = append(s.stack, i)
		s.key = false
	case '}', ']':
		if len(s.stack) > 0 {
			s.stack = s.stack[:len(s.stack)-1]
		}
		s.key = false
	case ':':
		s.colon = true
	case ',':
		s.key = false
	}
	s.last = i
}

func (s *state) stepString(i int, c byte) {
	if s.escape >= 0 && i < s.escapeUntil {
		if i == s.escape+1 && c == 'u' {
			s.escapeUntil = i + 5
		}
		return
	}
	s.escape = -1
	switch c {
	case '\\':
		s.escape, s.escapeUntil = i, i+2
	case '"':
		s.quote = -1
		s.last = i
	}
}

func (s *state) top() byte {
	if len(s.stack) == 0 {
		return 0
	}
	return s.body[s.stack[len(s.stack)-1]]
}

func (s *state) lastByte() byte {
	if s.last < 0 {
		return 0
	}
	return s.body[s.last]
}

func (s *state) expectsKey() bool {
	return s.top() == '{' && (s.lastByte() == '{' || s.lastByte() == ',')
}

// afterValue reports whether the last significant byte ends a value or key.
func (s *state) afterValue() bool {
	c := s.lastByte()
	return c == '"' || c == '}' || c == ']' || isWord(c)
}

func (s *state) opened() string {
	at := s.stack[len(s.stack)-1]
	kind := "object"
	if s.body[at] == '[' {
		kind = "array"
	}
	return fmt.Sprintf("%s that starts on line %d", kind, 1+bytes.Count(s.body[:at], []byte{'\n'}))
}

func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-' || c == '+' || c == '.' || c == '$'
}
