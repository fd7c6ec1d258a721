package manifest_test

import (
	"testing"

	"github.com/wuu-plugins/wuu/internal/diag"
)

func TestServiceRules(t *testing.T) {
	services := func(body string) string {
		return "{ \"id\": \"a\",\n\t\"desktop\": { \"entry\": \"é.js\", \"required_services\": " + body + " } }"
	}
	first := "desktop.required_services[0]"
	checkRules(t, []rule{
		{"not a list", services(`«{}»`), diag.Error, "MANIFEST_TYPE", "desktop.required_services must be an array, not an object", ""},
		{"text", services(`[«"example.text"»]`), diag.Error, "MANIFEST_TYPE", first + " must be an object, not a string", ""},
		{"no name", services(`[«{»"major_version": 1}]`), diag.Error, "MANIFEST_REQUIRED", `"name" is missing in ` + first, ""},
		{"no version", services(`[«{»"name": "example.text"}]`), diag.Error, "MANIFEST_REQUIRED", `"major_version" is missing in ` + first, `for example "major_version": 1`},
		{"other spelling", services(`[{"name": "example.text", «"majorVersion"»: 1}]`), diag.Error, "MANIFEST_UNKNOWN_FIELD", `unknown field "majorVersion"`, `did you mean "major_version"?`},
		{"version as text", services(`[{"name": "example.text", "major_version": «"1"»}]`), diag.Error, "MANIFEST_TYPE", first + ".major_version must be a number, not a string", "write 1 without quotes"},
		{"broken version", services(`[{"name": "example.text", "major_version": «1.2»}]`), diag.Error, "MANIFEST_VALUE", first + `.major_version must be a whole number, 0 or more, not "1.2"`, "the first number of the service's version"},
		{"one word", services(`[{"name": «"storage"», "major_version": 1}]`), diag.Error, "SERVICE_NAME", `"storage" is no service name: it has two or more words of a-z, 0-9 and -, joined by dots`, "for example example.text.analysis"},
		{"capitals", services(`[{"name": «"Example.text"», "major_version": 1}]`), diag.Error, "SERVICE_NAME", `"Example.text" is no service name: it has two or more words of a-z, 0-9 and -, joined by dots`, "for example example.text.analysis"},
		{"twice", services(`[{"name": "example.text", "major_version": 1}, {"name": «"example.text"», "major_version": 2}]`), diag.Error, "SERVICE_DUPLICATE", `the service "example.text" is listed twice`, "keep one entry"},
		{"required as text", services(`[{"name": "example.text", "major_version": 1, "required": «"false"»}]`), diag.Error, "MANIFEST_TYPE", first + ".required must be a boolean, not a string", "write false without quotes"},
	})
	parse(t, services(`[{"name": "host.storage.compare-exchange", "major_version": 0, "required": false, "vendor": 1}]`))
}
