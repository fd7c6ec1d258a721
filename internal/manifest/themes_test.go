package manifest_test

import (
	"strings"
	"testing"

	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/internal/manifest"
)

func TestThemeRules(t *testing.T) {
	themed := func(body string) string {
		return "{\n\t\"id\": \"a\", \"contributes\": { \"themes\": [\n  {\"id\": \"t\", \"name\": \"🌙\", \"base\": \"dark\", " + body + "} ] } }"
	}
	tokens := func(body string) string { return themed(`"tokens": {` + body + `}`) }
	unknown := func(word string) string { return `this wuu knows no token "` + word + `"` }
	later := "hosts that do not know it ignore it"
	checkRules(t, []rule{
		{"typo in a colour", tokens(`«"--wuu-color-accnt"»: "#fff"`), diag.Warning, "THEME_TOKEN_UNKNOWN", unknown("--wuu-color-accnt"), `did you mean "--wuu-color-accent"?`},
		{"typo in a group", tokens(`«"--wuu-colour-canvas"»: "#fff"`), diag.Warning, "THEME_TOKEN_UNKNOWN", unknown("--wuu-colour-canvas"), `did you mean "--wuu-color-canvas"?`},
		{"typo in the middle", tokens(`«"--wuu-color-accnt-pressed"»: "#fff"`), diag.Warning, "THEME_TOKEN_UNKNOWN", unknown("--wuu-color-accnt-pressed"), `did you mean "--wuu-color-accent-pressed"?`},
		{"newer token", tokens(`«"--wuu-color-banana"»: "#fff"`), diag.Warning, "THEME_TOKEN_UNKNOWN", unknown("--wuu-color-banana"), later},
		{"a permission is no token", tokens(`«"--wuu-process.spawn"»: "#fff"`), diag.Warning, "THEME_TOKEN_UNKNOWN", unknown("--wuu-process.spawn"), later},
		{"foreign", tokens(`«"--background"»: "#fff"`), diag.Error, "THEME_TOKEN", `"--background" is no theme token`, "token names start with --wuu-"},
		{"prefix alone", tokens(`«"--wuu-"»: "#fff"`), diag.Error, "THEME_TOKEN", `"--wuu-" is no theme token`, "token names start with --wuu-"},
		{"prefix misspelt", tokens(`«"--wu-ink"»: "#fff"`), diag.Error, "THEME_TOKEN", `"--wu-ink" is no theme token`, `did you mean "--wuu-ink"?`},
		{"syntax among tokens", tokens(`«"--hljs-keyword"»: "red"`), diag.Error, "THEME_TOKEN", `"--hljs-keyword" colours code, and is no theme token`, `move it into "syntax"`},
		{"token among syntax", themed(`"tokens": {"--wuu-ink": "#000"}, "syntax": {«"--wuu-ink"»: "#000"}`), diag.Error, "THEME_TOKEN", `"--wuu-ink" is no syntax token`, `move it into "tokens"`},
		{"typo in syntax", themed(`"tokens": {"--wuu-ink": "#000"}, "syntax": {«"--hljs-keywrd"»: "#000"}`), diag.Warning, "THEME_TOKEN_UNKNOWN", unknown("--hljs-keywrd"), `did you mean "--hljs-keyword"?`},
		{"syntax value", themed(`"tokens": {"--wuu-ink": "#000"}, "syntax": {"--hljs-keyword": «1»}`), diag.Error, "MANIFEST_TYPE", "contributes.themes[0].syntax.--hljs-keyword must be a string, not a number", `write "1"`},
		{"syntax empty", themed(`"tokens": {"--wuu-ink": "#000"}, "syntax": {"--hljs-keyword": «" "»}`), diag.Error, "MANIFEST_REQUIRED", `the value of "--hljs-keyword" is empty`, ""},
		{"syntax list", themed(`"tokens": {"--wuu-ink": "#000"}, "syntax": «[]»`), diag.Error, "MANIFEST_TYPE", "contributes.themes[0].syntax must be an object, not an array", ""},
		{"canvas shows through", tokens(`"--wuu-color-canvas": «"#15182080"»`), diag.Warning, "THEME_TRANSPARENT", "--wuu-color-canvas should be opaque", "write an opaque colour; the host adds veils and glass itself"},
		{"no surface", tokens(`"--wuu-color-surface-muted": «"Transparent"»`), diag.Warning, "THEME_TRANSPARENT", "--wuu-color-surface-muted should be opaque", "write an opaque colour; the host adds veils and glass itself"},
		{"short alpha", tokens(`"--wuu-color-surface": «"#1118"»`), diag.Warning, "THEME_TRANSPARENT", "--wuu-color-surface should be opaque", "write an opaque colour; the host adds veils and glass itself"},
		{"unknown field", themed(`"tokens": {"--wuu-ink": "#000"}, «"token"»: {}`), diag.Error, "MANIFEST_UNKNOWN_FIELD", `unknown field "token"`, `did you mean "tokens"?`},
		{"misspelt is not missing too", themed(`«"tokns"»: {"--wuu-ink": "#000"}`), diag.Error, "MANIFEST_UNKNOWN_FIELD", `unknown field "tokns"`, `did you mean "tokens"?`},
		{"base in capitals", `{"id": "a", "contributes": {"themes": [{"id": "t", "name": "T", "base": «"Dark"», "tokens": {"--wuu-ink": "#000"}}]}}`, diag.Error, "MANIFEST_VALUE", `contributes.themes[0].base cannot be "Dark"`, `did you mean "dark"?`},
		{"same id", `{"id": "a", "contributes": {"themes": [{"id": "t", "name": "T", "base": "dark", "tokens": {"--wuu-ink": "#000"}}, {"id": «"t"», "name": "U", "base": "dark", "tokens": {"--wuu-ink": "#000"}}]}}`, diag.Error, "CONTRIBUTION_DUPLICATE", `the id "t" is used twice`, ""},
		{"no name", `{"id": "a", "contributes": {"themes": [«{»"id": "t", "base": "dark", "tokens": {"--wuu-ink": "#000"}}]}}`, diag.Error, "MANIFEST_REQUIRED", `"name" is missing in contributes.themes[0]`, ""},
		{"no base", `{"id": "a", "contributes": {"themes": [«{»"id": "t", "name": "T", "tokens": {"--wuu-ink": "#000"}}]}}`, diag.Error, "MANIFEST_REQUIRED", `"base" is missing in contributes.themes[0]`, "one of light, dark"},
		{"no object", `{"id": "a", "contributes": {"themes": [«"dark.json"»]}}`, diag.Error, "MANIFEST_TYPE", "contributes.themes[0] must be an object, not a string", ""},
	})
}

func TestEveryTokenIsKnown(t *testing.T) {
	var tokens, syntax []string
	for _, name := range manifest.ThemeTokens() {
		tokens = append(tokens, `"`+name+`": "1"`)
	}
	for _, name := range manifest.SyntaxTokens() {
		syntax = append(syntax, `"`+name+`": "red"`)
	}
	if len(tokens) != 81 || len(syntax) != 16 {
		t.Errorf("%d theme tokens, %d syntax tokens", len(tokens), len(syntax))
	}
	parse(t, `{"id": "a", "contributes": {"themes": [{"id": "t", "name": "T", "base": "light", "tokens": {`+strings.Join(tokens, ", ")+`}, "syntax": {`+strings.Join(syntax, ", ")+`}}]}}`)
}

func TestOpaqueSurfaces(t *testing.T) {
	for _, value := range []string{"#151820", "#151820FF", "#111f", "#111", "rgb(1 2 3)", "var(--wuu-paper)", "#zzzzzz80"} {
		parse(t, `{"id": "a", "contributes": {"themes": [{"id": "t", "name": "T", "base": "light", "tokens": {"--wuu-color-surface": "`+value+`"}}]}}`)
	}
	parse(t, `{"id": "a", "contributes": {"themes": [{"id": "t", "name": "T", "base": "light", "tokens": {"--wuu-color-overlay-backdrop": "#00000080"}}]}}`)
}
