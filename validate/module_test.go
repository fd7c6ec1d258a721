package validate_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wuu-plugins/wuu/validate"
)

// places shows findings as "severity CODE file:line:column".
func places(list []validate.Finding) []string {
	var out []string
	for _, f := range list {
		out = append(out, fmt.Sprintf("%s %s %s:%d:%d", f.Severity, f.Code, f.File, f.Start.Line, f.Start.Col16))
	}
	return out
}

type placeCase struct {
	name  string
	files tree
	want  []string
}

func checkPlaces(t *testing.T, cases []placeCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if d := cmp.Diff(c.want, places(run(t, c.files, validate.Options{}).Findings)); d != "" {
				t.Error(d)
			}
		})
	}
}

func desktop(src string) tree {
	return tree{"plugin.json": "{\n\"id\": \"a\", \"version\": \"1.0.0\",\n\"desktop\": {\"entry\": \"ui.js\"}}\n", "ui.js": src}
}

func TestDesktopModule(t *testing.T) {
	const ok = "export function activate() {}\n"
	checkPlaces(t, []placeCase{
		{"self-contained", desktop(ok), nil},
		{"exported by name", desktop("const a = () => {};\nexport { a as activate };\n"), nil},
		{"no activate", desktop("export default function activate() {}\n"), []string{"error DESKTOP_NO_ACTIVATE plugin.json:3:22"}},
		{"CommonJS", desktop("exports.activate = () => {};\n"), []string{"error DESKTOP_NO_ACTIVATE plugin.json:3:22"}},
		{"no JavaScript", desktop("let a;\nlet = ;\n"), []string{"error DESKTOP_MODULE_SYNTAX ui.js:2:7"}},
		{"imports a package", desktop("/* 😀 */ import r from 'react'; r;\n" + ok), []string{"error DESKTOP_IMPORT ui.js:1:24"}},
		{"imports its neighbour", desktop(ok + "export * from './b.js';\n").with(tree{"b.js": ""}), []string{"error DESKTOP_IMPORT ui.js:2:15"}},
		{"loads later", desktop(ok + "import('./b.js');\n"), []string{"error DESKTOP_IMPORT ui.js:2:8"}},
		{"Node with prefix", desktop("import { a } from 'node:fs'; a;\r\n" + ok), []string{"error DESKTOP_NODE_BUILTIN ui.js:1:19"}},
		{"Node without prefix", desktop(ok + "import 'fs/promises';"), []string{"error DESKTOP_NODE_BUILTIN ui.js:2:8"}},
		{"guarded require", desktop(ok + "try { require('fs'); } catch {}"), []string{"warning DESKTOP_NODE_BUILTIN ui.js:2:15"}},
		{"import in a comment", desktop(ok + "// import 'fs'"), nil},
	})
}

func scripted(entry, src string) tree {
	return tree{"plugin.json": fmt.Sprintf(`{"id": "a", "version": "1.0.0", "runtime": {"protocol": "wuu-plugin-v1", "command": "node", "args": [%q]}}`, entry), entry: src}
}

func TestRuntimeImports(t *testing.T) {
	checkPlaces(t, []placeCase{
		{"built-in", scripted("dist/a.mjs", "import 'node:fs'; import 'path'; import('fs/promises');\n"), nil},
		{"neighbour", scripted("dist/a.mjs", "import './b.mjs';\n").with(tree{"dist/b.mjs": "import '../c.js';", "c.js": "import './dist/a.mjs';"}), nil},
		{"package", scripted("dist/a.mjs", "\nimport w from 'ws'; w;\n"), []string{"error RUNTIME_IMPORT dist/a.mjs:2:15"}},
		{"scoped package", scripted("dist/a.mjs", "import '@wuu/plugin-sdk';\n"), []string{"error RUNTIME_IMPORT dist/a.mjs:1:8"}},
		{"package of a neighbour", scripted("dist/a.mjs", "import './b.mjs';\n").with(tree{"dist/b.mjs": "/* é */ import 'ws';"}), []string{"error RUNTIME_IMPORT dist/b.mjs:1:16"}},
		{"in node_modules", scripted("a.mjs", "import './node_modules/ws/index.js';\n").with(tree{"node_modules/ws/index.js": ""}), []string{"error RUNTIME_IMPORT a.mjs:1:8"}},
		{"no ending", scripted("a.mjs", "import './b';\n").with(tree{"b.js": ""}), []string{"error RUNTIME_IMPORT a.mjs:1:8"}},
		{"required without ending", scripted("a.cjs", "require('./b');\n").with(tree{"b.js": ""}), nil},
		{"perhaps", scripted("a.cjs", "try { require('bufferutil') } catch {}\n"), []string{"warning RUNTIME_IMPORT a.cjs:1:15"}},
		{"later", scripted("a.mjs", "export const f = () => import('ws');\n"), []string{"warning RUNTIME_IMPORT a.mjs:1:31"}},
		{"no JavaScript", scripted("a.mjs", "let x = 1;\nlet = ;\n"), []string{"error RUNTIME_SYNTAX a.mjs:2:7"}},
		{"another language", tree{"plugin.json": `{"id": "a", "version": "1.0.0", "runtime": {"protocol": "wuu-plugin-v1", "command": "./run.sh"}}`, "run.sh": "import ws\n"}, nil},
	})
}
