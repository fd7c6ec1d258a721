package schema_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wuu-plugins/wuu/internal/manifest"
	"github.com/wuu-plugins/wuu/internal/schema"
)

func load(t *testing.T) map[string]any {
	t.Helper()
	var root map[string]any
	if err := json.Unmarshal(schema.Manifest(), &root); err != nil {
		t.Fatal(err)
	}
	return root
}

// at follows keys from n.
func at(t *testing.T, n any, keys ...string) any {
	t.Helper()
	for _, key := range keys {
		m, ok := n.(map[string]any)
		if !ok || m[key] == nil {
			t.Fatalf("%v: no %q", keys, key)
		}
		n = m[key]
	}
	return n
}

func sortedKeys(n any) []string { return slices.Sorted(maps.Keys(n.(map[string]any))) }

func texts(n any) []string {
	var out []string
	for _, v := range n.([]any) {
		out = append(out, v.(string))
	}
	return out
}

// The lists that are closed in manifest are the same here.
func TestListsAgree(t *testing.T) {
	root := load(t)
	defs := at(t, root, "$defs")
	for _, c := range []struct {
		name      string
		want, got []string
	}{
		{"fields", manifest.Fields(), sortedKeys(root["properties"])},
		{"contributes", manifest.ContributesKeys(), sortedKeys(at(t, defs, "contributes", "properties"))},
		{"permissions", manifest.Permissions(), texts(at(t, root, "properties", "requested_permissions", "items", "enum"))},
		{"platforms", manifest.Platforms(), texts(at(t, root, "properties", "platforms", "items", "enum"))},
		{"command kinds", manifest.CommandKinds(), texts(at(t, defs, "command", "properties", "kind", "enum"))},
		{"setting types", manifest.SettingTypes(), texts(at(t, defs, "setting", "properties", "type", "enum"))},
		{"setting scopes", manifest.SettingScopes(), texts(at(t, defs, "setting", "properties", "scope", "enum"))},
		{"setting applies", manifest.SettingApplies(), texts(at(t, defs, "setting", "properties", "apply", "enum"))},
		{"theme bases", manifest.ThemeBases(), texts(at(t, defs, "theme", "properties", "base", "enum"))},
		{"hook events", manifest.HookEvents(), sortedKeys(at(t, defs, "hooks", "properties"))},
	} {
		slices.Sort(c.want)
		slices.Sort(c.got)
		if d := cmp.Diff(c.want, c.got); d != "" {
			t.Errorf("%s: manifest (-), schema (+)\n%s", c.name, d)
		}
	}
	if got := at(t, defs, "runtime", "properties", "protocol", "const"); got != manifest.Protocol {
		t.Errorf("protocol %v", got)
	}
}

// keywords of JSON Schema 2020-12 that the document may use.
var keywords = []string{
	"$schema", "$id", "$ref", "$defs", "title", "description", "deprecated", "type", "enum", "const", "properties", "required", "additionalProperties",
	"propertyNames", "minProperties", "items", "minItems", "uniqueItems", "pattern", "minLength", "maxLength", "minimum", "anyOf", "oneOf", "allOf", "if", "then",
}

// TestWellFormed walks every schema of the document: known keywords of the
// right JSON type, patterns that compile, references that lead somewhere,
// required members that exist.
func TestWellFormed(t *testing.T) {
	root := load(t)
	if root["$schema"] != "https://json-schema.org/draft/2020-12/schema" || root["$id"] != schema.ManifestID {
		t.Errorf("$schema %v, $id %v", root["$schema"], root["$id"])
	}
	refs := 0
	var walk func(where string, n any)
	walk = func(where string, n any) {
		if _, ok := n.(bool); ok {
			return
		}
		s, ok := n.(map[string]any)
		if !ok {
			t.Errorf("%s is no schema: %v", where, n)
			return
		}
		for key, v := range s {
			if !slices.Contains(keywords, key) {
				t.Errorf("%s: unknown keyword %s", where, key)
			}
			switch key {
			case "properties", "$defs":
				for name, sub := range v.(map[string]any) {
					walk(where+"/"+key+"/"+name, sub)
				}
			case "items", "additionalProperties", "propertyNames", "if", "then":
				walk(where+"/"+key, v)
			case "anyOf", "oneOf", "allOf":
				for _, sub := range v.([]any) {
					walk(where+"/"+key, sub)
				}
			case "pattern":
				if _, err := regexp.Compile(v.(string)); err != nil {
					t.Errorf("%s: %v", where, err)
				}
			case "$ref":
				refs++
				at(t, root, strings.Split(strings.TrimPrefix(v.(string), "#/"), "/")...)
			case "required":
				if props, ok := s["properties"].(map[string]any); ok && s["type"] == "object" {
					for _, name := range texts(v) {
						if props[name] == nil {
							t.Errorf("%s: required %s is not described", where, name)
						}
					}
				}
			case "enum":
				if len(v.([]any)) == 0 {
					t.Errorf("%s: empty enum", where)
				}
			}
		}
	}
	walk("#", root)
	if refs < 20 {
		t.Errorf("only %d references walked", refs)
	}
	for name, n := range root["properties"].(map[string]any) {
		s := n.(map[string]any)
		if s["description"] == nil && s["$ref"] == nil {
			t.Errorf("%s has no description for editors", name)
		}
	}
}

func TestStable(t *testing.T) {
	if !bytes.Equal(schema.Manifest(), schema.Manifest()) {
		t.Error("two calls differ")
	}
	if !bytes.HasSuffix(schema.Manifest(), []byte("}\n")) || bytes.Contains(schema.Manifest(), []byte(`\u003c`)) {
		t.Error("no final newline, or escaped for HTML")
	}
}
