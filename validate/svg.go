package validate

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/wuu-plugins/wuu/internal/diag"
)

// svgRefused are elements that run code, load something or show foreign
// markup.
var svgRefused = [...]string{"script", "foreignobject", "iframe", "object", "embed", "audio", "video", "handler", "listener"}

// svgWalk looks through one SVG file.
type svgWalk struct {
	c      *checker
	file   string
	src    []byte
	icon   bool // icons hold no style element and no embedded picture either
	depth  int
	style  bool // inside a style element
	rooted bool
	loads  [][2]int // where the styles load something, until it is reported
}

// checkSVG wants a picture that stands alone: no script, no handler, no
// document type (and with it no entity), and no reference out of the file.
func (c *checker) checkSVG(file string, src []byte, icon bool) {
	w := svgWalk{c: c, file: file, src: src, icon: icon}
	d := xml.NewDecoder(bytes.NewReader(src))
	for {
		start := int(d.InputOffset())
		token, err := d.Token()
		end := int(d.InputOffset())
		if err != nil {
			w.ended(err, end)
			return
		}
		switch token := token.(type) {
		case xml.StartElement:
			if !w.element(token, start, end) {
				return
			}
		case xml.EndElement:
			w.depth--
			w.style = false
		case xml.CharData:
			if w.style {
				w.css("style", string(src[start:end]), string(token), start)
			}
		case xml.Directive:
			if bytes.HasPrefix(bytes.ToUpper(token), []byte("DOCTYPE")) {
				w.add("SVG_DOCTYPE", start, end, "a document type can declare entities", "remove it: SVG needs none")
				d.Strict = false // its entities are not reported once more
			}
		case xml.ProcInst:
			if token.Target != "xml" {
				w.add("SVG_REFERENCE", start, end, "the instruction "+token.Target+" loads something else", "remove it")
			}
		}
	}
}

func (w *svgWalk) add(code string, start, end int, message, hint string) {
	w.c.found.Add(Finding{
		Code: code, Severity: diag.Error, File: w.file, Message: message, Hint: hint,
		Start: diag.Locate(w.src, start), End: diag.Locate(w.src, end),
	})
}

// ended reports why the walk ended, unless it reached the end of a picture.
func (w *svgWalk) ended(err error, offset int) {
	message := "the file is empty"
	var syntax *xml.SyntaxError
	switch {
	case errors.Is(err, io.EOF) && w.rooted:
		return
	case errors.As(err, &syntax):
		message = syntax.Msg
	case !errors.Is(err, io.EOF):
		message = err.Error()
	}
	w.add("SVG_SYNTAX", offset, offset, message, "export the picture again")
}

// element reports false when the file is no SVG at all.
func (w *svgWalk) element(e xml.StartElement, start, end int) bool {
	name := strings.ToLower(e.Name.Local)
	tagEnd := start + 1 + len(e.Name.Local)
	if i := bytes.Index(w.src[start:end], []byte(e.Name.Local)); i >= 0 {
		tagEnd = start + i + len(e.Name.Local)
	}
	if w.depth == 0 && !w.rooted && name != "svg" {
		w.add("SVG_SYNTAX", start+1, tagEnd, fmt.Sprintf("the root is %s, not svg", e.Name.Local), "export the picture again")
		return false
	}
	w.rooted = true
	w.depth++
	w.style = name == "style"
	if slices.Contains(svgRefused[:], name) || w.icon && name == "style" {
		w.add("SVG_ELEMENT", start+1, tagEnd, fmt.Sprintf("a picture holds no %s", e.Name.Local), "remove it")
		w.style = false
		return true // what it holds and refers to goes with it
	}
	animates := slices.Contains([]string{"set", "animate", "animatetransform", "animatemotion"}, name)
	for i, a := range attributes(w.src[start:end]) {
		if i < len(e.Attr) {
			w.attribute(a, e.Attr[i].Value, start, animates)
		}
	}
	return true
}

func (w *svgWalk) attribute(a attribute, value string, base int, animates bool) {
	_, local, prefixed := strings.Cut(a.name, ":")
	if !prefixed {
		local = a.name
	}
	local = strings.ToLower(local)
	decoded := value
	value = strings.TrimSpace(value)
	start, end := base+a.valueStart, base+a.valueEnd
	switch {
	case strings.HasPrefix(local, "on"):
		w.add("SVG_HANDLER", base+a.start, base+a.start+len(a.name), "a picture runs no "+a.name, "remove it")
	case strings.HasPrefix(a.name, "xmlns"):
	case local == "href" || local == "src":
		if !strings.HasPrefix(value, "#") && (w.icon || !embedded(value)) {
			w.add("SVG_REFERENCE", start, end, "the picture refers to something outside of it", "draw it in, or refer to #id")
		}
	case local == "base" && prefixed:
		w.add("SVG_REFERENCE", start, end, "xml:base makes every reference one out of the file", "remove it")
	case animates && local == "attributename" && (strings.HasSuffix(strings.ToLower(value), "href") || strings.HasPrefix(strings.ToLower(value), "on")):
		w.add("SVG_REFERENCE", start, end, "an animation changes "+value, "animate something else")
	default:
		w.css(a.name, a.value, decoded, start)
	}
}

// css looks for what a style loads: raw as it is written, from the offset base
// on, and value as a browser reads it.
func (w *svgWalk) css(where, raw, value string, base int) {
	before := len(w.loads)
	w.loaded(raw)
	if len(w.loads) == before && (value != raw || strings.Contains(value, `\`)) {
		if hidden := (&svgWalk{icon: w.icon}); hidden.loaded(unescapeCSS(value)) && len(w.loads) == before {
			w.loads = append(w.loads, [2]int{0, len(raw)})
		}
	}
	for _, l := range w.loads[before:] {
		w.add("SVG_REFERENCE", base+l[0], base+l[1], where+" refers to something outside of the picture", "draw it in, or refer to url(#id)")
	}
}

// loaded collects where text, a style, loads something, and reports whether it
// does.
func (w *svgWalk) loaded(text string) bool {
	before, lower := len(w.loads), strings.ToLower(text)
	if i := strings.Index(lower, "@import"); i >= 0 {
		w.loads = append(w.loads, [2]int{i, i + len("@import")})
		return true
	}
	for i := 0; ; {
		at := strings.Index(lower[i:], "url(")
		if at < 0 {
			return len(w.loads) > before
		}
		at += i
		i = at + len("url(")
		target := strings.TrimLeft(lower[i:], " \t\r\n\"'")
		target = strings.TrimPrefix(strings.TrimPrefix(target, "&quot;"), "&apos;")
		if strings.HasPrefix(target, "#") || !w.icon && embedded(target) {
			continue
		}
		stop := len(text)
		if j := strings.IndexByte(lower[i:], ')'); j >= 0 {
			stop = i + j + 1
		}
		w.loads = append(w.loads, [2]int{at, min(stop, len(text))})
	}
}

// unescapeCSS resolves the escapes of CSS, with which url can be written so
// that nobody sees it.
func unescapeCSS(text string) string {
	var out strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' || i+1 == len(text) {
			out.WriteByte(text[i])
			continue
		}
		digits := 0
		for digits < 6 && i+1+digits < len(text) && strings.IndexByte("0123456789abcdefABCDEF", text[i+1+digits]) >= 0 {
			digits++
		}
		if digits == 0 {
			continue // the character stands for itself
		}
		n, _ := strconv.ParseUint(text[i+1:i+1+digits], 16, 32)
		out.WriteRune(rune(n))
		i += digits
		if i+1 < len(text) && strings.IndexByte(" \t\r\n", text[i+1]) >= 0 {
			i++
		}
	}
	return out.String()
}

// embedded reports whether a reference holds a bitmap itself.
func embedded(ref string) bool {
	ref = strings.ToLower(ref)
	for _, kind := range []string{"png", "jpeg", "webp", "gif"} {
		if strings.HasPrefix(ref, "data:image/"+kind+";") || strings.HasPrefix(ref, "data:image/"+kind+",") {
			return true
		}
	}
	return false
}
