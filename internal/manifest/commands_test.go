package manifest_test

import (
	"strings"
	"testing"

	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/internal/manifest"
)

func TestCommandRules(t *testing.T) {
	commands := func(body string) string {
		return "{ \"id\": \"a\", \"contributes\": {\n\t\"commands\": " + body + " } }"
	}
	command := func(body string) string {
		return commands(`[{"id": "x", "title": "⌘", "kind": "prompt_template", "prompt": "p.md", ` + body + `}]`)
	}
	runtime := "give it to the command that the runtime provides, or remove it"
	checkRules(t, []rule{
		{"number", commands(`«7»`), diag.Error, "MANIFEST_TYPE", "contributes.commands must be an array or an object or a string, not a number", ""},
		{"text in the list", commands(`[«"tidy"»]`), diag.Error, "MANIFEST_TYPE", "contributes.commands[0] must be an object, not a string", ""},
		{"wrapper with more", commands(`{"commands": [], «"version"»: 1}`), diag.Error, "MANIFEST_UNKNOWN_FIELD", `unknown field "version"`, "one of commands"},
		{"no id", commands(`[«{»"title": "T", "kind": "prompt_template", "prompt": "p.md"}]`), diag.Error, "MANIFEST_REQUIRED", `"id" is missing in contributes.commands[0]`, ""},
		{"long id", commands(`[{"id": «"` + strings.Repeat("x", 65) + `"», "title": "T", "kind": "prompt_template", "prompt": "p.md"}]`), diag.Error, "CONTRIBUTION_ID", `"xxx…`, "use 1 to 64 of a-z, 0-9, _ and -"},
		{"public id", commands(`[{"id": «"a.x"», "title": "T", "kind": "prompt_template", "prompt": "p.md"}]`), diag.Error, "CONTRIBUTION_ID", `"a.x" is no contribution id`, "use 1 to 64 of a-z, 0-9, _ and -"},
		{"blank title", commands(`[{"id": "x", "title": «""», "kind": "prompt_template", "prompt": "p.md"}]`), diag.Error, "MANIFEST_REQUIRED", "contributes.commands[0].title is empty", ""},
		{"no kind", commands(`[«{»"id": "x", "title": "T", "prompt": "p.md"}]`), diag.Error, "MANIFEST_REQUIRED", `"kind" is missing in contributes.commands[0]`, "one of prompt_template, runtime_action, side_conversation"},
		{"kind with dash", commands(`[{"id": "x", "title": "T", "kind": «"prompt-template"», "prompt": "p.md"}]`), diag.Error, "MANIFEST_VALUE", `contributes.commands[0].kind cannot be "prompt-template"`, `did you mean "prompt_template"?`},
		{"kind of a runtime command", commands(`[{"id": "x", "title": "T", "kind": «"navigate"», "prompt": "p.md"}]`), diag.Error, "MANIFEST_VALUE", `contributes.commands[0].kind cannot be "navigate"`, "one of prompt_template, runtime_action, side_conversation"},
		{"empty prompt", commands(`[{"id": "x", "title": "T", "kind": "prompt_template", "prompt": «" "»}]`), diag.Error, "PATH_EMPTY", "contributes.commands[0].prompt is no path inside the package: it is empty", ""},
		{"prompt inline", commands(`[{"id": "x", "title": "T", "kind": "side_conversation", "prompt": «["Do it"]»}]`), diag.Error, "MANIFEST_TYPE", "contributes.commands[0].prompt must be a string, not an array", ""},
		{"aliases", command(`"aliases": «"y"»`), diag.Error, "MANIFEST_TYPE", "contributes.commands[0].aliases must be an array, not a string", `write ["y"]`},
		{"context", command(`"contexts": [«1»]`), diag.Error, "MANIFEST_TYPE", "contributes.commands[0].contexts[0] must be a string, not a number", `write "1"`},
		{"keywords", command(`"keywords": «true»`), diag.Error, "MANIFEST_TYPE", "contributes.commands[0].keywords must be an array, not a boolean", ""},
		{"description type", command(`"description": «false»`), diag.Error, "MANIFEST_TYPE", "contributes.commands[0].description must be a string, not a boolean", `write "false"`},
		{"long description", command(`"description": «"` + strings.Repeat("é", 901) + `"»`), diag.Warning, "COMMAND_DESCRIPTION", "the description has 901 characters; a model is shown at most 900", "say when to use it, units, limits and what it does not do; no more"},
		{"order to the model", command(`"description": «"Tidies. You  MUST call it first."»`), diag.Warning, "COMMAND_WORDING", `"You  MUST" is worded like an order`, "say what the command does, and give no orders to the model"},
		{"misspelt kind", commands(`[{"id": "x", "title": "T", «"knd"»: "prompt_template", "prompt": "p.md"}]`), diag.Error, "MANIFEST_UNKNOWN_FIELD", `unknown field "knd"`, `did you mean "kind"?`},
		{"typo", command(`«"alias"»: []`), diag.Warning, "MANIFEST_UNKNOWN_FIELD", `unknown field "alias"`, `did you mean "aliases"?`},
		{"parameters", command(`«"parameters"»: {}`), diag.Warning, "COMMAND_RUNTIME_FIELD", `"parameters" belongs to commands that a runtime provides; hosts ignore it here`, runtime},
		{"visibility", command(`«"agent_visible"»: true`), diag.Warning, "COMMAND_RUNTIME_FIELD", `"agent_visible" belongs to commands that a runtime provides; hosts ignore it here`, runtime},
		{"slash name", command(`«"name"»: "x"`), diag.Warning, "COMMAND_RUNTIME_FIELD", `"name" belongs to commands that a runtime provides; hosts ignore it here`, runtime},
	})
	parse(t, command(`"description": "`+strings.Repeat("é", 900)+`", "vendor": 1`))
}

// A command of a file of its own needs the desktop module of the manifest.
func TestCommandFileWithoutDesktop(t *testing.T) {
	m := parse(t, `{"id": "a", "contributes": {"commands": "c.json"}}`)
	found, err := m.Resolve(func(string) ([]byte, error) {
		return []byte("[{\"id\": \"x\", \"title\": \"X\",\n \"kind\": \"runtime_action\"}]"), nil
	})
	if err != nil || len(found) != 1 || found[0].Code != "COMMAND_WITHOUT_DESKTOP" || found[0].File != "c.json" || found[0].Start.Line != 2 || found[0].Start.Col16 != 10 {
		t.Error(found, err)
	}
}

func TestDirective(t *testing.T) {
	for text, want := range map[string]string{
		"You must": "You must", "x. IGNORE\n previous text": "IGNORE\n previous", "please, you should always ask": "you should always",
		"First you are now here, then ignore previous.": "you are now",
		"You mustn't": "", "thank you, must go": "", "Bayou must rise": "", "systemprompt": "", "": "", "Lists notes by day; at most 50.": "",
		"ends with you": "", "ünder you must": "you must",
	} {
		if got, ok := manifest.Directive(text); got != want || ok != (want != "") {
			t.Errorf("%q: %q, %v", text, got, ok)
		}
	}
}
