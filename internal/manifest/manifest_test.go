package manifest_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/internal/manifest"
)

func parse(t *testing.T, src string) *manifest.Manifest {
	t.Helper()
	m, found := manifest.Parse("plugin.json", []byte(src))
	if m == nil || len(found) > 0 {
		t.Fatalf("%s: %v", src, found)
	}
	return m
}

// marked takes the marks «» out of src and returns what stands between them as
// byte offsets.
func marked(t *testing.T, src string) (plain string, start, end int) {
	t.Helper()
	start = strings.Index(src, "«")
	src = strings.Replace(src, "«", "", 1)
	end = strings.Index(src, "»")
	if start < 0 || end < start {
		t.Fatalf("no marks in %s", src)
	}
	return strings.Replace(src, "»", "", 1), start, end
}

// rule is one bad manifest: the finding must cover exactly what stands between
// the marks, and there must be no other.
type rule struct {
	name, src string
	severity  diag.Severity
	code      string
	message   string
	hint      string
}

func checkRules(t *testing.T, rules []rule) {
	for _, c := range rules {
		t.Run(c.name, func(t *testing.T) {
			src, start, end := marked(t, c.src)
			_, found := manifest.Parse("plugin.json", []byte(src))
			if len(found) != 1 {
				t.Fatalf("%d findings, want 1: %v", len(found), found)
			}
			f := found[0]
			if start, open := strings.CutSuffix(c.message, "…"); open && strings.HasPrefix(f.Message, start) {
				f.Message = c.message // the rest is another package's wording
			}
			got := []string{string(f.Severity), f.Code, f.Message, f.Hint}
			if d := cmp.Diff([]string{string(c.severity), c.code, c.message, c.hint}, got); d != "" {
				t.Error(d)
			}
			if f.File != "plugin.json" || f.Start.Offset != start || f.End.Offset != end {
				t.Errorf("points at %q, want %q", src[f.Start.Offset:f.End.Offset], src[start:end])
			}
			lines := strings.Split(src[:start], "\n")
			last := lines[len(lines)-1]
			want := diag.Pos{Offset: start, Line: len(lines), Col16: len(utf16.Encode([]rune(last))) + 1, ColChar: utf8.RuneCountInString(last) + 1}
			if f.Start != want {
				t.Errorf("starts at %+v, want %+v", f.Start, want)
			}
		})
	}
}

func TestTopLevelRules(t *testing.T) {
	checkRules(t, []rule{
		{"not an object", `«[1]»`, diag.Error, "MANIFEST_TYPE", "a manifest must be an object, not an array", ""},
		{"text where an object is due", `{"id": "a", "runtime": «"node x.js"»}`, diag.Error, "MANIFEST_TYPE", "runtime must be an object, not a string", ""},
		{"number for text", `{"id": «7»}`, diag.Error, "MANIFEST_TYPE", "id must be a string, not a number", `write "7"`},
		{"text for boolean", `{"id": "a", "default_enabled": «"true"»}`, diag.Error, "MANIFEST_TYPE", "default_enabled must be a boolean, not a string", "write true without quotes"},
		{"text for list", `{"id": "a", "requires": «"b"»}`, diag.Error, "MANIFEST_TYPE", "requires must be an array, not a string", `write ["b"]`},
		{"number in list", `{"id": "a", "keywords": ["x", «1»]}`, diag.Error, "MANIFEST_TYPE", "keywords[1] must be a string, not a number", `write "1"`},
		{"null", `{"id": "a", "license": «null»}`, diag.Warning, "MANIFEST_NULL", "license is null, which counts as absent", "remove the field"},
		{"typo", `{"id": "a", «"descripton"»: "x"}`, diag.Warning, "MANIFEST_UNKNOWN_FIELD", `unknown field "descripton"`, `did you mean "description"?`},
		{"swapped letters", `{"id": "a", «"verison"»: "1"}`, diag.Warning, "MANIFEST_UNKNOWN_FIELD", `unknown field "verison"`, `did you mean "version"?`},
		{"unknown", `{"id": "a", «"x-vendor-data"»: 1}`, diag.Warning, "MANIFEST_UNKNOWN_FIELD", `unknown field "x-vendor-data"`, "hosts ignore it"},
		{"old commands", `{"id": "a", «"commands"»: []}`, diag.Warning, "MANIFEST_UNKNOWN_FIELD", `"commands" is no top-level field`, `move it into "contributes"`},
		{"permissions", `{"id": "a", «"permissions"»: []}`, diag.Warning, "MANIFEST_UNKNOWN_FIELD", `unknown field "permissions"`, `did you mean "requested_permissions"?`},
		{"schema of the file", `{"$schema": «1», "id": "a"}`, diag.Error, "MANIFEST_TYPE", "$schema must be a string, not a number", `write "1"`},
		{"schema as text", `{"id": "a", "schema_version": «"1"»}`, diag.Error, "MANIFEST_TYPE", "schema_version must be a number, not a string", "write 1 without quotes"},
		{"schema 1.0", `{"id": "a", "schema_version": «1.0»}`, diag.Error, "MANIFEST_SCHEMA_VERSION", "schema_version must be 1, not 1.0", "this wuu reads schema version 1"},
		{"schema 2", `{"id": "a", "schemaVersion": «2»}`, diag.Error, "MANIFEST_SCHEMA_VERSION", "schemaVersion must be 1, not 2", "this wuu reads schema version 1"},
		{"schema null", `{"id": "a", "schema_version": «null»}`, diag.Error, "MANIFEST_TYPE", "schema_version must be a number, not null", "write 1"},
		{"schema twice", `{"id": "a", "schema_version": 1, «"schemaVersion"»: 1}`, diag.Error, "MANIFEST_BOTH_SPELLINGS", `"schemaVersion" and "schema_version" are both there`, "keep schema_version"},
		{"enabled twice", `{"id": "a", «"default_enabled"»: true, "defaultEnabled": false}`, diag.Warning, "MANIFEST_BOTH_SPELLINGS", `"default_enabled" is ignored, since "defaultEnabled" is there too`, "keep one of them"},
		{"servers twice", `{"id": "a", «"mcp_servers"»: {}, "mcpServers": {}}`, diag.Warning, "MANIFEST_BOTH_SPELLINGS", `"mcp_servers" is ignored, since "mcpServers" is there too`, "keep one of them"},
		{"minimum twice", `{"id": "a", «"minimum_wuu_version"»: "2026.1.0", "minimumWuuVersion": "2026.2.0"}`, diag.Warning, "MANIFEST_BOTH_SPELLINGS", `"minimum_wuu_version" is ignored, since "minimumWuuVersion" is there too`, "keep one of them"},
		{"no id", `«{»"version": "1.0.0"}`, diag.Error, "MANIFEST_REQUIRED", `"id" is missing`, `add "id": "my-plugin"; it names the plugin for good`},
		{"null id", `{"id": «null»}`, diag.Error, "MANIFEST_REQUIRED", "id is null, which counts as absent", `add "id": "my-plugin"; it names the plugin for good`},
		{"null id with a name", `{"id": «null», "name": "a"}`, diag.Warning, "MANIFEST_NULL", "id is null, which counts as absent", "remove the field"},
		{"empty id", `{"id": «" "»}`, diag.Error, "MANIFEST_ID", "the id is empty", ""},
		{"id with slash", `{"id": «"a/b"»}`, diag.Error, "MANIFEST_ID", "the id cannot name a folder on every system: …", `for example "a-b"`},
		{"name as id", `{"name": «"My Plugin: X"»}`, diag.Error, "MANIFEST_ID", "there is no id, and the name cannot stand for it: …", `for example "my-plugin-x"`},
		{"platform", `{"id": "a", "platforms": ["linux", «"macOS"»]}`, diag.Warning, "MANIFEST_PLATFORM", `no host runs on platform "macos"`, `did you mean "darwin"?`},
		{"permission", `{"id": "a", "requested_permissions": [«"file.read"»]}`, diag.Error, "MANIFEST_PERMISSION", `there is no permission "file.read"`, `did you mean "files.read"?`},
		{"helper", `{"id": "a", «"official_native_helper"»: {}}`, diag.Error, "MANIFEST_NATIVE_HELPER", "official_native_helper is only for packages that come with the product", "remove it"},
		{"icon", `{"id": "a", "icon": «"spark"»}`, diag.Error, "MANIFEST_VALUE", `icon cannot be "spark"`, `did you mean "sparkles"?`},
		{"icon forms", `{"id": "a", "icon": «{"path": "a.svg", "dark": "b.svg"}»}`, diag.Error, "MANIFEST_VALUE", "an icon has one form", "give path alone, or light and dark"},
		{"family", `{"id": "a", "interface": {"family": «{"id": "x"}»}}`, diag.Warning, "INTERFACE_FAMILY", "interface.family has no name, so the package is shown alone", "give id and name"},
		{"family id", `{"id": "a", "interface": {"family": {"id": «7», "name": "X"}}}`, diag.Warning, "INTERFACE_FAMILY", "interface.family.id must be a string, not a number", ""},
		{"icon misspelt", `{"id": "a", "icon": {"light": "a.svg", «"darc"»: "b.svg"}}`, diag.Error, "MANIFEST_UNKNOWN_FIELD", `unknown field "darc"`, `did you mean "dark"?`},
		{"transfers", `{"id": "a", "storageTransfers": «[]»}`, diag.Error, "MANIFEST_TYPE", "storageTransfers must be an object, not an array", ""},
		{"control character", `{"id": "a", "description": "x«\u001b»[31m"}`, diag.Error, "TEXT_CONTROL", "control character U+001B in a text", "remove it"},
		{"duplicate", `{"id": "a", «"id"»: "b"}`, diag.Error, "JSON_DUPLICATE_KEY", `the key "id" stands twice in this object (first on line 1)`, "keep one of them"},
		{"other case", `{"id": "a", "author": {"name": "x", «"Name"»: "b"}}`, diag.Error, "JSON_DUPLICATE_KEY", `the key "Name" differs only in case from "name" on line 1`, "keep one of them"},
		{"link stub", "«../plugin.json»\n", diag.Error, "MANIFEST_IS_LINK_STUB", `the file is a symbolic link that was checked out as text: it only names "../plugin.json"`, "put the manifest itself here, or run: git config core.symlinks true && git checkout -- plugin.json"},
	})
}

func TestPartRules(t *testing.T) {
	runtime := func(body string) string {
		return `{"id": "a", "runtime": {"protocol": "wuu-plugin-v1", ` + body + `}}`
	}
	inside := "paths are relative to the package root; put the file into the package"
	checkRules(t, []rule{
		{"protocol", `{"id": "a", "runtime": {"protocol": «"wuu-plugin-v2"», "command": "node"}}`, diag.Error, "MANIFEST_VALUE", `runtime.protocol cannot be "wuu-plugin-v2"`, `did you mean "wuu-plugin-v1"?`},
		{"no protocol", `{"id": "a", "runtime": «{»"command": "node"}}`, diag.Error, "MANIFEST_REQUIRED", `"protocol" is missing in runtime`, "one of wuu-plugin-v1"},
		{"no command", `{"id": "a", "runtime": «{»"protocol": "wuu-plugin-v1"}}`, diag.Error, "MANIFEST_REQUIRED", `"command" is missing in runtime`, ""},
		{"blank command", runtime(`"command": «" "»`), diag.Error, "MANIFEST_REQUIRED", "runtime.command is empty", ""},
		{"command line", runtime(`"command": «"node x.js"»`), diag.Warning, "RUNTIME_COMMAND_SPACES", "runtime.command is one program, not a command line", "put the arguments into args"},
		{"absolute command", runtime(`"command": «"/usr/bin/node"»`), diag.Warning, "RUNTIME_COMMAND_ABSOLUTE", "runtime.command is a place on one machine", "name a program of the search path, or one inside the package"},
		{"drive", runtime(`"command": «"C:\\node.exe"»`), diag.Warning, "RUNTIME_COMMAND_ABSOLUTE", "runtime.command is a place on one machine", "name a program of the search path, or one inside the package"},
		{"backslash", runtime(`"command": «"bin\\run"»`), diag.Error, "PATH_BACKSLASH", "runtime.command is no path inside the package: it holds a backslash", "use forward slashes on every system"},
		{"outside", runtime(`"command": «"bin/../../run"»`), diag.Error, "PATH_TRAVERSAL", "runtime.command is no path inside the package: it leads out of the package", inside},
		{"script outside", runtime(`"command": "node", "args": ["--flag", «"../x.js"»]`), diag.Error, "PATH_TRAVERSAL", "runtime.args[1] is no path inside the package: it leads out of the package", inside},
		{"args", runtime(`"command": "node", "args": [«1»]`), diag.Error, "MANIFEST_TYPE", "runtime.args[0] must be a string, not a number", `write "1"`},
		{"environment name", runtime(`"command": "node", "env": {«"A=B"»: "1"}`), diag.Error, "MANIFEST_VALUE", `"A=B" cannot be a name in runtime.env`, ""},
		{"negative timeout", runtime(`"command": "node", "timeout": «-1»`), diag.Error, "MANIFEST_VALUE", `runtime.timeout must be a whole number of seconds, 0 or more, not "-1"`, "0 means the host's default"},
		{"broken timeout", runtime(`"command": "node", "timeout": «1.5»`), diag.Error, "MANIFEST_VALUE", `runtime.timeout must be a whole number of seconds, 0 or more, not "1.5"`, "0 means the host's default"},
		{"huge timeout", runtime(`"command": "node", "timeout": «99999999999999999999»`), diag.Error, "MANIFEST_VALUE", `runtime.timeout must be a whole number of seconds, 0 or more, not "99999999999999999999"`, "0 means the host's default"},
		{"typo in runtime", runtime(`"command": "node", «"arg"»: []`), diag.Warning, "MANIFEST_UNKNOWN_FIELD", `unknown field "arg"`, `did you mean "args"?`},
		{"desktop without entry", `{"id": "a", "desktop": «{»}}`, diag.Error, "MANIFEST_REQUIRED", `"entry" is missing in desktop`, ""},
		{"desktop source", `{"id": "a", "desktop": {"entry": «"src/r.ts"»}}`, diag.Error, "DESKTOP_ENTRY_TYPE", "desktop.entry must end in .js or .mjs", "name the built file, for example dist/renderer.js"},
		{"desktop unknown", `{"id": "a", "desktop": {"entry": "r.js", «"entryy"»: 1}}`, diag.Error, "MANIFEST_UNKNOWN_FIELD", `unknown field "entryy"`, `did you mean "entry"?`},
		{"absolute skill", `{"id": "a", "skills": [«"/skills"»]}`, diag.Error, "PATH_ABSOLUTE", "skills[0] is no path inside the package: it is absolute", inside},
		{"package as skill", `{"id": "a", "skills": «"./"»}`, diag.Error, "PATH_EMPTY", "skills is no path inside the package: it is the package itself", ""},
		{"dependencies of npm", `{"id": "a", "dependencies": «{"left-pad": "1"}»}`, diag.Error, "MANIFEST_TYPE", "dependencies must be an array, not an object", `write [{"id": "other-plugin", "version": "^1.0.0"}]; npm packages belong in package.json`},
		{"range", `{"id": "a", "dependencies": [{"id": "b", "version": «"newest"»}]}`, diag.Error, "RELATION_RANGE", `"newest" is …`, "for example ^1.2.0 or >=1.2.0 <2.0.0"},
		{"self", `{"id": "a", "requires": [«"a"»]}`, diag.Error, "RELATION_SELF", "the package names itself", "remove it"},
		{"self as dependency", `{"id": "a", "dependencies": [{"id": «"a"»}]}`, diag.Error, "RELATION_SELF", "the package names itself", "remove it"},
		{"twice", `{"id": "a", "dependencies": [{"id": "b"}, {"id": «"b"»}]}`, diag.Error, "RELATION_DUPLICATE", `"b" is listed twice`, "keep one entry"},
		{"optional and required", `{"id": "a", "requires": ["b"], "dependencies": [{"id": «"b"», "optional": true}]}`, diag.Error, "RELATION_CONTRADICTION", `"b" is optional here and required in requires`, "remove it from requires, or make it required"},
		{"required and broken", `{"id": "a", "requires": ["b"], "breaks": [«"b"»]}`, diag.Error, "RELATION_CONTRADICTION", `"b" is required and broken at once`, ""},
		{"bad id", `{"id": "a", "breaks": [«"con"»]}`, diag.Error, "MANIFEST_ID", `"con" is no plugin id: …`, ""},
		{"dependency without id", `{"id": "a", "dependencies": [«{»"version": "1.0.0"}]}`, diag.Error, "MANIFEST_REQUIRED", `"id" is missing in dependencies[0]`, ""},
		{"unknown in dependency", `{"id": "a", "dependencies": [{"id": "b", «"optionl"»: true}]}`, diag.Error, "MANIFEST_UNKNOWN_FIELD", `unknown field "optionl"`, `did you mean "optional"?`},
		{"hook event", `{"id": "a", "hooks": {«"PreTool"»: []}}`, diag.Warning, "HOOK_EVENT", `no event is called "PreTool"; these hooks never run`, `did you mean "PreToolUse"?`},
		{"hook type", `{"id": "a", "hooks": {"Stop": [{"type": «"shell"», "command": "x"}]}}`, diag.Error, "MANIFEST_VALUE", `hooks.Stop[0].type cannot be "shell"`, "one of command, prompt"},
		{"hook without command", `{"id": "a", "hooks": {"Stop": [«{»"matcher": "x"}]}}`, diag.Error, "MANIFEST_REQUIRED", `"command" is missing in hooks.Stop[0]`, ""},
		{"nested hook", `{"id": "a", "hooks": {"Stop": [{"matcher": "x", «"hooks"»: []}]}}`, diag.Error, "HOOK_NESTED", "a hook entry holds no list of hooks here", `move "type" and "command" up, next to "matcher"`},
		{"server", `{"id": "a", "mcp_servers": {"s": «{»}}}`, diag.Error, "MANIFEST_REQUIRED", `"command" is missing in mcp_servers.s`, `an MCP server has a "command" or a "url"`},
		{"server with bad url", `{"id": "a", "mcp_servers": {"s": {"url": «7»}}}`, diag.Error, "MANIFEST_TYPE", "mcp_servers.s.url must be a string, not a number", `write "7"`},
		{"server with null", `{"id": "a", "mcp_servers": {"s": {"url": «null»}}}`, diag.Error, "MANIFEST_REQUIRED", "mcp_servers.s.url is null, which counts as absent", `an MCP server has a "command" or a "url"`},
		{"server with blank", `{"id": "a", "mcp_servers": {"s": {"command": «" "»}}}`, diag.Error, "MANIFEST_REQUIRED", "mcp_servers.s.command is empty", `an MCP server has a "command" or a "url"`},
		{"server misspelt", `{"id": "a", "mcp_servers": {"s": {«"urll"»: "https://mcp.example.com"}}}`, diag.Error, "MANIFEST_UNKNOWN_FIELD", `unknown field "urll"`, `did you mean "url"?`},
		{"runtime misspelt", `{"id": "a", "runtime": {"protocol": "wuu-plugin-v1", «"comand"»: "node"}}`, diag.Error, "MANIFEST_UNKNOWN_FIELD", `unknown field "comand"`, `did you mean "command"?`},
		{"server with both", `{"id": "a", "mcp_servers": {"s": {"command": "x", "url": «"https://mcp.example.com"»}}}`, diag.Error, "MANIFEST_VALUE", "an MCP server has a command or a url, not both", "keep one of them"},
		{"server url", `{"id": "a", "mcpServers": {"s": {"url": «"mcp.example.com"»}}}`, diag.Error, "MANIFEST_VALUE", `"mcp.example.com" is no http or https URL`, "for example https://mcp.example.com/mcp"},
		{"server transport", `{"id": "a", "mcpServers": {"s": {"command": "x", "transport": «"stdio"»}}}`, diag.Error, "MANIFEST_VALUE", `mcpServers.s.transport cannot be "stdio"`, "one of http, streamable-http, sse"},
	})
}

func TestContributionRules(t *testing.T) {
	contributes := func(body string) string { return `{"id": "a", "contributes": {` + body + `}}` }
	setting := func(body string) string {
		return contributes(`"settings": {"s": {"title": "S", "scope": "user", "apply": "live", ` + body + `}}`)
	}
	secret := func(body string) string { return setting(`"type": "secret", "default": "", ` + body) }
	theme := func(body string) string {
		return contributes(`"themes": [{"id": "t", "name": "T", "base": "dark", ` + body + `}]`)
	}
	origin := "for example https://api.example.com"
	checkRules(t, []rule{
		{"unknown key", contributes(`«"command"»: []`), diag.Error, "CONTRIBUTES_UNKNOWN_KEY", `contributes has no key "command"`, `did you mean "commands"?`},
		{"slots", contributes(`«"slots"»: []`), diag.Error, "CONTRIBUTES_REJECTED", "contributes.slots is an older way to add interface parts that hosts refuse", "remove it and call registerUIContribution in the desktop module, with the owner's prefix on the target"},
		{"surfaces", contributes(`«"surfaces"»: []`), diag.Error, "CONTRIBUTES_REJECTED", "contributes.surfaces is an older way to add interface parts that hosts refuse", "remove it and call registerUIContribution in the desktop module, with the owner's prefix on the target"},
		{"command id", contributes(`"commands": [{"id": «"Say Hi"», "title": "T", "kind": "prompt_template", "prompt": "p.md"}]`), diag.Error, "CONTRIBUTION_ID", `"Say Hi" is no contribution id`, "use 1 to 64 of a-z, 0-9, _ and -"},
		{"command twice", contributes(`"commands": [{"id": "x", "title": "T", "kind": "prompt_template", "prompt": "p.md"}, {"id": «"x"», "title": "T", "kind": "prompt_template", "prompt": "p.md"}]`), diag.Error, "CONTRIBUTION_DUPLICATE", `the id "x" is used twice`, ""},
		{"command kind", contributes(`"commands": [{"id": "x", "title": "T", "kind": «"prompt"», "prompt": "p.md"}]`), diag.Error, "MANIFEST_VALUE", `contributes.commands[0].kind cannot be "prompt"`, `did you mean "prompt_template"?`},
		{"command without title", contributes(`"commands": [«{»"id": "x", "kind": "prompt_template", "prompt": "p.md"}]`), diag.Error, "MANIFEST_REQUIRED", `"title" is missing in contributes.commands[0]`, ""},
		{"command without prompt", contributes(`"commands": «{»"id": "x", "title": "T", "kind": "side_conversation"}`), diag.Error, "MANIFEST_REQUIRED", `"prompt" is missing in contributes.commands`, "the path of a text file in the package"},
		{"action with prompt", `{"id": "a", "desktop": {"entry": "r.js"}, "contributes": {"commands": [{"id": "x", "title": "T", "kind": "runtime_action", «"prompt"»: "p.md"}]}}`, diag.Warning, "COMMAND_PROMPT", "a runtime_action has no prompt", "remove it, or choose prompt_template"},
		{"action without desktop", contributes(`"commands": [{"id": "x", "title": "T", "kind": «"runtime_action"»}]`), diag.Warning, "COMMAND_WITHOUT_DESKTOP", "nothing runs this command: there is no desktop module", `declare "desktop", whose module registers a command of this id`},
		{"prompt outside", contributes(`"commands": [{"id": "x", "title": "T", "kind": "prompt_template", "prompt": «"../p.md"»}]`), diag.Error, "PATH_TRAVERSAL", "contributes.commands[0].prompt is no path inside the package: it leads out of the package", "paths are relative to the package root; put the file into the package"},
		{"setting id", contributes(`"settings": {«"My.Key"»: {}}`), diag.Error, "SETTING_ID", `"My.Key" is no setting id`, "use a-z, 0-9, _ and -, in parts joined by dots, at most 128 characters"},
		{"setting type", setting(`"default": "", "type": «"text"»`), diag.Error, "MANIFEST_VALUE", `contributes.settings.s.type cannot be "text"`, "one of boolean, string, number, enum, secret"},
		{"no default", contributes(`"settings": {"s": «{»"title": "S", "scope": "user", "apply": "live", "type": "string"}}`), diag.Error, "SETTING_DEFAULT", `"default" is missing in contributes.settings.s`, ""},
		{"null default", setting(`"type": "string", "default": «null»`), diag.Error, "SETTING_DEFAULT", "the default of a string setting must be a string, not null", ""},
		{"default type", setting(`"type": "number", "default": «"1"»`), diag.Error, "SETTING_DEFAULT", "the default of a number setting must be a number, not a string", "write 1 without quotes"},
		{"infinite default", setting(`"type": "number", "default": «1e999»`), diag.Error, "SETTING_DEFAULT", `the default "1e999" is no finite number`, ""},
		{"default not in enum", setting(`"type": "enum", "enum": ["low", "high"], "default": «"hihg"»`), diag.Error, "SETTING_DEFAULT", `the default "hihg" is none of the enum's values`, `did you mean "high"?`},
		{"enum twice", setting(`"type": "enum", "enum": ["low", «"low"»], "default": "low"`), diag.Error, "SETTING_ENUM", `the value "low" is listed twice`, ""},
		{"enum empty", setting(`"type": "enum", "enum": «[]», "default": "low"`), diag.Error, "SETTING_ENUM", "enum lists no value", ""},
		{"enum on a string", setting(`"type": "string", «"enum"»: ["a"], "default": "a"`), diag.Error, "SETTING_ENUM", "a string setting has no enum", `remove it, or set "type": "enum"`},
		{"apply", contributes(`"settings": {"s": {"title": "S", "type": "boolean", "default": true, "scope": "user", "apply": «"next-operations"»}}`), diag.Error, "MANIFEST_VALUE", `contributes.settings.s.apply cannot be "next-operations"`, `did you mean "next-operation"?`},
		{"unknown in setting", setting(`"type": "boolean", "default": true, «"titel"»: "x"`), diag.Error, "MANIFEST_UNKNOWN_FIELD", `unknown field "titel"`, `did you mean "title"?`},
		{"secret with default", setting(`"type": "secret", "credential_origins": ["https://api.example.com"], "default": «"s3cret"»`), diag.Error, "SETTING_SECRET", "a secret has no default", `write ""; the host keeps the secret`},
		{"secret scope", contributes(`"settings": {"s": {"title": "S", "type": "secret", "default": "", "credential_origins": ["https://api.example.com"], "apply": "live", "scope": «"workspace"»}}`), diag.Error, "SETTING_SECRET", `the scope of a secret must be "user"`, `write "user"`},
		{"secret without origins", contributes(`"settings": {"s": «{»"title": "S", "type": "secret", "default": "", "apply": "live", "scope": "user"}}`), diag.Error, "SETTING_SECRET", `"credential_origins" is missing in contributes.settings.s`, `for example ["https://api.example.com"]`},
		{"no origins", secret(`"credential_origins": «[]»`), diag.Error, "SETTING_SECRET", "credential_origins lists no origin", ""},
		{"origins on a string", setting(`"type": "string", "default": "", «"credential_origins"»: []`), diag.Error, "SETTING_SECRET", "only a secret setting has credential origins", `remove it, or set "type": "secret"`},
		{"origin http", secret(`"credential_origins": [«"http://api.example.com"»]`), diag.Error, "SETTING_ORIGIN", `"http://api.example.com" is no origin: it does not start with https://`, origin},
		{"origin with path", secret(`"credential_origins": [«"https://api.example.com/v1"»]`), diag.Error, "SETTING_ORIGIN", `"https://api.example.com/v1" is no origin: it holds a path`, origin},
		{"origin with slash", secret(`"credential_origins": [«"https://api.example.com/"»]`), diag.Error, "SETTING_ORIGIN", `"https://api.example.com/" is no origin: it holds a path`, "write https://api.example.com"},
		{"origin with query", secret(`"credential_origins": [«"https://api.example.com?x"»]`), diag.Error, "SETTING_ORIGIN", `"https://api.example.com?x" is no origin: it holds a query`, origin},
		{"origin with fragment", secret(`"credential_origins": [«"https://api.example.com#"»]`), diag.Error, "SETTING_ORIGIN", `"https://api.example.com#" is no origin: it holds a fragment`, origin},
		{"origin with user", secret(`"credential_origins": [«"https://me@api.example.com"»]`), diag.Error, "SETTING_ORIGIN", `"https://me@api.example.com" is no origin: it holds user information`, origin},
		{"origin wildcard", secret(`"credential_origins": [«"https://*.example.com"»]`), diag.Error, "SETTING_ORIGIN", `"https://*.example.com" is no origin: it holds a wildcard`, origin},
		{"origin port", secret(`"credential_origins": [«"https://api.example.com:99999"»]`), diag.Error, "SETTING_ORIGIN", `"https://api.example.com:99999" is no origin: the host is malformed`, origin},
		{"origin host", secret(`"credential_origins": [«"https://"»]`), diag.Error, "SETTING_ORIGIN", `"https://" is no origin: it has no host`, origin},
		{"theme base", contributes(`"themes": [{"id": "t", "name": "T", "base": «"night"», "tokens": {"--wuu-ink": "#000"}}]`), diag.Error, "MANIFEST_VALUE", `contributes.themes[0].base cannot be "night"`, `did you mean "light"?`},
		{"theme without tokens", contributes(`"themes": [«{»"id": "t", "name": "T", "base": "dark"}]`), diag.Error, "MANIFEST_REQUIRED", `"tokens" is missing in contributes.themes[0]`, `for example {"--wuu-color-accent": "#8fa7ff"}`},
		{"no tokens", theme(`"tokens": «{}»`), diag.Error, "MANIFEST_REQUIRED", "contributes.themes[0].tokens is empty", ""},
		{"foreign token", theme(`"tokens": {«"--my-ink"»: "#000"}`), diag.Error, "THEME_TOKEN", `"--my-ink" is no theme token`, "token names start with --wuu-"},
		{"empty token", theme(`"tokens": {"--wuu-ink": «""»}`), diag.Error, "MANIFEST_REQUIRED", `the value of "--wuu-ink" is empty`, ""},
		{"one theme", contributes(`"themes": «{"id": "t"}»`), diag.Error, "MANIFEST_TYPE", "contributes.themes must be an array, not an object", ""},
		{"view twice", `{"id": "a", "desktop": {"entry": "r.js"}, "contributes": {"navigation": [{"id": "v", "view": "x", "title": "T"}], "settingsPages": [{"id": «"v"», "view": "y", "title": "T"}]}}`, diag.Error, "CONTRIBUTION_DUPLICATE", `the id "v" is used twice`, ""},
	})
}

func TestFullManifest(t *testing.T) {
	m := parse(t, `{
  "$schema": "https://example.com/plugin.schema.json",
  "schemaVersion": 1, "id": " full ", "name": "Full", "version": "1.2.3", "description": " d ",
  "keywords": ["b", " a ", "", "b"], "platforms": ["Linux", "darwin"], "minimumWuuVersion": "2026.1108.0",
  "icon": {"light": "i/l.svg", "dark": "i/d.svg"}, "defaultEnabled": false, "author": {"any": ["thing"]},
  "interface": {"family": {"id": "example.f", "name": "F", "description": "x"}},
  "runtime": {"protocol": "wuu-plugin-v1", "command": "./bin/run", "args": ["-v", " as is ", "dist/./r.mjs", "other.js"], "env": {"A": "=1"}, "timeout": 45, "vendor": 1},
  "desktop": {"entry": "./dist/renderer.js", "required_services": [{"name": "a.b", "major_version": 1}]},
  "skills": "skills/", "hooks": {"Stop": [{"command": "x", "timeout": -5}, {"type": "prompt", "prompt": "p $ARGUMENTS"}]},
  "mcp_servers": {"m": {"command": "srv", "args": ["--a"]}, "u": {"url": "https://mcp.example.com/x", "transport": "sse"}},
  "dependencies": [{"id": "z", "version": ">=1.2.0, <2.0.0"}, {"id": "b", "version": "^1.0.0", "optional": true}],
  "requires": ["y", "y"], "breaks": ["k"], "conflicts": ["c"],
  "requested_permissions": ["network", "files.read"], "requestedPermissions": ["filesystem.write"], "official_native_helper": false,
  "contributes": {
    "commands": {"commands": [
      {"id": "p", "title": "P", "kind": "Prompt_Template", "prompt": "prompts/p.md", "contexts": ["x"]},
      {"id": "r", "title": "R", "kind": "runtime_action"}
    ]},
    "settings": {"a.b": {"type": "enum", "title": "E", "enum": ["x", "y"], "default": "y", "scope": "workspace", "apply": "next-operation"},
      "token": {"type": "secret", "title": "T", "default": "", "scope": "user", "apply": "live", "credential_origins": ["https://api.example.com:8443"]}},
    "themes": [{"id": "t", "name": "T", "base": "dark", "tokens": {"--wuu-ink": "#000"}, "syntax": {"--hljs-keyword": "red"}}],
    "presenters": [{"id": "v", "target": "conversation.item", "mode": "wrap"}]
  }
}`)
	no := false
	want := &manifest.Manifest{
		SchemaVersion: 1, ID: "full", Name: "Full", Version: "1.2.3", Description: "d", Keywords: []string{"a", "b"}, DefaultEnabled: &no,
		Runtime: &manifest.Runtime{Protocol: "wuu-plugin-v1", Command: "bin/run", Args: []string{"-v", " as is ", "dist/./r.mjs", "other.js"}, Env: map[string]string{"A": "=1"}, Timeout: 45},
		Desktop: &manifest.Desktop{Entry: "dist/renderer.js", RequiredServices: []byte(`[{"name": "a.b", "major_version": 1}]`)},
		Skills:  []string{"skills"},
		Hooks:   map[string][]manifest.Hook{"Stop": {{Type: "command", Command: "x"}, {Type: "prompt", Prompt: "p $ARGUMENTS"}}},
		MCPServers: map[string]manifest.MCPServer{
			"m": {Command: "srv", Args: []string{"--a"}}, "u": {URL: "https://mcp.example.com/x", Transport: "sse"},
		},
		Dependencies: []manifest.Dependency{{ID: "b", Version: "^1.0.0", Optional: true}, {ID: "z", Version: ">=1.2.0, <2.0.0"}},
		Requires:     []string{"y", "z"}, Breaks: []string{"k"}, Conflicts: []string{"c"},
		Permissions: []string{"files.read", "files.write", "network.connect"}, Platforms: []string{"darwin", "linux"},
		MinimumWuuVersion: "2026.1108.0", Family: &manifest.Family{ID: "example.f", Name: "F", Description: "x"},
		Contributes: manifest.Contributes{
			Commands: []manifest.Command{{ID: "p", Title: "P", Kind: "prompt_template", Prompt: "prompts/p.md"}, {ID: "r", Title: "R", Kind: "runtime_action"}},
			Settings: map[string]manifest.Setting{
				"a.b":   {Type: "enum", Title: "E", Default: []byte(`"y"`), Enum: []string{"x", "y"}, Scope: "workspace", Apply: "next-operation"},
				"token": {Type: "secret", Title: "T", Default: []byte(`""`), Scope: "user", Apply: "live", Origins: []string{"https://api.example.com:8443"}},
			},
			Themes: []manifest.Theme{{ID: "t", Name: "T", Base: "dark"}},
		},
	}
	opts := []cmp.Option{cmpopts.IgnoreUnexported(manifest.Manifest{}), cmpopts.IgnoreFields(manifest.Contributes{}, "Raw")}
	if d := cmp.Diff(want, m, opts...); d != "" {
		t.Error(d)
	}
	if m.EnabledByDefault() || string(m.Contributes.Raw["presenters"]) == "" {
		t.Error("default_enabled or the raw contributions are lost")
	}
	var refs []string
	for _, ref := range m.References() {
		refs = append(refs, string(ref.Kind)+" "+ref.Path)
	}
	slices.Sort(refs)
	wantRefs := []string{
		"desktop entry dist/renderer.js", "icon i/d.svg", "icon i/l.svg", "prompt prompts/p.md", "runtime command bin/run", "runtime script dist/r.mjs", "skill skills",
	}
	if d := cmp.Diff(wantRefs, refs); d != "" {
		t.Error(d)
	}
}

func TestFallbacks(t *testing.T) {
	m := parse(t, `{"name": "only-name"}`)
	if m.ID != "only-name" || m.SchemaVersion != 1 || !m.EnabledByDefault() || m.Skills != nil || len(m.Platforms) != 0 {
		t.Errorf("%+v", m)
	}
	if m := parse(t, `{"id": "only-id"}`); m.Name != "only-id" {
		t.Errorf("name %q", m.Name)
	}
}

func TestAllows(t *testing.T) {
	for _, c := range []struct {
		wanted, version string
		want            bool
	}{
		{"", "anything", true}, {"^1.0.0", "1.9.0", true}, {"^1.0.0", "2.0.0", false}, {">=1.2.0, <2.0.0", "1.5.0", true}, {">=1.2.0, <2.0.0", "2.0.0", false},
		{"^1.0.0", "1.1.0-beta.1", false}, {"~1.2.0", "1.2.9", true}, {"1.2.3", "1.2.3", true}, {"^1.0.0", "", false}, {"bad range", "1.0.0", false},
	} {
		if got := (manifest.Dependency{Version: c.wanted}).Allows(c.version); got != c.want {
			t.Errorf("%q allows %q: %v", c.wanted, c.version, got)
		}
	}
}

func TestResolve(t *testing.T) {
	files := map[string]string{
		"hooks/a.json":  `{"hooks": {"Stop": [{"command": "one"}]}}`,
		"hooks/b.json":  `{"description": "x", "hooks": {"Stop": [{"command": "two"}]}}`,
		".mcp.json":     `{"mcpServers": {"s": {"command": "srv"}}}`,
		"commands.json": `"more.json"`,
		"more.json":     `[{"id": "c", "title": "C", "kind": "prompt_template", "prompt": "p.md"}]`,
	}
	read := func(path string) ([]byte, error) {
		src, ok := files[path]
		if !ok {
			return nil, fmt.Errorf("open %s: %w", path, fs.ErrNotExist)
		}
		return []byte(src), nil
	}
	src := `{"id": "a", "hooks": ["hooks/a.json", "hooks/b.json", "hooks/gone.json"], "mcpServers": "./.mcp.json", "contributes": {"commands": "commands.json"}}`
	m := parse(t, src)
	if d := cmp.Diff([]string{".mcp.json", "commands.json", "hooks/a.json", "hooks/b.json", "hooks/gone.json"}, m.Files()); d != "" {
		t.Error(d)
	}
	found, err := m.Resolve(read)
	if err != nil || len(found) > 0 {
		t.Fatal(found, err)
	}
	c := m.Capabilities(nil)
	got := append(append(c.Hooks, c.MCPServers...), c.Commands...)
	if d := cmp.Diff([]string{"Stop: one", "Stop: two", "s: srv", "a.c"}, got); d != "" {
		t.Error(d)
	}

	// Bad files are found in their own place, and a loop ends.
	files["hooks/a.json"] = "{\"hooks\": {\"Stop\": [\n{\"command\": 7}]}}"
	files["hooks/b.json"] = "{}"
	files[".mcp.json"] = "[]"
	files["more.json"] = `"commands.json"`
	m = parse(t, src)
	found, err = m.Resolve(read)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, f := range found {
		lines = append(lines, f.File+" "+diag.Line(f))
	}
	want := []string{
		".mcp.json MANIFEST_TYPE 1:1 the file must hold an object, not an array",
		"hooks/a.json MANIFEST_TYPE 2:13 hooks.Stop[0].command must be a string, not a number",
		`hooks/b.json MANIFEST_REQUIRED 1:1 "hooks" is missing`,
		"more.json MANIFEST_FILE_TWICE 1:1 this file is named twice",
	}
	if d := cmp.Diff(want, lines); d != "" {
		t.Error(d)
	}

	m = parse(t, src)
	if _, err := m.Resolve(func(string) ([]byte, error) { return nil, fs.ErrPermission }); err == nil || !strings.Contains(err.Error(), "hooks/a.json") {
		t.Errorf("an unreadable file: %v", err)
	}
}

// Many bad parts must cost little time and few lines.
func TestFloods(t *testing.T) {
	long := strings.Repeat("k", 200_000)
	for name, src := range map[string]string{
		"unknown fields":   `{"id": "a"` + strings.Repeat(`, "x%d": 1`, 20_000) + `}`,
		"bad elements":     `{"id": "a", "contributes": {"settings": {"` + long[:100] + `": {"enum": [1` + strings.Repeat(",1", 100_000) + `]}}}}`,
		"deep labels":      `{"id": "a", "hooks": {"` + long + `": [1` + strings.Repeat(",1", 100_000) + `]}}`,
		"many commands":    `{"id": "a", "contributes": {"commands": [` + strings.Repeat(`{"id":"c%d","title":"t","kind":"prompt_template","prompt":"p"},`, 6_000) + `1]}}`,
		"many enum values": `{"id": "a", "contributes": {"settings": {"s": {"type":"enum","title":"t","scope":"user","apply":"live","default":"x","enum": ["x"` + strings.Repeat(`,"v%d"`, 20_000) + `]}}}}`,
	} {
		for i := 0; strings.Contains(src, "%d"); i++ {
			n := strings.Count(src, "%d")
			args := make([]any, n)
			for j := range args {
				args[j] = j
			}
			src = fmt.Sprintf(src, args...)
		}
		if len(src) > 1<<20 {
			t.Fatalf("%s: %d bytes", name, len(src))
		}
		m, found := manifest.Parse("plugin.json", []byte(src))
		if m == nil || len(found) > 2*diag.MaxPerSeverity+3 {
			t.Errorf("%s: %d findings", name, len(found))
		}
	}
}

func TestCapabilities(t *testing.T) {
	old := parse(t, `{"id": "a"}`).Capabilities(nil)
	b, err := json.Marshal(old)
	if err != nil {
		t.Fatal(err)
	}
	if want := `{"permissions":[],"commands":[],"tools_declared":"none","hooks":[],"mcp_servers":[],"executables":[],"credential_origins":[],"desktop":false,"skills":[]}`; string(b) != want {
		t.Errorf("no list may be null: %s", b)
	}
	now := parse(t, `{"id": "a", "runtime": {"protocol": "wuu-plugin-v1", "command": "bin/x"}, "desktop": {"entry": "d.js"}, "skills": ["s"],
		"hooks": {"Stop": [{"command": "y"}], "PreToolUse": [{"matcher": "Edit", "type": "prompt", "prompt": "z"}]},
		"mcpServers": {"m": {"url": "https://mcp.example.com"}}}`).Capabilities([]string{"bin/y"})
	want := []string{
		"permission network.connect", "permission process.spawn", "permission session.read", "permission session.write",
		"hook PreToolUse (Edit): prompt z", "hook Stop: y", "mcp server m: https://mcp.example.com", "executable bin/x", "executable bin/y",
		"skill s", "tools at-runtime", "desktop module",
	}
	if d := cmp.Diff(want, now.Added(old)); d != "" {
		t.Error(d)
	}
	if got := old.Added(now); len(got) > 0 {
		t.Errorf("losing capabilities adds %v", got)
	}
	if now.Digest() == old.Digest() || !strings.HasPrefix(now.Digest(), "sha256-") || len(now.Digest()) != 7+64 {
		t.Errorf("digests %s %s", now.Digest(), old.Digest())
	}
	shuffled := now
	shuffled.Permissions = slices.Clone(now.Permissions)
	slices.Reverse(shuffled.Permissions)
	if shuffled.Digest() != now.Digest() {
		t.Error("the digest depends on the order")
	}
	if (manifest.Capabilities{ToolsDeclared: "none"}).Digest() != old.Digest() {
		t.Error("an absent list is not an empty one")
	}
}

func TestAt(t *testing.T) {
	m := parse(t, `{"id": "a", "minimumWuuVersion": "2026.1.0"}`)
	f := m.At(m.Field("minimum_wuu_version", "minimumWuuVersion"), diag.Finding{})
	if f.Path != "/minimumWuuVersion" || f.Start.ColChar != 34 {
		t.Errorf("%+v", f)
	}
	if f := m.At("/version", diag.Finding{}); f.Start.ColChar != 1 || f.End.ColChar != 2 {
		t.Errorf("%+v", f)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		`{"id": "a"}`, `{"name": 1, "icon": {"path": ".."}}`, `{"runtime": {"command": "\\", "args": [null]}}`, `{"contributes": {"commands": {"commands": {"commands": []}}}}`,
		`{"contributes": {"settings": {"a": {"type": "secret", "credential_origins": ["https://[::1"]}}}}`, `{"hooks": [1, "x"], "mcpServers": {"": {}}}`,
		`{"contributes": {"skins": [{"placement": "Canvas", "light": {"background": "#12", "veil": 1e999, "dots": {"pitch": -1, "size": 1e9, "shape": null}}, "dark": null}]}}`,
		`{"contributes": {"themes": [{"tokens": {"--wuu-": "#", "-": "", "--hljs-x": "transparent"}, "syntax": {"--wuu-ink": 1}}], "presenters": [{"target": "x"}], "views": 1}}`,
		`{"storageTransfers": {"exports": [{"id": "m", "plugin": "", "keyPrefix": "é", "domain": null}], "import": {}}, "contributes": {"commands": {"description": "you must", "knd": "x"}}}`,
		`{"dependencies": [{"id": "a", "version": "^"}], "requires": [""]}`, `../plugin.json`, `{"contributes": {"themes": [{"tokens": 1}], "skins": {}}}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		m, found := manifest.Parse("plugin.json", src)
		for _, x := range found {
			if x.Code == "" || x.Message == "" || x.End.Offset > len(src) || x.End.Offset < x.Start.Offset {
				t.Errorf("odd finding %+v", x)
			}
		}
		if m == nil {
			if diag.Count(found).Errors == 0 {
				t.Error("refused without an error")
			}
			return
		}
		if _, err := m.Resolve(func(string) ([]byte, error) { return bytes.Clone(src), nil }); err != nil {
			t.Error(err)
		}
		_ = m.Capabilities(nil).Digest()
		if again, twice := manifest.Parse("plugin.json", src); again == nil || len(twice) != len(found) {
			t.Error("two runs differ")
		}
	})
}
