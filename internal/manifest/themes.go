package manifest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/internal/jsonpos"
)

// themes reads contributes.themes.
func (r *reader) themes(n *jsonpos.Node) {
	seen := map[string]bool{}
	known, syntax := ThemeTokens(), SyntaxTokens()
	r.each(n, func(c *jsonpos.Node) {
		r.closed(c, "id", "name", "base", "tokens", "syntax")
		t := Theme{ID: r.localID(c, seen), Name: r.required(c, "name"), Base: r.requiredChoice(c, "base", ThemeBases())}
		if tokens := r.get(c, "tokens"); tokens == nil {
			r.missing(c, "tokens", problem{hint: `for example {"--wuu-color-accent": "#8fa7ff"}`})
		} else {
			r.tokens(tokens, known, syntax)
		}
		r.syntax(r.get(c, "syntax"), syntax, known)
		if t.ID != "" {
			r.m.Contributes.Themes = append(r.m.Contributes.Themes, t)
		}
	})
	slices.SortFunc(r.m.Contributes.Themes, func(a, b Theme) int { return strings.Compare(a.ID, b.ID) })
}

// tokens reads the colours and sizes of a theme. A name that starts as tokens
// do but is not in the list is a warning, since a newer host may know it.
func (r *reader) tokens(n *jsonpos.Node, known, syntax []string) {
	if !r.kind(n, jsonpos.Object) {
		return
	}
	if len(n.Children) == 0 {
		r.fail(n, problem{code: "MANIFEST_REQUIRED"}, "%s is empty", label{n})
	}
	for _, c := range n.Children {
		if slices.Contains(syntax, c.Key) {
			r.failKey(c, problem{code: "THEME_TOKEN", hint: `move it into "syntax"`}, "%s colours code, and is no theme token", jsonpos.Quote(c.Key))
		} else {
			r.tokenName(c, known, themePrefix)
		}
		r.tokenValue(c)
	}
}

// syntax reads the colours of code.
func (r *reader) syntax(n *jsonpos.Node, known, theme []string) {
	if !r.kind(n, jsonpos.Object) {
		return
	}
	for _, c := range n.Children {
		if slices.Contains(theme, c.Key) {
			r.failKey(c, problem{code: "THEME_TOKEN", hint: `move it into "tokens"`}, "%s is no syntax token", jsonpos.Quote(c.Key))
		} else {
			r.tokenName(c, known, hljsPrefix, wuuSyntaxPrefix)
		}
		r.tokenValue(c)
	}
}

func (r *reader) tokenName(c *jsonpos.Node, known []string, prefixes ...string) {
	if slices.Contains(known, c.Key) {
		return
	}
	ours := slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(c.Key, p) && c.Key != p })
	severity, code, what := diag.Error, "THEME_TOKEN", "%s is no theme token"
	if ours {
		severity, code, what = diag.Warning, "THEME_TOKEN_UNKNOWN", "this wuu knows no token %s"
	}
	if !r.found.Room(severity) {
		return // before the costly search
	}
	p := problem{code: code}
	if meant := nearestToken(c.Key, known); meant != "" {
		p.hint = fmt.Sprintf("did you mean %q?", meant)
	} else if ours {
		p.hint = "hosts that do not know it ignore it"
	} else {
		p.hint = "token names start with " + strings.Join(prefixes, " or ")
	}
	r.report(severity, c, keySpan(c), p, what, []any{jsonpos.Quote(c.Key)})
}

// tokenValue refuses an empty value, and warns about a canvas or surface that
// shows through: hosts derive the levels of text from these colours and make
// things translucent themselves.
func (r *reader) tokenValue(c *jsonpos.Node) {
	value := r.text(c)
	switch {
	case c.Kind != jsonpos.String:
	case value == "":
		r.fail(c, problem{code: "MANIFEST_REQUIRED"}, "the value of %s is empty", jsonpos.Quote(c.Key))
	case (strings.HasPrefix(c.Key, "--wuu-color-surface") || c.Key == "--wuu-color-canvas") && seeThrough(value):
		r.warn(c, problem{code: "THEME_TRANSPARENT", hint: "write an opaque colour; the host adds veils and glass itself"}, "%s should be opaque", c.Key)
	}
}

// seeThrough reports whether a CSS colour is not opaque. It knows names and
// hexadecimal colours; of functions it asks nothing.
func seeThrough(value string) bool {
	value = strings.ToLower(value)
	digits, hex := strings.CutPrefix(value, "#")
	switch {
	case value == transparentColor:
		return true
	case hex && len(digits) == 8 && isHex(digits):
		return digits[6:] != "ff"
	case hex && len(digits) == 4 && isHex(digits):
		return digits[3] != 'f'
	}
	return false
}

func isHex(s string) bool { return strings.Trim(s, "0123456789abcdefABCDEF") == "" }
