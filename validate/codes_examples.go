package validate

// codeExample is what triggers a code, as short as it gets.
type codeExample struct{ code, example string }

// manifestExamples are whole manifests; a test finds the code in each.
var manifestExamples = [...]codeExample{
	{"CONTRIBUTES_REJECTED", `{"id": "x", "version": "1.0.0", "contributes": {"slots": []}}`},
	{"CONTRIBUTES_UNKNOWN_KEY", `{"id": "x", "version": "1.0.0", "contributes": {"theme": []}}`},
	{"HOOK_EVENT", `{"id": "x", "version": "1.0.0", "hooks": {"Stopp": [{"command": "true"}]}}`},
	{"JSON_BOM", "\ufeff" + `{"id": "x", "version": "1.0.0"}`},
	{"JSON_DUPLICATE_KEY", `{"id": "x", "version": "1.0.0", "id": "y"}`},
	{"JSON_SURROGATE", `{"id": "x", "version": "1.0.0", "description": "\ud800"}`},
	{"JSON_SYNTAX", `{"id": "x", "version": "1.0.0",}`},
	{"JSON_TRAILING_DATA", `{"id": "x", "version": "1.0.0"} {}`},
	{"MANIFEST_BOTH_SPELLINGS", `{"id": "x", "version": "1.0.0", "default_enabled": true, "defaultEnabled": true}`},
	{"MANIFEST_ID", `{"id": "a/b", "version": "1.0.0"}`},
	{"MANIFEST_NULL", `{"id": "x", "version": "1.0.0", "description": null}`},
	{"MANIFEST_REQUIRED", `{"version": "1.0.0"}`},
	{"MANIFEST_TYPE", `{"id": 7, "version": "1.0.0"}`},
	{"MANIFEST_UNKNOWN_FIELD", `{"id": "x", "version": "1.0.0", "descripton": "d"}`},
	{"PATH_ABSOLUTE", `{"id": "x", "version": "1.0.0", "skills": ["/s"]}`},
	{"PATH_BACKSLASH", `{"id": "x", "version": "1.0.0", "skills": ["a\\b"]}`},
	{"PATH_TRAVERSAL", `{"id": "x", "version": "1.0.0", "skills": ["../s"]}`},
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
