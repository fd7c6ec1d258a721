package manifest

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/wuu-plugins/wuu/internal/jsonpos"
)

// skins reads contributes.skins: pictures and colours of the window frame.
func (r *reader) skins(n *jsonpos.Node) {
	seen := map[string]bool{}
	r.each(n, func(c *jsonpos.Node) {
		r.closed(c, "id", "name", "placement", "userImage", "light", "dark")
		r.localID(c, seen)
		r.required(c, "name")
		canvas := r.placement(r.get(c, "placement")) || r.misspelt[member{c, "placement"}]
		r.flag(r.get(c, "userImage"))
		r.newerSkin(c.Get("placement"), c.Get("userImage"))
		for _, scheme := range []string{"light", "dark"} {
			if s := r.get(c, scheme); s == nil {
				r.missing(c, scheme, problem{hint: "a skin has a light and a dark scheme"})
			} else if r.kind(s, jsonpos.Object) {
				r.scheme(s, canvas)
			}
		}
	})
}

// placement reports whether the picture may lie under the canvas: it does, or
// what stands there is wrong and reported.
func (r *reader) placement(n *jsonpos.Node) bool {
	if n == nil {
		return false
	}
	return r.choice(n, SkinPlacements()) != "frame"
}

// scheme reads one of the two colour schemes of a skin.
func (r *reader) scheme(n *jsonpos.Node, canvas bool) {
	r.closed(n, "background", "foreground", "image", "overlay", "hover", "active", "position", "veil", "dots")
	for _, key := range []string{"background", "foreground"} {
		if c := r.get(n, key); c == nil {
			r.missing(n, key, problem{hint: "an opaque colour, for example #234b60"})
		} else {
			r.color(c, false)
		}
	}
	for _, key := range []string{"overlay", "hover", "active"} {
		r.color(r.get(n, key), true)
	}
	r.skinImage(r.get(n, "image"))
	if position := r.get(n, "position"); position != nil {
		r.choice(position, SkinPositions())
	}
	veil, dots := r.get(n, "veil"), r.get(n, "dots")
	if value, ok := r.number(veil); ok && (value < 0 || value > 1) {
		r.fail(veil, problem{code: "SKIN_VALUE", hint: "0 shows the picture, 1 hides it; 0.86 when absent"}, "%s must be from 0 to 1, not %s", label{veil}, veil.Text)
	}
	if r.kind(dots, jsonpos.Object) {
		r.dots(dots)
	}
	for _, c := range []*jsonpos.Node{veil, dots} {
		if c != nil && !canvas {
			r.failKey(c, problem{code: "SKIN_PLACEMENT", hint: `set "placement": "canvas" in the skin, or remove ` + c.Key}, "%s needs a skin whose placement is canvas", label{c})
		}
	}
	r.newerSkin(veil, dots)
}

// dots reads the grid that a picture is drawn as. Both lengths are CSS pixels.
func (r *reader) dots(n *jsonpos.Node) {
	r.closed(n, "pitch", "size", "shape")
	lengths := map[string]float64{}
	for _, key := range []string{"pitch", "size"} {
		c := r.get(n, key)
		if c == nil {
			r.missing(n, key, problem{hint: `for example {"pitch": 4, "size": 3}`})
		} else if value, ok := r.number(c); ok {
			lengths[key] = value
		}
	}
	pitch, known := lengths["pitch"]
	if known && (pitch < 2 || pitch > 32) {
		c := n.Get("pitch")
		r.fail(c, problem{code: "SKIN_VALUE"}, "%s must be from 2 to 32, not %s", label{c}, c.Text)
		known = false
	}
	if size, ok := lengths["size"]; ok {
		c := n.Get("size")
		switch {
		case size < 0.5:
			r.fail(c, problem{code: "SKIN_VALUE"}, "%s must be 0.5 or more, not %s", label{c}, c.Text)
		case known && size > pitch:
			r.fail(c, problem{code: "SKIN_VALUE", hint: "a dot fits into its cell"}, "%s must not exceed the pitch of %s, not %s", label{c}, n.Get("pitch").Text, c.Text)
		case !known && size > 32:
			r.fail(c, problem{code: "SKIN_VALUE", hint: "a dot fits into its cell"}, "%s must not exceed the largest pitch of 32, not %s", label{c}, c.Text)
		}
	}
	if shape := r.get(n, "shape"); shape != nil {
		r.choice(shape, DotShapes())
	}
}

// color reads #RRGGBB, with an alpha only where one is allowed.
func (r *reader) color(n *jsonpos.Node, alpha bool) {
	if !r.kind(n, jsonpos.String) {
		return
	}
	text := strings.TrimSpace(n.Text)
	digits, hash := strings.CutPrefix(text, "#")
	if hash && isHex(digits) && (len(digits) == 6 || alpha && len(digits) == 8) {
		return
	}
	form := "#RRGGBB"
	if alpha {
		form += " or #RRGGBBAA"
	}
	p := problem{code: "SKIN_COLOR", hint: "for example #234b60"}
	if full := longColor(digits, alpha); full != "" {
		p.hint, p.fix = "write "+full, strconv.Quote(full)
	}
	r.fail(n, p, "%s must be %s, not %s", label{n}, form, jsonpos.Quote(text))
}

// longColor returns the same colour in the long form, "" when text names none
// or one that the long form cannot say.
func longColor(digits string, alpha bool) string {
	if !isHex(digits) {
		return ""
	}
	if len(digits) == 3 || len(digits) == 4 {
		var double strings.Builder
		for _, c := range digits {
			double.WriteString(strings.Repeat(string(c), 2))
		}
		digits = double.String()
	}
	switch {
	case len(digits) == 8 && !alpha && strings.EqualFold(digits[6:], "ff"):
		return "#" + digits[:6]
	case len(digits) == 6 || len(digits) == 8 && alpha:
		return "#" + digits
	}
	return ""
}

// skinImage reads the path of a picture; its size and content are validate's.
func (r *reader) skinImage(n *jsonpos.Node) {
	clean := r.path(n, RefSkinImage)
	if clean == "" || slices.Contains(SkinImages(), strings.ToLower(path.Ext(clean))) {
		return
	}
	r.fail(n, problem{code: "SKIN_IMAGE_TYPE", hint: "one of " + strings.Join(SkinImages(), ", ")}, "%s is no PNG, JPEG, WebP or SVG file", label{n})
}

// newerSkin warns about the first field that hosts refuse which are older than
// the skins' newer fields, when no minimum version keeps them away.
func (r *reader) newerSkin(fields ...*jsonpos.Node) {
	for _, n := range fields {
		if n == nil || n.Kind == jsonpos.Null || r.warnedOfSkins || r.declares("minimum_wuu_version") || r.declares("minimumWuuVersion") {
			continue
		}
		r.warnedOfSkins = true
		r.warnKey(n, problem{code: "SKIN_MINIMUM_VERSION", hint: `declare "minimum_wuu_version", so that they say what they need`}, "hosts that do not know %s refuse to install the package", n.Key)
	}
}

// declares reports whether a top-level field is there, well or not.
func (r *reader) declares(field string) bool {
	n := r.doc.Root.Get(field)
	return n != nil && n.Kind != jsonpos.Null
}
