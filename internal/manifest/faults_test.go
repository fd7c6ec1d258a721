package manifest_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/wuu-plugins/wuu/internal/manifest"
)

// manyFaults has one fault at each mark; the code that is expected stands
// between ‹ and › behind it. The marks are taken out before it is read.
const manyFaults = `{
  "schema_version": «2»‹MANIFEST_SCHEMA_VERSION›, "id": "many", "name": "🌋 Many", "version": «7»‹MANIFEST_TYPE›,
	"platforms": ["linux", «"macos"»‹MANIFEST_PLATFORM›], "keywords": «"one"»‹MANIFEST_TYPE›, «"descripton"»‹MANIFEST_UNKNOWN_FIELD›: "🌋",
  "requested_permissions": ["files.read", «"file.write"»‹MANIFEST_PERMISSION›],
  "desktop": { "entry": "r.js" },
  "contributes": {
    «"slots"»‹CONTRIBUTES_REJECTED›: [], «"comands"»‹CONTRIBUTES_UNKNOWN_KEY›: [],
    "commands": [
      { "id": «"Say Hi"»‹CONTRIBUTION_ID›, "title": "🌋", "kind": "prompt_template", "prompt": "p.md" },
      «{»‹MANIFEST_REQUIRED› "id": "two", "title": "T", "kind": "side_conversation" },
      { "id": "three", "title": "T", "kind": «"prompt"»‹MANIFEST_VALUE›, "prompt": "p.md" },
      { "id": «"two"»‹CONTRIBUTION_DUPLICATE›, "title": "T", "kind": "prompt_template", "prompt": "p.md" }
    ],
    "settings": {
      «"My.Key"»‹SETTING_ID›: {},
      "n": { "type": "number", "title": "🌋🌋", "default": «"1"»‹SETTING_DEFAULT›, "scope": "user", "apply": "live" },
      "e": { "type": "enum", "title": "E", "enum": ["a", «"a"»‹SETTING_ENUM›], "default": "a", "scope": "user", "apply": "live" },
      "t": { "type": "secret", "title": "T", "default": "", "scope": «"workspace"»‹SETTING_SECRET›, "apply": "live", "credential_origins": [«"http://x.example"»‹SETTING_ORIGIN›] }
    },
    "themes": [{ "id": "t", "name": "T", "base": "dark", "tokens": { «"--ink"»‹THEME_TOKEN›: "#000", «"--wuu-inc"»‹THEME_TOKEN_UNKNOWN›: "#000" } }],
    "skins": [{ "id": "s", "name": "🌋", «"placement"»‹SKIN_MINIMUM_VERSION›: "canvas",
      "light": { "background": «"red"»‹SKIN_COLOR›, "foreground": "#eeeeee", "veil": «2»‹SKIN_VALUE›, "image": «"x.gif"»‹SKIN_IMAGE_TYPE› },
      "dark": { "background": "#111111", "foreground": "#eeeeee" } }],
    "presenters": [{ "id": "p", "mode": «null»‹MANIFEST_REQUIRED›, "target": "settings" }],
    "navigation": [{ "id": «"p"»‹CONTRIBUTION_DUPLICATE›, "view": "v", "title": "T" }]
  },
  "storageTransfers": { "exports": [{ "id": "m", "plugin": «"many"»‹RELATION_SELF›, "scope": "user", "domain": "d", "keyPrefix": «".n"»‹TRANSFER_PREFIX› }] }
}
`

// All faults of a file are found in one run, each where it is, and no others.
func TestManyFaults(t *testing.T) {
	for name, newline := range map[string]string{"LF": "\n", "CRLF": "\r\n"} {
		t.Run(name, func(t *testing.T) {
			src, want := expected(strings.ReplaceAll(manyFaults, "\n", newline))
			_, found := manifest.Parse("plugin.json", []byte(src))
			var got []string
			for _, f := range found {
				got = append(got, fmt.Sprintf("%d:%d-%d:%d %s", f.Start.Line, f.Start.Col16, f.End.Line, f.End.Col16, f.Code))
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Error(d)
			}
			if len(want) < 25 {
				t.Errorf("only %d faults", len(want))
			}
		})
	}
}

// expected takes the marks out of src and returns the places and codes that
// they ask for, in the order of the text.
func expected(src string) (plain string, want []string) {
	var out strings.Builder
	var start string
	line, col := 1, 1
	code, inCode := "", false
	for _, r := range src {
		switch {
		case r == '«':
			start = fmt.Sprintf("%d:%d", line, col)
		case r == '»':
			start = fmt.Sprintf("%s-%d:%d", start, line, col)
		case r == '‹':
			code, inCode = "", true
		case r == '›':
			want, inCode = append(want, start+" "+code), false
		case inCode:
			code += string(r)
		default:
			out.WriteRune(r)
			if col += utf16.RuneLen(r); r == '\n' {
				line, col = line+1, 1
			}
		}
	}
	return out.String(), want
}
