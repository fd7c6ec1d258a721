package jsonpos_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/internal/jsonpos"
)

func mustParse(t *testing.T, src string) *jsonpos.Document {
	t.Helper()
	doc, found := jsonpos.Parse("f.json", []byte(src))
	if doc == nil || len(found) > 0 {
		t.Fatalf("Parse(%q): %v", src, found)
	}
	return doc
}

func TestPlaces(t *testing.T) {
	doc := mustParse(t, "{\n  \"a/b\": [1, \"ü\\u0041\"],\n  \"c~\": {\"d\": null}\n}\n")
	for _, c := range []struct {
		pointer, raw, text, key string
		kind                    jsonpos.Kind
	}{
		{"/a~1b/0", "1", "1", "", jsonpos.Number},
		{"/a~1b/1", `"ü\u0041"`, "üA", "", jsonpos.String},
		{"/c~0/d", "null", "null", `"d"`, jsonpos.Null},
		{"/c~0", `{"d": null}`, "", `"c~"`, jsonpos.Object},
	} {
		n := doc.Root.Find(c.pointer)
		if n == nil {
			t.Errorf("%s: not found", c.pointer)
			continue
		}
		if got := string(doc.Raw(n)); got != c.raw || n.Text != c.text || n.Kind != c.kind {
			t.Errorf("%s: %s %q %v", c.pointer, got, n.Text, n.Kind)
		}
		if got := string(doc.Src[n.KeySpan.Start:n.KeySpan.End]); got != c.key {
			t.Errorf("%s: key %s, want %s", c.pointer, got, c.key)
		}
		if got := n.Pointer(); got != c.pointer {
			t.Errorf("pointer %s, want %s", got, c.pointer)
		}
	}
	for _, p := range []string{"/x", "/a~1b/2", "/a~1b/-1", "/a~1b/x", "/c~0/d/e"} {
		if n := doc.Root.Find(p); n != nil {
			t.Errorf("%s: found %v", p, n)
		}
	}
}

func TestByteOrderMark(t *testing.T) {
	doc, found := jsonpos.Parse("f.json", []byte("\ufeff{\"a\": 1}"))
	if doc == nil || len(found) != 1 || found[0].Code != "JSON_BOM" || found[0].Severity != diag.Warning {
		t.Fatalf("%v %v", doc, found)
	}
	n := doc.Root.Get("a")
	f := doc.AtKey(n, diag.Finding{})
	if string(doc.Raw(n)) != "1" || f.Start.Col16 != 2 || f.Start.Offset != 4 {
		t.Errorf("%q %+v", doc.Raw(n), f.Start)
	}
}

// The expected text is "code line:column message".
func TestRefused(t *testing.T) {
	deep := strings.Repeat("[", 65) + strings.Repeat("]", 65)
	for _, c := range []struct{ name, src, want string }{
		{"empty", "", "JSON_SYNTAX 1:1 the file is empty"},
		{"blank", " \n ", "JSON_SYNTAX 1:1 the file is empty"},
		{"bad byte", "{\"a\": \"é\xff\"}", "JSON_ENCODING 1:9 byte 0xff at offset 9 is not UTF-8"},
		{"overlong", "\"\xc0\xaf\"", "JSON_ENCODING 1:2 byte 0xc0 at offset 1 is not UTF-8"},
		{"raw surrogate", "\"\xed\xa0\x80\"", "JSON_ENCODING 1:2 byte 0xed at offset 1 is not UTF-8"},
		{"utf-16", "\xff\xfe{\x00}\x00", "JSON_ENCODING 1:1 the file is UTF-16; JSON files are UTF-8"},
		{"trailing comma", "{\"a\": 1,\n}", "JSON_SYNTAX 1:8 a comma stands before the closing bracket"},
		{"trailing comma in array", "[1 , ]", "JSON_SYNTAX 1:4 a comma stands before the closing bracket"},
		{"line comment", "{ // x\n}", "JSON_SYNTAX 1:3 JSON has no comments"},
		{"block comment", "[1 /* x */]", "JSON_SYNTAX 1:4 JSON has no comments"},
		{"hash comment", "# x\n{}", "JSON_SYNTAX 1:1 JSON has no comments"},
		{"single quotes", "{'a': 1}", "JSON_SYNTAX 1:2 strings and keys stand in double quotes"},
		{"bare key", "{ab: 1}", "JSON_SYNTAX 1:2 keys stand in double quotes"},
		{"number as key", "{1: 1}", "JSON_SYNTAX 1:2 keys stand in double quotes"},
		{"missing comma", "{\"a\": 1\n \"b\": 2}", "JSON_SYNTAX 2:2 a comma is missing before this"},
		{"missing comma in array", "[\"a\" \"b\"]", "JSON_SYNTAX 1:6 a comma is missing before this"},
		{"missing colon", "{\"a\" 1}", "JSON_SYNTAX 1:6 a colon is missing after the key"},
		{"equals", "{\"a\" = 1}", "JSON_SYNTAX 1:6 a colon stands between key and value"},
		{"missing value", "{\"a\": }", "JSON_SYNTAX 1:7 the value of the last key is missing"},
		{"key only", "{\"a\"}", "JSON_SYNTAX 1:5 the value of the last key is missing"},
		{"double comma", "[1,,2]", "JSON_SYNTAX 1:4 a value is missing before this comma"},
		{"comma first", "[,1]", "JSON_SYNTAX 1:2 a value is missing before this comma"},
		{"comma as key", "{,}", "JSON_SYNTAX 1:2 a key in double quotes is expected here, not ','"},
		{"wrong bracket", "{\"a\": [1}", "JSON_SYNTAX 1:9 '}' does not close the array that starts on line 1"},
		{"ends in object", "{\n\"a\": 1\n", "JSON_SYNTAX 2:7 the file ends inside the object that starts on line 1"},
		{"ends after comma", "[1,", "JSON_SYNTAX 1:4 the file ends inside the array that starts on line 1"},
		{"open string", "{\"a\": \"b}", "JSON_SYNTAX 1:7 this string has no closing quote"},
		{"line break in string", "[\"a\nb\"]", "JSON_SYNTAX 1:4 the string is not closed before the end of the line"},
		{"tab in string", "[\"a\tb\"]", "JSON_SYNTAX 1:4 a tab stands in a string"},
		{"NUL in string", "[\"a\x00b\"]", "JSON_SYNTAX 1:4 control character U+0000 stands in a string"},
		{"bad escape", `["C:\dir"]`, `JSON_SYNTAX 1:5 "\\d" does not begin a JSON escape`},
		{"bad unicode escape", `["\u12g4"]`, `JSON_SYNTAX 1:3 "\\u12g" does not begin a JSON escape`},
		{"escape in an escape", `["\\\x"]`, `JSON_SYNTAX 1:5 "\\x" does not begin a JSON escape`},
		{"true in python", "[True]", `JSON_SYNTAX 1:2 "True" is not a JSON value`},
		{"none", "{\"a\": None}", `JSON_SYNTAX 1:7 "None" is not a JSON value`},
		{"undefined", "[undefined]", `JSON_SYNTAX 1:2 "undefined" is not a JSON value`},
		{"NaN", "[NaN]", `JSON_SYNTAX 1:2 "NaN" is not a JSON value`},
		{"infinity", "[-Infinity]", `JSON_SYNTAX 1:2 "-Infinity" is not a JSON value`},
		{"leading zero", "[012]", `JSON_SYNTAX 1:2 "012" is not a JSON number`},
		{"plus", "[+1]", `JSON_SYNTAX 1:2 "+1" is not a JSON number`},
		{"point only", "[1.]", `JSON_SYNTAX 1:2 "1." is not a JSON number`},
		{"no digit first", "[.5]", `JSON_SYNTAX 1:2 ".5" is not a JSON number`},
		{"hexadecimal", "[0x1F]", `JSON_SYNTAX 1:2 "0x1F" is not a JSON number`},
		{"exponent", "[1e]", `JSON_SYNTAX 1:2 "1e" is not a JSON number`},
		{"minus only", "-", `JSON_SYNTAX 1:1 "-" is not a JSON number`},
		{"half a literal", "tru", `JSON_SYNTAX 1:1 "tru" is not a JSON value`},
		{"literal too long", "nulls", `JSON_SYNTAX 1:1 "nulls" is not a JSON value`},
		{"second value", "{} {}", "JSON_TRAILING_DATA 1:4 the file goes on after the end of its value"},
		{"text after", "{}\nx", "JSON_TRAILING_DATA 2:1 the file goes on after the end of its value"},
		{"bracket after", "[]]", "JSON_TRAILING_DATA 1:3 the file goes on after the end of its value"},
		{"conflict", "{\n<<<<<<< HEAD\n\"a\": 1\n", "JSON_SYNTAX 2:1 a merge conflict marker stands here"},
		{"bare word", "[abc]", `JSON_SYNTAX 1:2 "abc" is not a JSON value`},
		{"link stub", "../plugin.json", `JSON_SYNTAX 1:1 ".." is not a JSON value`},
		{"no-break space", "[1,\u00a02]", `JSON_SYNTAX 1:4 unexpected '\u00a0'`},
		{"form feed", "[\f1]", `JSON_SYNTAX 1:2 unexpected '\f'`},
		{"two marks", "\ufeff\ufeff{}", `JSON_SYNTAX 1:1 unexpected '\ufeff'`},
		{"too deep", deep, "JSON_DEPTH 1:65 arrays and objects are nested deeper than 64 levels"},
		{"too large", strings.Repeat(" ", jsonpos.MaxSize+1), "JSON_SIZE 1:1 the file has 1048577 bytes; at most 1048576 (1 MiB) are allowed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			doc, found := jsonpos.Parse("f.json", []byte(c.src))
			if doc != nil || len(found) == 0 {
				t.Fatalf("accepted, or nothing found: %v", found)
			}
			if got := diag.Line(found[len(found)-1]); got != c.want {
				t.Errorf("\n got %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestAccepted(t *testing.T) {
	for _, src := range []string{
		"0", "-0", "1e+9", "1.25E-3", `""`, "null", "[]", "{}", " [ ] \r\n", `"\ud83d\ude00"`, "\"\u007e\"",
		`{"":0}`, `["a\nb\tc"]`, `["é", "日本", "👨\u200d👩\u200d👧"]`, strings.Repeat("[", 64) + strings.Repeat("]", 64),
		strings.Repeat(" ", jsonpos.MaxSize-2) + "{}", `["[[["]`, `"\\"`, `"\"{"`,
	} {
		mustParse(t, src)
	}
}

func TestFindingsInValidJSON(t *testing.T) {
	for _, c := range []struct {
		name, src string
		want      []string
	}{
		{"twice", "{\"a\": 1,\n\"a\": 2}", []string{`JSON_DUPLICATE_KEY 2:1 the key "a" stands twice in this object (first on line 1)`}},
		{"twice by escape", `{"a": 1, "\u0061": 2}`, []string{`JSON_DUPLICATE_KEY 1:10 the key "a" stands twice in this object (first on line 1)`}},
		{"case", `{"id": 1, "ID": 2}`, []string{`JSON_DUPLICATE_KEY 1:11 the key "ID" differs only in case from "id" on line 1`}},
		{"Kelvin sign", "{\"k\": 1, \"\u212a\": 2}", []string{"JSON_DUPLICATE_KEY 1:10 the key \"\u212a\" differs only in case from \"k\" on line 1"}},
		{"deep", `[{"x": {"a": 1, "a": 2}}]`, []string{`JSON_DUPLICATE_KEY 1:17 the key "a" stands twice in this object (first on line 1)`}},
		{"escape sequence", `["a\u001b[31m"]`, []string{"TEXT_CONTROL 1:4 control character U+001B in a text"}},
		{"carriage return", `["a\r"]`, []string{"TEXT_CONTROL 1:4 control character U+000D in a text"}},
		{"delete", "[\"\x7f\"]", []string{"TEXT_CONTROL 1:3 control character U+007F in a text"}},
		{"direction", "[\"a\u202eb\"]", []string{"TEXT_CONTROL 1:4 direction mark U+202E in a text"}},
		{"zero width", "[\"a\u200bb\"]", []string{"TEXT_CONTROL 1:4 invisible character U+200B in a text"}},
		{"joiner in a word", "[\"a\u200db\"]", []string{"TEXT_CONTROL 1:4 invisible character U+200D in a text"}},
		{"tag characters", "[\"\U000e0041\"]", []string{"TEXT_CONTROL 1:3 invisible character U+E0041 in a text"}},
		{"in a key", "{\"a\u200b\": 1}", []string{"TEXT_CONTROL 1:4 invisible character U+200B in a text"}},
		{"half a pair", `["\ud800"]`, []string{`JSON_SURROGATE 1:3 \ud800 is half of a surrogate pair in a text`}},
		{"halves in the wrong order", `["\ude00\ud83d"]`, []string{
			`JSON_SURROGATE 1:3 \ude00 is half of a surrogate pair in a text`, `JSON_SURROGATE 1:9 \ud83d is half of a surrogate pair in a text`,
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			doc, found := jsonpos.Parse("f.json", []byte(c.src))
			if doc == nil {
				t.Fatalf("refused: %v", found)
			}
			var got []string
			for _, f := range found {
				got = append(got, diag.Line(f))
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

// A hostile file must not make a report of unbounded size.
func TestFloodIsCut(t *testing.T) {
	doc, found := jsonpos.Parse("f.json", []byte("{"+strings.Repeat(`"a":0,`, 100_000)+`"a":0}`))
	if doc == nil || len(found) != diag.MaxPerSeverity+1 || found[diag.MaxPerSeverity].Code != "MORE_FINDINGS" {
		t.Fatalf("%d findings", len(found))
	}
	if want := "99900 more findings of severity error are not shown"; found[diag.MaxPerSeverity].Message != want {
		t.Errorf("%s", found[diag.MaxPerSeverity].Message)
	}
}

func TestFixesMakeValidJSON(t *testing.T) {
	for _, src := range []string{"{\"a\": 1,\n}", "[1 , ]", "{ab: 1}", "{\"a\": 1\n \"b\": 2}", "{\"a\" = 1}", "[True]", "[\"a\tb\"]", "\ufeff[1,]"} {
		_, found := jsonpos.Parse("f.json", []byte(src))
		last := found[len(found)-1]
		if len(last.Fix) != 1 {
			t.Errorf("%q: no fix in %v", src, last)
			continue
		}
		e := last.Fix[0]
		if doc, found := jsonpos.Parse("f.json", []byte(src[:e.Start]+e.Text+src[e.End:])); doc == nil {
			t.Errorf("%q: still bad after the fix: %v", src, found)
		}
	}
}

func TestQuote(t *testing.T) {
	if got := jsonpos.Quote("a\x1b\u202e"); got != `"a\x1b\u202e"` {
		t.Error(got)
	}
	if got := jsonpos.Quote(strings.Repeat("ü", 61)); got != `"`+strings.Repeat("ü", 60)+`"…` {
		t.Error(got)
	}
}
