// Package jsonpos reads JSON strictly and keeps the place of every key and
// value, so that a finding can point at the exact character. It accepts what
// RFC 8259 calls JSON text and no more: UTF-8, no comments, no trailing
// commas, no data after the value; in addition no key twice (not even in
// another case), no invisible characters, at most MaxSize bytes and MaxDepth
// levels (design/validation.md).
package jsonpos

import (
	"strconv"
	"strings"

	"github.com/wuu-plugins/wuu/internal/diag"
)

// Limits of a document.
const (
	MaxSize  = 1 << 20 // bytes
	MaxDepth = 64      // arrays and objects inside each other
)

// maxPointer bounds the pointer that a finding carries, in bytes.
const maxPointer = 1024

// Kind is the type of a JSON value.
type Kind uint8

// The JSON types.
const (
	Null Kind = iota
	Bool
	Number
	String
	Array
	Object
)

// String names the kind the way a message does: "a string", "an object".
func (k Kind) String() string {
	return [...]string{"null", "a boolean", "a number", "a string", "an array", "an object"}[k]
}

// Span is a range of bytes of Document.Src, End excluded.
type Span struct{ Start, End int }

// Node is one value, and its key when it is the member of an object.
type Node struct {
	Kind Kind
	// Span covers the value, quotes and brackets included.
	Span
	Key      string  // decoded; only for members of objects
	KeySpan  Span    // quotes included; zero when there is no key
	Text     string  // a string decoded; a number, boolean or null as written
	Children []*Node // elements of an array, members of an object, in order
	parent   *Node
	index    int
}

// Get returns the first member named key, or nil. A nil node and a node that
// is no object have no members.
func (n *Node) Get(key string) *Node {
	if n == nil || n.Kind != Object {
		return nil
	}
	for _, c := range n.Children {
		if c.Key == key {
			return c
		}
	}
	return nil
}

// Pointer returns the RFC 6901 JSON pointer of n; the root's is "".
func (n *Node) Pointer() string {
	if n == nil || n.parent == nil {
		return ""
	}
	last := strconv.Itoa(n.index)
	if n.parent.Kind == Object {
		last = strings.NewReplacer("~", "~0", "/", "~1").Replace(n.Key)
	}
	return n.parent.Pointer() + "/" + last
}

// Find returns the node at an RFC 6901 pointer below n, or nil.
func (n *Node) Find(pointer string) *Node {
	if pointer == "" || n == nil {
		return n
	}
	for part := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		part = strings.NewReplacer("~1", "/", "~0", "~").Replace(part)
		if n != nil && n.Kind == Array {
			i, err := strconv.Atoi(part)
			if err != nil || i < 0 || i >= len(n.Children) {
				return nil
			}
			n = n.Children[i]
			continue
		}
		n = n.Get(part)
	}
	return n
}

// Document is a JSON file.
type Document struct {
	File string
	Src  []byte // as given, with its byte order mark if it has one
	Root *Node
}

// Raw returns the bytes of n as they are written.
func (d *Document) Raw(n *Node) []byte { return d.Src[n.Start:n.End] }

// At returns f with the file, the place of span and the pointer of n
// (none when it is longer than 1 KiB).
func (d *Document) At(n *Node, span Span, f diag.Finding) diag.Finding {
	f.File = d.File
	if f.Path = n.Pointer(); len(f.Path) > maxPointer {
		f.Path = ""
	}
	f.Start, f.End = diag.Locate(d.Src, span.Start), diag.Locate(d.Src, span.End)
	return f
}

// AtValue returns f placed at the value of n.
func (d *Document) AtValue(n *Node, f diag.Finding) diag.Finding { return d.At(n, n.Span, f) }

// AtKey returns f placed at the key of n, or at its value when it has none.
func (d *Document) AtKey(n *Node, f diag.Finding) diag.Finding {
	if n.KeySpan.End == 0 {
		return d.AtValue(n, f)
	}
	return d.At(n, n.KeySpan, f)
}

// Quote shows text from a file inside a message: in double quotes, with
// invisible characters escaped, cut after 60 characters.
func Quote(text string) string {
	const most = 60
	count := 0
	for i := range text {
		if count++; count > most {
			return strconv.QuoteToGraphic(text[:i]) + "…"
		}
	}
	return strconv.QuoteToGraphic(text)
}

// List returns the elements of an array; nil for a nil node and other kinds.
func (n *Node) List() []*Node {
	if n == nil || n.Kind != Array {
		return nil
	}
	return n.Children
}
