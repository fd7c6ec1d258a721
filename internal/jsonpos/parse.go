package jsonpos

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/tailscale/hujson"

	"github.com/wuu-plugins/wuu/internal/diag"
)

const bom = "\ufeff"

// Parse reads src as the content of file. The Document is nil when src is not
// JSON or passes a limit; then the findings say where and why. With a
// Document there may still be findings of severity error.
func Parse(file string, src []byte) (*Document, []diag.Finding) {
	p := &parser{doc: &Document{File: file, Src: src}}
	if f, bad := p.checkBytes(); bad {
		return nil, []diag.Finding{f}
	}
	if bytes.HasPrefix(src, []byte(bom)) {
		p.base = len(bom)
		p.found.Add(p.place(0, p.base, diag.Finding{
			Code: "JSON_BOM", Severity: diag.Warning,
			Message: "the file starts with a byte order mark",
			Hint:    "save it as UTF-8 without BOM",
			Fix:     []diag.Edit{{Start: 0, End: p.base}},
		}))
	}
	if f, bad := p.checkSyntax(src[p.base:]); bad {
		p.found.Add(f)
		return nil, p.found.Findings()
	}
	value, err := hujson.Parse(src[p.base:])
	if err != nil { // impossible after checkSyntax; never trust that
		p.found.Add(p.place(p.base, len(src), diag.Finding{
			Code: "JSON_SYNTAX", Severity: diag.Error, Message: "not JSON: " + err.Error(),
		}))
		return nil, p.found.Findings()
	}
	p.doc.Root = p.build(&value, nil)
	return p.doc, p.found.Findings()
}

type parser struct {
	doc   *Document
	base  int // length of the byte order mark
	found diag.List
}

func (p *parser) place(start, end int, f diag.Finding) diag.Finding {
	f.File = p.doc.File
	f.Start, f.End = diag.Locate(p.doc.Src, start), diag.Locate(p.doc.Src, end)
	return f
}

// checkBytes looks at what must hold before the text can be read at all.
func (p *parser) checkBytes() (diag.Finding, bool) {
	src := p.doc.Src
	if len(src) > MaxSize {
		return p.place(0, 0, diag.Finding{
			Code: "JSON_SIZE", Severity: diag.Error,
			Message: fmt.Sprintf("the file has %d bytes; at most %d (1 MiB) are allowed", len(src), MaxSize),
		}), true
	}
	if bytes.HasPrefix(src, []byte{0xff, 0xfe}) || bytes.HasPrefix(src, []byte{0xfe, 0xff}) {
		return p.place(0, 2, diag.Finding{
			Code: "JSON_ENCODING", Severity: diag.Error,
			Message: "the file is UTF-16; JSON files are UTF-8", Hint: "save it as UTF-8",
		}), true
	}
	for i := 0; i < len(src); {
		r, size := utf8.DecodeRune(src[i:])
		if r == utf8.RuneError && size == 1 {
			return p.place(i, i+1, diag.Finding{
				Code: "JSON_ENCODING", Severity: diag.Error,
				Message: fmt.Sprintf("byte 0x%02x at offset %d is not UTF-8", src[i], i), Hint: "save the file as UTF-8",
			}), true
		}
		i += size
	}
	return diag.Finding{}, false
}

// build turns hujson's tree into nodes and checks each key and string. Its
// recursion is bounded by MaxDepth.
func (p *parser) build(v *hujson.Value, parent *Node) *Node {
	n := &Node{Span: Span{p.base + v.StartOffset, p.base + v.EndOffset}, parent: parent}
	switch value := v.Value.(type) {
	case hujson.Literal:
		p.buildLiteral(n, value)
	case *hujson.Array:
		n.Kind = Array
		n.Children = make([]*Node, len(value.Elements))
		for i := range value.Elements {
			n.Children[i] = p.build(&value.Elements[i], n)
			n.Children[i].index = i
		}
	case *hujson.Object:
		n.Kind = Object
		n.Children = make([]*Node, len(value.Members))
		for i := range value.Members {
			name := &value.Members[i].Name
			c := p.build(&value.Members[i].Value, n)
			c.index = i
			c.Key = name.Value.(hujson.Literal).String()
			c.KeySpan = Span{p.base + name.StartOffset, p.base + name.EndOffset}
			n.Children[i] = c
			p.checkText(c, c.KeySpan)
		}
		p.checkKeys(n)
	}
	return n
}

func (p *parser) buildLiteral(n *Node, lit hujson.Literal) {
	switch lit.Kind() {
	case '"':
		n.Kind, n.Text = String, lit.String()
		p.checkText(n, n.Span)
		return
	case 'n':
		n.Kind = Null
	case 't', 'f':
		n.Kind = Bool
	default:
		n.Kind = Number
	}
	n.Text = string(lit)
}

// checkKeys refuses a key that stands twice in one object, also in another
// case: readers that ignore case would take the last one.
func (p *parser) checkKeys(n *Node) {
	seen := make(map[string]*Node, len(n.Children))
	for _, c := range n.Children {
		fold := strings.ToLower(strings.ToUpper(c.Key)) // simple folding in both directions: ſ = s, K = k
		first, twice := seen[fold]
		if !twice {
			seen[fold] = c
			continue
		}
		if !p.found.Room(diag.Error) {
			continue
		}
		line := diag.Locate(p.doc.Src, first.KeySpan.Start).Line
		message := fmt.Sprintf("the key %s stands twice in this object (first on line %d)", Quote(c.Key), line)
		if c.Key != first.Key {
			message = fmt.Sprintf("the key %s differs only in case from %s on line %d", Quote(c.Key), Quote(first.Key), line)
		}
		f := diag.Finding{Code: "JSON_DUPLICATE_KEY", Severity: diag.Error, Message: message, Hint: "keep one of them"}
		if c.Key == first.Key && bytes.Equal(p.doc.Src[c.Start:c.End], p.doc.Src[first.Start:first.End]) {
			f.Fix = c.Removal() // whichever a reader takes, it is the same
		}
		p.found.Add(p.doc.AtKey(c, f))
	}
}
