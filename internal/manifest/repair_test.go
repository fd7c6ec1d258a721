package manifest_test

import (
	"testing"

	"github.com/wuu-plugins/wuu/internal/manifest"
)

// What can only have been meant in one way is repaired, in place; everything
// else keeps its text, and what is doubtful is left alone.
func TestRepairs(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"key of a transfer", `{"id": "a", "storageTransfers": {"exports": [{"id": "m", "plugin": "b", "scope": "user", "domain": "d", "key_prefix": "k"}]}}`,
			`{"id": "a", "storageTransfers": {"exports": [{"id": "m", "plugin": "b", "scope": "user", "domain": "d", "keyPrefix": "k"}]}}`},
		{"key of contributes", `{"id": "a", "desktop": {"entry": "r.js"}, "contributes": {"workspace-tools": []}}`, `{"id": "a", "desktop": {"entry": "r.js"}, "contributes": {"workspaceTools": []}}`},
		{"key that is there already", `{"id": "a", "contributes": {"settings_pages": [], "settingsPages": []}}`, ""},
		{"another word", `{"id": "a", "contributes": {"theme": []}}`, ""},
		{"value in capitals", `{"id": "a", "icon": "List_Todo"}`, `{"id": "a", "icon": "list-todo"}`},
		{"value with a slip", `{"id": "a", "icon": "serch"}`, ""},
		{"quotes around a number", `{"id": "a", "runtime": {"protocol": "wuu-plugin-v1", "command": "node", "timeout": "30"}}`, `{"id": "a", "runtime": {"protocol": "wuu-plugin-v1", "command": "node", "timeout": 30}}`},
		{"quotes around a truth", `{"id": "a", "defaultEnabled": "false"}`, `{"id": "a", "defaultEnabled": false}`},
		{"no quotes", `{"id": "a", "version": 1.20}`, `{"id": "a", "version": "1.20"}`},
		{"words for a number", `{"id": "a", "runtime": {"protocol": "wuu-plugin-v1", "command": "node", "timeout": "30 s"}}`, ""},
		{"default of an enum", `{"id": "a", "contributes": {"settings": {"s": {"type": "enum", "title": "S", "enum": ["low", "high"], "default": "HIGH", "scope": "user", "apply": "live"}}}}`,
			`{"id": "a", "contributes": {"settings": {"s": {"type": "enum", "title": "S", "enum": ["low", "high"], "default": "high", "scope": "user", "apply": "live"}}}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, found := manifest.Parse("plugin.json", []byte(c.src))
			if len(found) != 1 {
				t.Fatal(found)
			}
			if c.want == "" {
				if found[0].Fix != nil {
					t.Errorf("repaired: %v", found[0].Fix)
				}
				return
			}
			if len(found[0].Fix) != 1 {
				t.Fatalf("not repaired: %v", found)
			}
			e := found[0].Fix[0]
			if got := c.src[:e.Start] + e.Text + c.src[e.End:]; got != c.want {
				t.Errorf("%s", got)
			}
			parse(t, c.want)
		})
	}
}
