package jsonpos_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/internal/jsonpos"
)

// FuzzParse compares with encoding/json: what we accept it accepts, with the
// same value, and what it refuses we refuse with a place inside the file.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"", "{}", "[1,2,]", `{"a":"\u001b"}`, `{"a":{"b":[true,null,-1.5e3,"x"]}}`, "\ufeff[]", "{'a':1}", "[\"\\", `"\u12`, "{\"a\" 1}", "01", "nul", "// x",
		"{\"a\":1}}", "[\"\xff\"]", strings.Repeat("[", 70), "\"\t\"", `{"a":1 "b":2}`, "<<<<<<<",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		doc, found := jsonpos.Parse("f", src)
		for _, x := range found {
			if x.Start.Offset < 0 || x.End.Offset > len(src) || x.End.Offset < x.Start.Offset || x.Start.Line < 1 || x.Message == "" {
				t.Errorf("odd finding %+v", x)
			}
		}
		if doc == nil {
			if diag.Count(found).Errors == 0 {
				t.Error("refused without a reason")
			}
			return
		}
		body := src
		if strings.HasPrefix(string(src), "\ufeff") {
			body = src[3:]
		}
		var want any
		if err := json.Unmarshal(body, &want); err != nil {
			if strings.Contains(err.Error(), "cannot unmarshal number") {
				return // out of the range of float64, yet JSON
			}
			t.Fatalf("accepted what encoding/json refuses: %v", err)
		}
		if diag.Count(found).Errors == 0 && !reflect.DeepEqual(value(doc, doc.Root), want) {
			t.Errorf("%q: another value than encoding/json", src)
		}
		check(t, doc, doc.Root)
	})
}

func value(doc *jsonpos.Document, n *jsonpos.Node) any {
	switch n.Kind {
	case jsonpos.Object:
		m := map[string]any{}
		for _, c := range n.Children {
			m[c.Key] = value(doc, c)
		}
		return m
	case jsonpos.Array:
		a := make([]any, len(n.Children))
		for i, c := range n.Children {
			a[i] = value(doc, c)
		}
		return a
	case jsonpos.String:
		return n.Text
	}
	var v any
	_ = json.Unmarshal(doc.Raw(n), &v)
	return v
}

func check(t *testing.T, doc *jsonpos.Document, n *jsonpos.Node) {
	if !json.Valid(doc.Raw(n)) {
		t.Errorf("span of %s is not a value: %q", n.Pointer(), doc.Raw(n))
	}
	for _, c := range n.Children {
		check(t, doc, c)
	}
}
