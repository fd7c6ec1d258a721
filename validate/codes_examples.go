package validate

// codeExample is what triggers a code, as short as it gets.
type codeExample struct{ code, example string }

// manifestExamples are whole manifests; a test finds the code in each.
var manifestExamples = [...]codeExample{
	{"COMMAND_PROMPT", `{"id": "x", "version": "1.0.0", "contributes": {"commands": [{"id": "c", "title": "C", "kind": "runtime_action", "prompt": "p.md"}]}}`},
	{"CONTRIBUTES_REJECTED", `{"id": "x", "version": "1.0.0", "contributes": {"slots": []}}`},
	{"CONTRIBUTES_UNKNOWN_KEY", `{"id": "x", "version": "1.0.0", "contributes": {"theme": []}}`},
	{"CONTRIBUTION_DUPLICATE", `{"id": "x", "version": "1.0.0", "contributes": {"commands": [{"id": "c", "title": "C", "kind": "prompt", "prompt": "p.md"}, {"id": "c", "title": "D", "kind": "prompt", "prompt": "q.md"}]}}`},
	{"CONTRIBUTION_ID", `{"id": "x", "version": "1.0.0", "contributes": {"commands": [{"id": "C!", "title": "C", "kind": "prompt", "prompt": "p.md"}]}}`},
	{"DESKTOP_ENTRY_TYPE", `{"id": "x", "version": "1.0.0", "desktop": {"entry": "ui.ts"}}`},
	{"HOOK_EVENT", `{"id": "x", "version": "1.0.0", "hooks": {"Stopp": [{"command": "true"}]}}`},
	{"HOOK_NESTED", `{"id": "x", "version": "1.0.0", "hooks": {"Stop": [{"hooks": [{"command": "true"}]}]}}`},
	{"HOOK_UNQUOTED_ROOT", `{"id": "x", "version": "1.0.0", "hooks": {"Stop": [{"command": "node $CLAUDE_PLUGIN_ROOT/a.js"}]}}`},
	{"INTERFACE_FAMILY", `{"id": "x", "version": "1.0.0", "interface": {"family": {}}}`},
	{"JSON_BOM", "\ufeff" + `{"id": "x", "version": "1.0.0"}`},
	{"JSON_DUPLICATE_KEY", `{"id": "x", "version": "1.0.0", "id": "y"}`},
	{"JSON_SURROGATE", `{"id": "x", "version": "1.0.0", "description": "\ud800"}`},
	{"JSON_SYNTAX", `{"id": "x", "version": "1.0.0",}`},
	{"JSON_TRAILING_DATA", `{"id": "x", "version": "1.0.0"} {}`},
	{"MANIFEST_BOTH_SPELLINGS", `{"id": "x", "version": "1.0.0", "default_enabled": true, "defaultEnabled": true}`},
	{"MANIFEST_ID", `{"id": "a/b", "version": "1.0.0"}`},
	{"MANIFEST_NULL", `{"id": "x", "version": "1.0.0", "description": null}`},
	{"MANIFEST_PLATFORM", `{"id": "x", "version": "1.0.0", "platforms": ["beos"]}`},
	{"MANIFEST_REQUIRED", `{"version": "1.0.0"}`},
	{"MANIFEST_SCHEMA_VERSION", `{"id": "x", "version": "1.0.0", "schema_version": 99}`},
	{"MANIFEST_TYPE", `{"id": 7, "version": "1.0.0"}`},
	{"MANIFEST_UNKNOWN_FIELD", `{"id": "x", "version": "1.0.0", "descripton": "d"}`}, //nolint:misspell // which is the point
	{"MANIFEST_VALUE", `{"id": "x", "version": "1.0.0", "runtime": {"protocol": "wuu-plugin-v9", "command": "node", "args": ["a.js"]}}`},
	{"PATH_ABSOLUTE", `{"id": "x", "version": "1.0.0", "skills": ["/s"]}`},
	{"PATH_BACKSLASH", `{"id": "x", "version": "1.0.0", "skills": ["a\\b"]}`},
	{"PATH_CHARACTER", `{"id": "x", "version": "1.0.0", "skills": ["a?b"]}`},
	{"PATH_CONTROL", `{"id": "x", "version": "1.0.0", "skills": ["a\u0001b"]}`},
	{"PATH_DRIVE", `{"id": "x", "version": "1.0.0", "skills": ["C:/s"]}`},
	{"PATH_RESERVED", `{"id": "x", "version": "1.0.0", "skills": ["con"]}`},
	{"PATH_SHORTNAME", `{"id": "x", "version": "1.0.0", "skills": ["SKILLS~1"]}`},
	{"PATH_TRAILING", `{"id": "x", "version": "1.0.0", "skills": ["s."]}`},
	{"PATH_TRAVERSAL", `{"id": "x", "version": "1.0.0", "skills": ["../s"]}`},
	{"PATH_VCS", `{"id": "x", "version": "1.0.0", "skills": [".git/s"]}`},
	{"RELATION_DUPLICATE", `{"id": "x", "version": "1.0.0", "dependencies": [{"id": "a", "version": "^1.0.0"}, {"id": "a", "version": "^1.0.0"}]}`},
	{"RUNTIME_COMMAND_ABSOLUTE", `{"id": "x", "version": "1.0.0", "runtime": {"protocol": "wuu-plugin-v1", "command": "/usr/bin/node"}}`},
	{"RUNTIME_COMMAND_SPACES", `{"id": "x", "version": "1.0.0", "runtime": {"protocol": "wuu-plugin-v1", "command": "node a.js"}}`},
	{"TEXT_CONTROL", `{"id": "x", "version": "1.0.0", "description": "a\u202eb"}`},
	{"THEME_TOKEN", `{"id": "x", "version": "1.0.0", "contributes": {"themes": [{"id": "t", "name": "T", "base": "dark", "tokens": {"color": "#000000"}}]}}`},
	{"THEME_TOKEN_UNKNOWN", `{"id": "x", "version": "1.0.0", "contributes": {"themes": [{"id": "t", "name": "T", "base": "dark", "tokens": {"--wuu-nothing": "#000000"}}]}}`},
}

// Example is a manifest that triggers the code, or "" when none is at hand.
func (c Code) Example() string {
	for _, e := range manifestExamples {
		if e.code == c.Code {
			return e.example
		}
	}
	return ""
}
