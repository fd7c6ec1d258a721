package httpx

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Content is what the first bytes of a body look like.
type Content struct {
	Kind string // "HTML page", "JSON", "gzip data", "zip archive", "uncompressed tar", "XML", "text", "binary data", "empty"
	Size int64  // bytes seen
}

// String describes the content, and what an HTML page most likely means.
func (c Content) String() string {
	switch c.Kind {
	case "empty":
		return "empty body"
	case "HTML page":
		return fmt.Sprintf("HTML page, %d bytes, looks like a proxy or captive portal", c.Size)
	}
	return fmt.Sprintf("%s, %d bytes", c.Kind, c.Size)
}

// Sniff looks at the start of a body of size bytes.
func Sniff(head []byte, size int64) Content {
	return Content{kindOf(head), size}
}

func kindOf(head []byte) string {
	text := bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n")
	lower := strings.ToLower(string(text[:min(len(text), 512)]))
	switch {
	case len(head) == 0:
		return "empty"
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		return "gzip data"
	case bytes.HasPrefix(head, []byte("PK\x03\x04")):
		return "zip archive"
	case len(head) > 262 && string(head[257:262]) == "ustar":
		return "uncompressed tar"
	case strings.HasPrefix(lower, "<!doctype html"), strings.HasPrefix(lower, "<") && strings.Contains(lower, "<html"),
		strings.HasPrefix(lower, "<head"), strings.HasPrefix(lower, "<body"):
		return "HTML page"
	case strings.HasPrefix(lower, "<?xml"):
		return "XML"
	case strings.HasPrefix(lower, "{"), strings.HasPrefix(lower, "["):
		return "JSON"
	case isText(head):
		return "text"
	}
	return "binary data"
}

// isText allows a character that the end of head cuts.
func isText(head []byte) bool {
	for len(head) > 0 {
		r, n := utf8.DecodeRune(head)
		if r == utf8.RuneError && n == 1 && utf8.FullRune(head) || r < ' ' && r != '\t' && r != '\n' && r != '\r' {
			return false
		}
		head = head[n:]
	}
	return true
}

// registryMessage is the "error" of a registry's JSON answer, on one line of
// at most 200 characters without control characters, or "".
func registryMessage(head []byte) string {
	var doc struct{ Error any }
	if json.Unmarshal(head, &doc) != nil {
		return ""
	}
	text, _ := doc.Error.(string)
	text = strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, text)), " ")
	if runes := []rune(text); len(runes) > 200 {
		text = string(runes[:200]) + "…"
	}
	return text
}
