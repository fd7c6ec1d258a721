package validate_test

import (
	"bytes"
	"testing"

	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/internal/manifest"
	"github.com/wuu-plugins/wuu/validate"
)

func repair(src string) validate.Repaired {
	_, found := manifest.Parse("plugin.json", []byte(src))
	return validate.Repair("plugin.json", []byte(src), found)
}

func TestRepair(t *testing.T) {
	for _, c := range []struct{ name, src, want string }{
		{"byte order mark", "\ufeff{\"id\":\"x\",\"version\":\"1.0.0\"}", `{"id":"x","version":"1.0.0"}`},
		{"two trailing commas, CRLF and tabs", "{\r\n\t\"id\":\"x\",\r\n\t\"skills\":[\"s\",],\r\n\t\"version\":\"1.0.0\",\r\n}\r\n", "{\r\n\t\"id\":\"x\",\r\n\t\"skills\":[\"s\"],\r\n\t\"version\":\"1.0.0\"\r\n}\r\n"},
		{"the same member twice", "{\n  \"id\": \"x\",\n  \"id\": \"x\",\n  \"version\": \"1.0.0\"\n}\n", "{\n  \"id\": \"x\",\n  \"version\": \"1.0.0\"\n}\n"},
		{"different members of one name stay", `{"id":"x","id":"y","version":"1.0.0"}`, `{"id":"x","id":"y","version":"1.0.0"}`},
		{"both spellings: the ignored one goes", "{\n  \"id\": \"x\",\n  \"default_enabled\": true,\n  \"defaultEnabled\": true,\n  \"version\": \"1.0.0\"\n}\n", "{\n  \"id\": \"x\",\n  \"defaultEnabled\": true,\n  \"version\": \"1.0.0\"\n}\n"},
		{"trailing data stays", `{"id":"x"} {}`, `{"id":"x"} {}`},
		{"a suggestion is not applied", `{"id":"x","version":"1.0.0","descripton":"d"}`, `{"id":"x","version":"1.0.0","descripton":"d"}`},
	} {
		r := repair(c.src)
		if got := string(r.Content); got != c.want {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
		known(t, r.Fixed)
	}
}

func TestApplyConflicts(t *testing.T) {
	edit := func(code string, start, end int, text string) diag.Finding {
		return diag.Finding{Code: code, Fix: []diag.Edit{{Start: start, End: end, Text: text}}}
	}
	out, applied, left := diag.Apply([]byte("abcdef"), []diag.Finding{
		edit("LATE", 4, 5, "X"), edit("FIRST", 0, 2, ""), edit("SECOND", 1, 3, "-"), edit("SAME", 4, 5, "X"), edit("OUTSIDE", 5, 9, ""), edit("ADJACENT", 2, 3, "C"),
	})
	if string(out) != "CdXf" || len(applied) != 4 || len(left) != 2 || left[0].Code != "SECOND" || left[1].Code != "OUTSIDE" {
		t.Errorf("%q, applied %v, left %v", out, applied, left)
	}
}

// FuzzRepair: what was repaired needs no second repair, and bytes that no
// edit names stay.
func FuzzRepair(f *testing.F) {
	for _, seed := range []string{
		"\ufeff{\"id\":\"x\",}", `{"id":"x","id":"x"}`, `{id:"x" "version":True,}`, `{"ID":"a","id":"a"}`, "[1,,]",
		`{"default_enabled":true,"defaultEnabled":false}`, "{\"a\":\"\t\"}", `{"contributes":{"themes":[{"Base":"Dark"}]}}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, src string) {
		once := repair(src)
		known(t, once.Fixed)
		twice := repair(string(once.Content))
		if !bytes.Equal(once.Content, twice.Content) {
			t.Errorf("%q\nonce  %q\ntwice %q", src, once.Content, twice.Content)
		}
		if len(once.Fixed) == 0 && string(once.Content) != src {
			t.Errorf("%q became %q without a fix", src, once.Content)
		}
	})
}
