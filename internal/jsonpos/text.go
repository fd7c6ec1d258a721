package jsonpos

import (
	"encoding/json"
	"fmt"
	"strconv"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/wuu-plugins/wuu/internal/diag"
)

func jsonNumber(text string) bool {
	c := text[len(text)-1]
	return c >= '0' && c <= '9' && text[0] != '+' && json.Valid([]byte(text))
}

// char is one decoded character of a string and where it is written.
type char struct {
	r    rune
	span Span
}

// checkText looks at every character of the string literal at span, decoded:
// "\u001b" is as bad as the byte itself, since both reach a terminal.
func (p *parser) checkText(n *Node, span Span) {
	lit := p.doc.Src[span.Start:span.End]
	if plain(lit) {
		return
	}
	chars := decode(lit, span.Start)
	for i, c := range chars {
		code, what := "TEXT_CONTROL", ""
		switch {
		case utf16.IsSurrogate(c.r):
			code, what = "JSON_SURROGATE", fmt.Sprintf(`\u%04x is half of a surrogate pair`, c.r)
		case joins(chars, i):
			continue
		default:
			what = Hidden(c.r)
		}
		if what == "" || !p.found.Room(diag.Error) {
			continue
		}
		p.found.Add(p.doc.At(n, c.span, diag.Finding{
			Code: code, Severity: diag.Error, Message: what + " in a text", Hint: "remove it",
		}))
	}
}

// Hidden names a character that has no place in a text that people read: it
// moves the cursor, turns the direction or cannot be seen. "" means it is
// fine, as newline and tab are.
func Hidden(r rune) string {
	switch {
	case r == '\n' || r == '\t':
		return ""
	case unicode.IsControl(r) || r == '\u2028' || r == '\u2029':
		return fmt.Sprintf("control character U+%04X", r)
	case unicode.Is(unicode.Bidi_Control, r):
		return fmt.Sprintf("direction mark U+%04X", r)
	case unicode.Is(unicode.Prepended_Concatenation_Mark, r):
		return "" // Arabic and Syriac number signs are visible
	case unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r):
		return fmt.Sprintf("invisible character U+%04X", r)
	}
	return ""
}

// joins reports whether the character at i is a (non-)joiner between letters
// or symbols that use it: family emoji, Persian, Indic scripts.
func joins(chars []char, i int) bool {
	if chars[i].r != '\u200c' && chars[i].r != '\u200d' || i == 0 || i == len(chars)-1 {
		return false
	}
	before, after := chars[i-1].r, chars[i+1].r
	return before > unicode.MaxLatin1 && after > unicode.MaxLatin1 && Hidden(before) == "" && Hidden(after) == ""
}

func plain(lit []byte) bool {
	for _, c := range lit {
		if c == '\\' || c >= 0x7f || c < 0x20 {
			return false
		}
	}
	return true
}

// decode splits a valid string literal, quotes included, into its characters.
// base is the literal's offset in the file.
func decode(lit []byte, base int) []char {
	var out []char
	for i := 1; i < len(lit)-1; {
		r, size := utf8.DecodeRune(lit[i:])
		if r == '\\' {
			r, size = decodeEscape(lit[i:])
		}
		out = append(out, char{r, Span{base + i, base + i + size}})
		i += size
	}
	return out
}

func decodeEscape(b []byte) (r rune, size int) {
	switch b[1] {
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	case 'u':
		r = hex(b[2:])
		if len(b) >= 12 && b[6] == '\\' && b[7] == 'u' {
			if both := utf16.DecodeRune(r, hex(b[8:])); both != unicode.ReplacementChar {
				return both, 12
			}
		}
		return r, 6
	}
	return rune(b[1]), 2
}

func hex(b []byte) rune {
	n, err := strconv.ParseUint(string(b[:4]), 16, 16)
	if err != nil {
		return unicode.ReplacementChar
	}
	return rune(n)
}
