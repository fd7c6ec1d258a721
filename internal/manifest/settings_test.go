package manifest_test

import (
	"strings"
	"testing"

	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/internal/manifest"
)

func TestSettingRules(t *testing.T) {
	settings := func(body string) string {
		return "{ \"id\": \"a\", \"name\": \"⚙️\",\n\t\"contributes\": { \"settings\": " + body + " } }"
	}
	// without is a whole setting without one field.
	without := func(field string) string {
		body := ""
		for _, f := range []string{`"type": "boolean"`, `"title": "S"`, `"default": true`, `"scope": "user"`, `"apply": "restart"`} {
			if !strings.HasPrefix(f, `"`+field+`"`) {
				body += ", " + f
			}
		}
		return settings(`{"s": «{»` + body[2:] + `}}`)
	}
	setting := func(body string) string {
		return settings(`{"s": {"title": "S", "scope": "user", "apply": "live", ` + body + `}}`)
	}
	secret := func(scope, apply, rest string) string {
		return settings(`{"token": {"type": "secret", "title": "T", "scope": ` + scope + `, "apply": ` + apply + `, ` + rest + `}}`)
	}
	id := "use a-z, 0-9, _ and -, in parts joined by dots, at most 128 characters"
	origin := `"default": "", "credential_origins": `
	example := "for example https://api.example.com"
	checkRules(t, []rule{
		{"a list", settings(`«[]»`), diag.Error, "MANIFEST_TYPE", "contributes.settings must be an object, not an array", ""},
		{"a file", settings(`«"settings.json"»`), diag.Error, "MANIFEST_TYPE", "contributes.settings must be an object, not a string", ""},
		{"no object", settings(`{"s": «true»}`), diag.Error, "MANIFEST_TYPE", "contributes.settings.s must be an object, not a boolean", ""},
		{"empty part", settings(`{«"a..b"»: {}}`), diag.Error, "SETTING_ID", `"a..b" is no setting id`, id},
		{"empty id", settings(`{«""»: {}}`), diag.Error, "SETTING_ID", `"" is no setting id`, id},
		{"long part", settings(`{«"` + strings.Repeat("a", 65) + `"»: {}}`), diag.Error, "SETTING_ID", `"aaa…`, id},
		{"long id", settings(`{«"` + strings.Repeat("aaaa.", 25) + `aaaa"»: {}}`), diag.Error, "SETTING_ID", `"aaa…`, id},
		{"no type", without("type"), diag.Error, "MANIFEST_REQUIRED", `"type" is missing in contributes.settings.s`, "one of boolean, string, number, enum, secret"},
		{"no title", without("title"), diag.Error, "MANIFEST_REQUIRED", `"title" is missing in contributes.settings.s`, ""},
		{"no scope", without("scope"), diag.Error, "MANIFEST_REQUIRED", `"scope" is missing in contributes.settings.s`, "one of user, workspace"},
		{"no apply", without("apply"), diag.Error, "MANIFEST_REQUIRED", `"apply" is missing in contributes.settings.s`, "one of live, next-operation, restart"},
		{"scope", settings(`{"s": {"type": "boolean", "title": "S", "default": true, "apply": "live", "scope": «"project"»}}`), diag.Error, "MANIFEST_VALUE", `contributes.settings.s.scope cannot be "project"`, "one of user, workspace"},
		{"apply in another spelling", settings(`{"s": {"type": "boolean", "title": "S", "default": true, "scope": "user", "apply": «"next_operation"»}}`), diag.Error, "MANIFEST_VALUE", `contributes.settings.s.apply cannot be "next_operation"`, `did you mean "next-operation"?`},
		{"type of JSON Schema", setting(`"default": 1, "type": «"integer"»`), diag.Error, "MANIFEST_VALUE", `contributes.settings.s.type cannot be "integer"`, "one of boolean, string, number, enum, secret"},
		{"type misspelt", setting(`"default": false, "type": «"bolean"»`), diag.Error, "MANIFEST_VALUE", `contributes.settings.s.type cannot be "bolean"`, `did you mean "boolean"?`},
		{"range", setting(`"type": "number", "default": 1, «"minimum"»: 0`), diag.Error, "MANIFEST_UNKNOWN_FIELD", `unknown field "minimum"`, "one of type, title, description, default, enum, scope, apply, credential_origins"},
		{"description", setting(`"type": "number", "default": 1, "description": «1»`), diag.Error, "MANIFEST_TYPE", "contributes.settings.s.description must be a string, not a number", `write "1"`},
		{"boolean as text", setting(`"type": "boolean", "default": «"true"»`), diag.Error, "SETTING_DEFAULT", "the default of a boolean setting must be a boolean, not a string", "write true without quotes"},
		{"number as text", setting(`"type": "number", "default": «"10"»`), diag.Error, "SETTING_DEFAULT", "the default of a number setting must be a number, not a string", "write 10 without quotes"},
		{"text as number", setting(`"type": "string", "default": «10»`), diag.Error, "SETTING_DEFAULT", "the default of a string setting must be a string, not a number", `write "10"`},
		{"no enum", settings(`{"s": «{»"type": "enum", "title": "S", "default": "x", "scope": "user", "apply": "live"}}`), diag.Error, "SETTING_ENUM", `"enum" is missing in contributes.settings.s`, `list the values, for example ["low", "high"]`},
		{"blank value", setting(`"type": "enum", "default": "x", "enum": ["x", «" "»]`), diag.Error, "SETTING_ENUM", "an enum value is empty", ""},
		{"number among values", setting(`"type": "enum", "default": "x", "enum": ["x", «2»]`), diag.Error, "MANIFEST_TYPE", "contributes.settings.s.enum[1] must be a string, not a number", `write "2"`},
		{"bad value is the default", setting(`"type": "enum", "default": "2", "enum": ["x", «2»]`), diag.Error, "MANIFEST_TYPE", "contributes.settings.s.enum[1] must be a string, not a number", `write "2"`},
		{"null title", settings(`{"s": {"type": "boolean", "title": «null», "default": true, "scope": "user", "apply": "live"}}`), diag.Error, "MANIFEST_REQUIRED", "contributes.settings.s.title is null, which counts as absent", ""},
		{"null type", settings(`{"s": {"type": «null», "title": "S", "default": true, "scope": "user", "apply": "live"}}`), diag.Error, "MANIFEST_REQUIRED", "contributes.settings.s.type is null, which counts as absent", "one of boolean, string, number, enum, secret"},
		{"null description", setting(`"type": "boolean", "default": true, "description": «null»`), diag.Warning, "MANIFEST_NULL", "contributes.settings.s.description is null, which counts as absent", "remove the field"},
		{"null origins", secret(`"user"`, `"live"`, `"default": "", "credential_origins": «null»`), diag.Error, "SETTING_SECRET", "contributes.settings.token.credential_origins is null, which counts as absent", `for example ["https://api.example.com"]`},
		{"values as object", setting(`"type": "enum", "default": "x", "enum": «{}»`), diag.Error, "MANIFEST_TYPE", "contributes.settings.s.enum must be an array, not an object", ""},
		{"default in capitals", setting(`"type": "enum", "default": «"High"», "enum": ["low", "high"]`), diag.Error, "SETTING_DEFAULT", `the default "High" is none of the enum's values`, `did you mean "high"?`},
		{"secret restart", secret(`"user"`, `«"restart"»`, origin+`["https://api.example.com"]`), diag.Error, "SETTING_SECRET", `the apply of a secret must be "live"`, `write "live"`},
		{"secret without default", settings(`{"s": «{»"type": "secret", "title": "S", "scope": "user", "apply": "live", "credential_origins": ["https://api.example.com"]}}`), diag.Error, "SETTING_DEFAULT", `"default" is missing in contributes.settings.s`, `write "default": ""; the host keeps the secret`},
		{"secret with null", secret(`"user"`, `"live"`, `"credential_origins": ["https://api.example.com"], "default": «null»`), diag.Error, "SETTING_DEFAULT", "the default of a secret setting must be a string, not null", `write ""; the host keeps the secret`},
		{"origins as text", secret(`"user"`, `"live"`, origin+`«"https://api.example.com"»`), diag.Error, "MANIFEST_TYPE", "contributes.settings.token.credential_origins must be an array, not a string", `write ["https://api.example.com"]`},
		{"origin as number", secret(`"user"`, `"live"`, origin+`[«1»]`), diag.Error, "MANIFEST_TYPE", "contributes.settings.token.credential_origins[0] must be a string, not a number", `write "1"`},
		{"origin without scheme", secret(`"user"`, `"live"`, origin+`[«"api.example.com"»]`), diag.Error, "SETTING_ORIGIN", `"api.example.com" is no origin: it does not start with https://`, example},
		{"origin in capitals", secret(`"user"`, `"live"`, origin+`[«"https://API.example.com"»]`), diag.Error, "SETTING_ORIGIN", `"https://API.example.com" is no origin: the host is not in lower case`, "write https://api.example.com"},
		{"origin with port 0", secret(`"user"`, `"live"`, origin+`[«"https://api.example.com:0"»]`), diag.Error, "SETTING_ORIGIN", `"https://api.example.com:0" is no origin: the host is malformed`, example},
		{"same origin", secret(`"user"`, `"live"`, origin+`["https://api.example.com", «"https://api.example.com"»]`), diag.Warning, "SETTING_ORIGIN_DUPLICATE", "https://api.example.com is listed twice", "keep one of them"},
	})
	for _, good := range []string{
		setting(`"type": "number", "default": -1.5e3`), setting(`"type": "string", "default": ""`), setting(`"type": "enum", "enum": [" x "], "default": "x"`),
		secret(`"user"`, `"live"`, origin+`["https://api.example.com:8443", "https://[2001:db8::1]"]`), settings(`{"a.b-c.d_9": {"type": "boolean", "title": "B", "default": false, "scope": "workspace", "apply": "restart"}}`),
	} {
		parse(t, good)
	}
}

// What is safe to repair is repaired, and the result is valid.
func TestSettingsAreRepaired(t *testing.T) {
	bad := `{"id": "a", "contributes": {"settings": {"s": {"type": "Secret", "title": "S", "default": "x", "scope": "workspace", "apply": "restart", "credential_origins": ["https://API.example.com/"]}}}}`
	for range 3 { // one fault may hide another: a secret is known by its type
		_, found := manifest.Parse("plugin.json", []byte(bad))
		for i := len(found) - 1; i >= 0; i-- {
			for _, e := range found[i].Fix {
				bad = bad[:e.Start] + e.Text + bad[e.End:]
			}
		}
	}
	if want := `{"id": "a", "contributes": {"settings": {"s": {"type": "secret", "title": "S", "default": "", "scope": "user", "apply": "live", "credential_origins": ["https://api.example.com"]}}}}`; bad != want {
		t.Errorf("%s", bad)
	}
	parse(t, bad)
}
