package bundle

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseModule(t *testing.T) {
	for _, c := range []struct {
		name, src        string
		imports, exports []string
		fault            string
	}{
		{name: "self-contained", src: "export function activate() {}\n", exports: []string{"activate"}},
		{name: "named later", src: "function a() {}\nexport { a as activate, a as default };\n", exports: []string{"activate", "default"}},
		{name: "static", src: "/* 😀 */ import fs from 'fs';\nexport * from \"./b.js\"; console.log(fs)\n", imports: []string{`import fs 1:25 'fs'`, `import ./b.js 2:15 "./b.js"`}},
		{name: "crlf", src: "let a;\r\nimport(\"x\");\r\nrequire('y');\r\n", imports: []string{`import() x 2:8 "x"`, `require() y 3:9 'y'`}},
		{name: "computed", src: "import(x); require(y);"},
		{name: "in a text", src: "`import 'x'`; // import 'y'\n"},
		{name: "syntax", src: "let a;\nlet = ;\n", fault: `2:7 unexpected ";"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, list, err := ParseModule("a.mjs", []byte(c.src), Browser)
			if err != nil {
				t.Fatal(err)
			}
			if c.fault != "" {
				if len(list) != 1 || fmt.Sprintf("%d:%d %s", list[0].Start.Line, list[0].Start.Col16, list[0].Message) != c.fault {
					t.Error(list)
				}
				return
			}
			if len(list) > 0 {
				t.Fatal(list)
			}
			var got []string
			for _, i := range p.Imports {
				got = append(got, fmt.Sprintf("%s %s %d:%d %s", i.Kind, i.Spec, i.Start.Line, i.Start.Col16, c.src[i.Start.Offset:i.End.Offset]))
			}
			slices.Sort(got)
			want := slices.Sorted(slices.Values(c.imports))
			if d := cmp.Diff(want, got); d != "" {
				t.Error(d)
			}
			if d := cmp.Diff(c.exports, slices.Sorted(slices.Values(p.Exports))); d != "" {
				t.Error(d)
			}
		})
	}
}
