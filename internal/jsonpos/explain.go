package jsonpos

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/wuu-plugins/wuu/internal/diag"
)

// classify finds words for the error at offset at.
func (s *state) classify(body []byte, at int) problem {
	if s.quote >= 0 {
		return s.inString(body, at)
	}
	if at == len(body) {
		return s.atEnd(body)
	}
	for _, rule := range []func([]byte, int) (problem, bool){
		conflictMarker, comment, singleQuote, s.trailingComma, s.wrongBracket, s.trailingData, s.badKey, s.word, s.missing,
	} {
		if bad, ok := rule(body, at); ok {
			return bad
		}
	}
	return problem{start: at, message: "unexpected " + show(body, at)}
}

func (s *state) inString(body []byte, at int) problem {
	switch {
	case at == len(body):
		return problem{start: s.quote, message: "this string has no closing quote"}
	case s.escape >= 0:
		end := min(at+1, len(body))
		return problem{
			start: s.escape, end: end,
			message: Quote(string(bytes.ToValidUTF8(body[s.escape:end], nil))) + " does not begin a JSON escape",
			hint:    `escapes are \" \\ \/ \b \f \n \r \t and \u with four hexadecimal digits; a backslash itself is \\`,
		}
	case body[at] == '\n' || body[at] == '\r':
		return problem{start: at, message: "the string is not closed before the end of the line", hint: `close it with ", or write a line break as \n`}
	case body[at] == '\t':
		return problem{start: at, message: "a tab stands in a string", hint: `write it as \t`, fix: []diag.Edit{{Start: at, End: at + 1, Text: `\t`}}}
	default:
		return problem{start: at, message: fmt.Sprintf("control character U+%04X stands in a string", body[at])}
	}
}

func (s *state) atEnd(body []byte) problem {
	switch {
	case len(bytes.TrimSpace(body)) == 0:
		return problem{message: "the file is empty"}
	case isWord(s.lastByte()) && !s.key:
		if bad, ok := s.word(body, s.last); ok {
			return bad
		}
		fallthrough
	case len(s.stack) > 0:
		at := len(bytes.TrimRight(body, " \t\r\n"))
		if len(s.stack) == 0 {
			return problem{start: at, message: "the file ends inside a value"}
		}
		return problem{start: at, end: at, message: "the file ends inside the " + s.opened()}
	}
	return problem{start: len(body), message: "the file ends too early"}
}

func conflictMarker(body []byte, at int) (problem, bool) {
	for _, mark := range []string{"<<<<<<<", "=======", ">>>>>>>", "|||||||"} {
		if bytes.HasPrefix(body[at:], []byte(mark)) {
			return problem{start: at, end: at + len(mark), message: "a merge conflict marker stands here", hint: "resolve the conflict"}, true
		}
	}
	return problem{}, false
}

func comment(body []byte, at int) (problem, bool) {
	rest := body[at:]
	if !bytes.HasPrefix(rest, []byte("//")) && !bytes.HasPrefix(rest, []byte("/*")) && rest[0] != '#' {
		return problem{}, false
	}
	return problem{start: at, end: min(at+2, len(body)), message: "JSON has no comments", hint: "remove it"}, true
}

func singleQuote(body []byte, at int) (problem, bool) {
	return problem{start: at, message: "strings and keys stand in double quotes", hint: `write " instead of '`}, body[at] == '\''
}

func (s *state) trailingComma(body []byte, at int) (problem, bool) {
	if body[at] != '}' && body[at] != ']' || s.lastByte() != ',' {
		return problem{}, false
	}
	return problem{
		start: s.last, end: s.last + 1, message: "a comma stands before the closing bracket", hint: "remove the comma",
		fix: []diag.Edit{{Start: s.last, End: s.last + 1}},
	}, true
}

func (s *state) wrongBracket(body []byte, at int) (problem, bool) {
	c := body[at]
	if c != '}' && c != ']' || len(s.stack) == 0 {
		return problem{}, false
	}
	switch {
	case (c == '}') != (s.top() == '{'):
		return problem{start: at, message: fmt.Sprintf("%q does not close the %s", c, s.opened())}, true
	case s.lastByte() == ':' || s.key && !s.colon:
		return problem{start: at, message: "the value of the last key is missing"}, true
	}
	return problem{}, false
}

func (s *state) trailingData(body []byte, at int) (problem, bool) {
	if len(s.stack) > 0 || !s.afterValue() || isWord(body[at]) && isWord(s.lastByte()) && s.last == at-1 {
		return problem{}, false
	}
	if bad, ok := s.word(body, s.last); ok && isWord(s.lastByte()) {
		return bad, true
	}
	return problem{
		code: "JSON_TRAILING_DATA", start: at, end: len(bytes.TrimRight(body, " \t\r\n")),
		message: "the file goes on after the end of its value", hint: "a JSON file holds one value; remove the rest",
	}, true
}

func (s *state) badKey(body []byte, at int) (problem, bool) {
	if !s.expectsKey() {
		return problem{}, false
	}
	start, end := wordAt(body, at)
	if start == end {
		return problem{start: at, message: fmt.Sprintf("a key in double quotes is expected here, not %s", show(body, at))}, true
	}
	return problem{
		start: start, end: end, message: "keys stand in double quotes", hint: fmt.Sprintf(`write "%s"`, body[start:end]),
		fix: []diag.Edit{{Start: start, End: end, Text: `"` + string(body[start:end]) + `"`}},
	}, true
}

// word explains a literal that is none of JSON's: True, NaN, 012, +1, 0x1f.
func (s *state) word(body []byte, at int) (problem, bool) {
	start, end := wordAt(body, at)
	if start == end {
		return problem{}, false
	}
	text := string(body[start:end])
	bad := problem{start: start, end: end, message: Quote(text) + " is not a JSON value"}
	switch strings.ToLower(text) {
	case "true", "false", "null":
		if lower := strings.ToLower(text); lower != text {
			bad.hint = "write " + lower
			bad.fix = []diag.Edit{{Start: start, End: end, Text: lower}}
			return bad, true
		}
		return problem{}, false
	case "none", "nil", "undefined":
		bad.hint = "write null"
		return bad, true
	case "nan", "infinity", "-infinity", "+infinity":
		bad.hint = "JSON has no such number"
		return bad, true
	}
	if strings.ContainsRune("+-.0123456789", rune(text[0])) && (len(text) == 1 || strings.ContainsAny(text, "0123456789")) {
		if jsonNumber(text) {
			return problem{}, false
		}
		bad.message = Quote(text) + " is not a JSON number"
		bad.hint = "numbers have no leading zero, no plus sign, digits on both sides of the point, and are decimal"
		return bad, true
	}
	bad.hint = "texts stand in double quotes"
	return bad, true
}

func (s *state) missing(body []byte, at int) (problem, bool) {
	switch {
	case s.key && !s.colon && body[at] == '=':
		return problem{start: at, message: "a colon stands between key and value", hint: "write :", fix: []diag.Edit{{Start: at, End: at + 1, Text: ":"}}}, true
	case s.key && !s.colon:
		return problem{start: at, message: "a colon is missing after the key"}, true
	case body[at] == ',':
		return problem{start: at, message: "a value is missing before this comma"}, true
	case s.afterValue() && (body[at] == '"' || body[at] == '{' || body[at] == '['):
		return problem{
			start: at, message: "a comma is missing before this", hint: "put a comma after the value before it",
			fix: []diag.Edit{{Start: s.last + 1, End: s.last + 1, Text: ","}},
		}, true
	}
	return problem{}, false
}

func wordAt(body []byte, at int) (start, end int) {
	start, end = at, at
	for start > 0 && isWord(body[start-1]) {
		start--
	}
	for end < len(body) && isWord(body[end]) {
		end++
	}
	return start, end
}

func show(body []byte, at int) string {
	r, _ := utf8.DecodeRune(body[at:])
	return fmt.Sprintf("%q", r)
}
