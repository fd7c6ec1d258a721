package service

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/wuu-plugins/wuu/internal/protocol"
)

func TestDecode(t *testing.T) {
	for _, c := range []struct {
		in string
		ok bool
	}{
		{``, false}, // "a" is missing
		{`{"a":1}`, true},
		{` { "a" : null , "b" : [{}] } `, true},
		{`{"a":1,"c":2}`, false},
		{`{"A":1}`, false},
		{`{"a":1,"a":1}`, false},
		{`{"a":1} {}`, false},
		{`{"a":1}x`, false},
		{`{"a":1`, false},
		{`[]`, false},
		{`null`, false},
		{`"a"`, false},
	} {
		_, perr := decode(json.RawMessage(c.in), []string{"a"}, []string{"b"})
		if (perr == nil) != c.ok {
			t.Errorf("decode(%s): %v", c.in, perr)
		}
		if perr != nil && perr.Code != protocol.CodeInvalidParams {
			t.Errorf("decode(%s): code %s", c.in, perr.Code)
		}
	}
	if _, perr := decode(nil, nil, nil); perr != nil {
		t.Errorf("absent parameters: %v", perr)
	}
	_, perr := decode(json.RawMessage(`{"`+strings.Repeat("long", 1000)+`":1}`), nil, nil)
	if len(perr.Message) > 200 {
		t.Errorf("the message repeats %d bytes", len(perr.Message))
	}
}

// What members takes is an object with the same members for encoding/json,
// and everything that encoding/json takes without repeated names is taken.
func FuzzMembers(f *testing.F) {
	for _, seed := range []string{`{}`, `{"a":1,"b":"x"}`, `{"a":1,"a":2}`, `{"a":{"a":[]}}`, `{"\u0061":1,"a":2}`, `[]`, `{"a"}`, `{"a":1}}`, "{\"a\xff\":1}"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		got, err := members(in)
		var want map[string]json.RawMessage
		jsonErr := json.Unmarshal(in, &want)
		if err == nil {
			if jsonErr != nil {
				t.Fatalf("took %q: %v", in, jsonErr)
			}
			if !slices.Equal(slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want))) {
				t.Fatalf("%q has members %v, want %v", in, got, want)
			}
			return
		}
		if jsonErr == nil && want != nil && !strings.Contains(err.Error(), "comes twice") {
			t.Fatalf("refused %q: %v", in, err)
		}
	})
}

func TestWorkspaceID(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for base, slug := range map[string]string{
		"my project!": "my-project-", "ünï": "n-", "...": "project-", "日本": "project-", "a_b.c-d": "a_b.c-d-",
		strings.Repeat("x", 60): strings.Repeat("x", 48) + "-",
	} {
		id := WorkspaceID(filepath.Join(dir, base))
		hash, ok := strings.CutPrefix(id, slug)
		if !ok || len(hash) != 16 || strings.Trim(hash, "0123456789abcdef") != "" {
			t.Errorf("WorkspaceID(%q) = %q", base, id)
		}
	}
	if WorkspaceID(filepath.Join(dir, "a")) == WorkspaceID(filepath.Join(dir, "b")) {
		t.Error("two projects have one id")
	}
}

func TestPinsAreFixedOnce(t *testing.T) {
	var p Pins
	first := p.fix(map[string]json.RawMessage{"a": json.RawMessage("1")})
	second := p.fix(map[string]json.RawMessage{"a": json.RawMessage("2"), "b": json.RawMessage("3")})
	if string(first["a"]) != "1" || string(second["a"]) != "1" || len(second) != 1 {
		t.Errorf("%s then %s", first, second)
	}
	var empty Pins
	empty.fix(nil)
	if got := empty.fix(map[string]json.RawMessage{"a": nil}); len(got) != 0 {
		t.Errorf("an empty reading was not fixed: %s", got)
	}
}
