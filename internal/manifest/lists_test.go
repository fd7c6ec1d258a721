package manifest_test

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/internal/manifest"
)

// A place of a manifest that takes the words of one closed list.
type place struct {
	name  string
	known []string
	src   string // %s stands for the word, in quotes
}

func places() []place {
	wrap := func(body string) string {
		return `{"id": "a", "desktop": {"entry": "r.js"}, "minimum_wuu_version": "1.0.0", "contributes": {` + body + `}}`
	}
	skin := func(body string) string {
		return wrap(`"skins": [{"id": "s", "name": "S", "placement": "canvas", "light": {"background": "#111111", "foreground": "#eeeeee", ` + body + `}, "dark": ` + plainScheme + `}]`)
	}
	return []place{
		{"field", manifest.Fields(), `{"id": "a", %s: 1}`},
		{"contributes", manifest.ContributesKeys(), wrap(`%s: 1`)},
		{"permission", manifest.Permissions(), `{"id": "a", "requested_permissions": [%s]}`},
		{"platform", manifest.Platforms(), `{"id": "a", "platforms": [%s]}`},
		{"icon", manifest.Icons(), `{"id": "a", "icon": %s}`},
		{"command kind", manifest.CommandKinds(), wrap(`"commands": [{"id": "c", "title": "C", "prompt": "p.md", "kind": %s}]`)},
		{"setting type", manifest.SettingTypes(), wrap(`"settings": {"s": {"title": "S", "default": "", "scope": "user", "apply": "live", "type": %s}}`)},
		{"setting scope", manifest.SettingScopes(), wrap(`"settings": {"s": {"title": "S", "default": "", "type": "string", "apply": "live", "scope": %s}}`)},
		{"setting apply", manifest.SettingApplies(), wrap(`"settings": {"s": {"title": "S", "default": "", "type": "string", "scope": "user", "apply": %s}}`)},
		{"theme base", manifest.ThemeBases(), wrap(`"themes": [{"id": "t", "name": "T", "tokens": {"--wuu-ink": "#000"}, "base": %s}]`)},
		{"theme token", manifest.ThemeTokens(), wrap(`"themes": [{"id": "t", "name": "T", "base": "dark", "tokens": {%s: "#000"}}]`)},
		{"syntax token", manifest.SyntaxTokens(), wrap(`"themes": [{"id": "t", "name": "T", "base": "dark", "tokens": {"--wuu-ink": "#000"}, "syntax": {%s: "#000"}}]`)},
		{"placement", manifest.SkinPlacements(), wrap(`"skins": [{"id": "s", "name": "S", "light": ` + plainScheme + `, "dark": ` + plainScheme + `, "placement": %s}]`)},
		{"position", manifest.SkinPositions(), skin(`"position": %s`)},
		{"shape", manifest.DotShapes(), skin(`"dots": {"pitch": 4, "size": 3, "shape": %s}`)},
		{"target", manifest.PresenterTargets(), wrap(`"presenters": [{"id": "p", "mode": "wrap", "target": %s}]`)},
		{"mode", manifest.PresenterModes(), wrap(`"presenters": [{"id": "p", "target": "settings", "mode": %s}]`)},
		{"transfer scope", manifest.TransferScopes(), `{"id": "a", "storageTransfers": {"exports": [{"id": "m", "plugin": "b", "domain": "d", "keyPrefix": "k", "scope": %s}]}}`},
		{"hook event", manifest.HookEvents(), `{"id": "a", "hooks": {%s: []}}`},
		{"hook type", manifest.HookTypes(), `{"id": "a", "hooks": {"Stop": [{"command": "c", "prompt": "p", "type": %s}]}}`},
	}
}

var suggestion = regexp.MustCompile(`did you mean "([^"]*)"\?`)

// Every word of every list, and each with a slip, is put into the place of
// every other list: what is suggested there comes from that place's own list.
func TestSuggestionsStayInTheirKind(t *testing.T) {
	suggested := 0
	for _, p := range places() {
		for _, other := range places() {
			for _, word := range other.known {
				for _, slip := range []string{word[:len(word)-1], strings.ToUpper(word)} {
					src := fmt.Sprintf(p.src, strconv.Quote(slip))
					_, found := manifest.Parse("plugin.json", []byte(src))
					for _, f := range found {
						m := suggestion.FindStringSubmatch(f.Hint)
						if m == nil {
							continue
						}
						suggested++
						if !slices.Contains(p.known, m[1]) {
							t.Errorf("%s: %q suggests %q", p.name, slip, m[1])
						}
					}
				}
			}
		}
	}
	if suggested < 400 {
		t.Errorf("only %d suggestions were made", suggested)
	}
}

// A slip in any word of any list is found, and the word is suggested.
func TestEverySlipIsCorrected(t *testing.T) {
	for _, p := range places() {
		for _, word := range p.known {
			if len(word) < 6 || p.name == "field" && word == "$schema" {
				continue
			}
			slip := word[:len(word)-2] + word[len(word)-1:] // the last letter but one is lost
			if slices.Contains(p.known, slip) {
				continue
			}
			_, found := manifest.Parse("plugin.json", []byte(fmt.Sprintf(p.src, strconv.Quote(slip))))
			ok := slices.ContainsFunc(found, func(f diag.Finding) bool { return strings.Contains(f.Hint, strconv.Quote(word)) })
			if !ok && p.name == "field" {
				// a field with two spellings is suggested in one of them
				ok = slices.ContainsFunc(found, func(f diag.Finding) bool { return suggestion.MatchString(f.Hint) })
			}
			if !ok {
				t.Errorf("%s: %q: %v", p.name, slip, found)
			}
		}
	}
}
