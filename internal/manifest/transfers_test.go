package manifest_test

import (
	"strings"
	"testing"

	"github.com/wuu-plugins/wuu/internal/diag"
)

func TestTransferRules(t *testing.T) {
	transfers := func(body string) string {
		return "\n{ \"id\": \"a\", \"description\": \"💾\", \"storageTransfers\": { " + body + " } }"
	}
	export := func(body string) string {
		return transfers(`"exports": [{"id": "m", "plugin": "b", "scope": "user", "domain": "coding", "keyPrefix": "notes.", ` + body + `}]`)
	}
	without := func(field, value string) string {
		whole := `"id": "m", "plugin": "b", "scope": "user", "domain": "coding", "keyPrefix": "notes."`
		return transfers(`"imports": [«{»` + strings.TrimPrefix(strings.Replace(", "+whole, `, "`+field+`": "`+value+`"`, "", 1), ", ") + `}]`)
	}
	missing := func(field string) string { return `"` + field + `" is missing in storageTransfers.imports[0]` }
	prefix := "use letters, digits, dots, _ and -, starting with a letter or digit, at most 128 bytes"
	long := strings.Repeat("k", 129)
	checkRules(t, []rule{
		{"a list", `{"id": "a", "storageTransfers": «[]»}`, diag.Error, "MANIFEST_TYPE", "storageTransfers must be an object, not an array", ""},
		{"other spelling", `{"id": "a", «"storage_transfers"»: {}}`, diag.Warning, "MANIFEST_UNKNOWN_FIELD", `unknown field "storage_transfers"`, `did you mean "storageTransfers"?`},
		{"unknown direction", transfers(`«"export"»: []`), diag.Error, "MANIFEST_UNKNOWN_FIELD", `unknown field "export"`, `did you mean "exports"?`},
		{"exports as object", transfers(`"exports": «{}»`), diag.Error, "MANIFEST_TYPE", "storageTransfers.exports must be an array, not an object", ""},
		{"import as text", transfers(`"imports": [«"b"»]`), diag.Error, "MANIFEST_TYPE", "storageTransfers.imports[0] must be an object, not a string", ""},
		{"unknown field", export(`«"prefix"»: "x"`), diag.Error, "MANIFEST_UNKNOWN_FIELD", `unknown field "prefix"`, "one of id, plugin, scope, domain, keyPrefix"},
		{"no id", without("id", "m"), diag.Error, "MANIFEST_REQUIRED", missing("id"), ""},
		{"no plugin", without("plugin", "b"), diag.Error, "MANIFEST_REQUIRED", missing("plugin"), ""},
		{"no scope", without("scope", "user"), diag.Error, "MANIFEST_REQUIRED", missing("scope"), "one of user"},
		{"no domain", without("domain", "coding"), diag.Error, "MANIFEST_REQUIRED", missing("domain"), ""},
		{"no prefix", without("keyPrefix", "notes."), diag.Error, "MANIFEST_REQUIRED", missing("keyPrefix"), ""},
		{"workspace", transfers(`"imports": [{"id": "m", "plugin": "b", "scope": «"workspace"», "domain": "d", "keyPrefix": "n"}]`), diag.Error, "MANIFEST_VALUE", `storageTransfers.imports[0].scope cannot be "workspace"`, "one of user"},
		{"itself", transfers(`"imports": [{"id": "m", "plugin": «"a"», "scope": "user", "domain": "d", "keyPrefix": "n"}]`), diag.Error, "RELATION_SELF", "the package names itself", "remove it"},
		{"bad plugin", transfers(`"imports": [{"id": "m", "plugin": «"x/y"», "scope": "user", "domain": "d", "keyPrefix": "n"}]`), diag.Error, "MANIFEST_ID", `"x/y" is no plugin id: …`, ""},
		{"blank domain", transfers(`"imports": [{"id": "m", "plugin": "b", "scope": "user", "domain": «" "», "keyPrefix": "n"}]`), diag.Error, "MANIFEST_REQUIRED", "storageTransfers.imports[0].domain is empty", ""},
		{"empty prefix", transfers(`"imports": [{"id": "m", "plugin": "b", "scope": "user", "domain": "d", "keyPrefix": «""»}]`), diag.Error, "MANIFEST_REQUIRED", "storageTransfers.imports[0].keyPrefix is empty", ""},
		{"dotted prefix", transfers(`"imports": [{"id": "m", "plugin": "b", "scope": "user", "domain": "d", "keyPrefix": «".n"»}]`), diag.Error, "TRANSFER_PREFIX", `".n" cannot begin a storage key`, prefix},
		{"prefix with slash", transfers(`"imports": [{"id": "m", "plugin": "b", "scope": "user", "domain": "d", "keyPrefix": «"notes/"»}]`), diag.Error, "TRANSFER_PREFIX", `"notes/" cannot begin a storage key`, prefix},
		{"long prefix", transfers(`"imports": [{"id": "m", "plugin": "b", "scope": "user", "domain": "d", "keyPrefix": «"` + long + `"»}]`), diag.Error, "TRANSFER_PREFIX", `"kkk…`, prefix},
		{"prefix as number", transfers(`"imports": [{"id": "m", "plugin": "b", "scope": "user", "domain": "d", "keyPrefix": «5»}]`), diag.Error, "MANIFEST_TYPE", "storageTransfers.imports[0].keyPrefix must be a string, not a number", `write "5"`},
		{"twice", transfers(`"exports": [{"id": "m", "plugin": "b", "scope": "user", "domain": "d", "keyPrefix": "n"}, {"id": «"m"», "plugin": "c", "scope": "user", "domain": "d", "keyPrefix": "o"}]`), diag.Error, "TRANSFER_DUPLICATE", `the transfer "m" is declared twice`, "give each transfer an id of its own"},
	})
	parse(t, transfers(`"exports": [{"id": "m", "plugin": "b", "scope": "user", "domain": "d", "keyPrefix": "A.b_c-9"}], "imports": [{"id": "m", "plugin": "c", "scope": "user", "domain": "d", "keyPrefix": "n"}]`))
}
