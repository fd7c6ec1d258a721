package bundle_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/wuu-plugins/wuu/internal/bundle"
	"github.com/wuu-plugins/wuu/internal/diag"
)

// nodeEntry and browserEntry are the plans of most tests.
func nodeEntry(source string) bundle.Plan {
	return bundle.Plan{Builder: bundle.Embedded, Entries: []bundle.Entry{{Source: source, Output: "dist/index.js", Platform: bundle.Node}}}
}

func browserEntry(source string) bundle.Plan {
	return bundle.Plan{Builder: bundle.Embedded, Entries: []bundle.Entry{{Source: source, Output: "dist/renderer.js", Platform: bundle.Browser}}}
}

func newBuilder(t *testing.T, p bundle.Plan, o bundle.Options) *bundle.Builder {
	t.Helper()
	b, err := bundle.NewBuilder(p, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return b
}

func build(t *testing.T, b *bundle.Builder) (*bundle.Result, []diag.Finding) {
	t.Helper()
	result, findings, err := b.Build(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return result, findings
}

// good builds p without a finding.
func good(t *testing.T, p bundle.Plan, o bundle.Options) *bundle.Result {
	t.Helper()
	result, findings := build(t, newBuilder(t, p, o))
	if len(findings) > 0 {
		t.Fatalf("findings %+v", findings)
	}
	return result
}

// bad builds p and returns its only finding.
func bad(t *testing.T, p bundle.Plan, root string) diag.Finding {
	t.Helper()
	result, findings := build(t, newBuilder(t, p, bundle.Options{Root: root}))
	if len(findings) != 1 || len(result.Outputs) != 0 {
		t.Fatalf("findings %+v, %d outputs", findings, len(result.Outputs))
	}
	return findings[0]
}

// run starts the first output under Node and returns what it prints.
func run(t *testing.T, result *bundle.Result, args ...string) string {
	t.Helper()
	out, err := command(t, result, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}

func command(t *testing.T, result *bundle.Result, args ...string) *exec.Cmd {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("skipped: node is not installed")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "package.json"), []byte(`{"type":"module"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, o := range result.Outputs {
		put(t, dir, o.Path, string(o.Content))
	}
	cmd := exec.Command(node, append([]string{filepath.Join(dir, filepath.FromSlash(result.Outputs[0].Path))}, args...)...)
	cmd.Dir = dir
	return cmd
}

func TestRuntimeWithCommonJS(t *testing.T) {
	root := tree(t, map[string]string{
		"src/index.ts": `
			import { basename } from "node:path";
			import { createRequire } from "node:module";
			import old from "old";
			import { greet } from "./greet.js";
			const require = createRequire(import.meta.url); // the plugin's own
			enum Kind { A = 1 }
			console.log(greet("Ada"), old.sep, basename(require("path").join("a", "b")), Kind.A);`,
		"src/greet.ts":                  `export function greet(name: string): string { return "hello " + name }`,
		"node_modules/old/package.json": `{"main":"main.js"}`,
		"node_modules/old/main.js":      `const path = require("path"); exports.sep = path.posix.sep;`,
	})
	result := good(t, nodeEntry("src/index.ts"), bundle.Options{Root: root})
	if got, want := strings.TrimSpace(run(t, result)), "hello Ada / b 1"; got != want {
		t.Errorf("printed %q, want %q", got, want)
	}
	if bytes.Contains(result.Outputs[0].Content, []byte(root)) {
		t.Error("the output holds an absolute path")
	}
	for _, name := range []string{"src/index.ts", "src/greet.ts", "node_modules/old/main.js", "node_modules/old/package.json"} {
		if !slices.Contains(result.Inputs, filepath.Join(root, filepath.FromSlash(name))) {
			t.Errorf("%s is not among the inputs %v", name, result.Inputs)
		}
	}
}

func TestCommonJSOutput(t *testing.T) {
	root := tree(t, map[string]string{"src/index.ts": `import { sep } from "node:path"; console.log(typeof module, sep.length)`})
	p := bundle.Plan{Entries: []bundle.Entry{{Source: "src/index.ts", Output: "dist/index.cjs", Platform: bundle.Node}}}
	if got := strings.TrimSpace(run(t, good(t, p, bundle.Options{Root: root}))); got != "object 1" {
		t.Errorf("printed %q", got)
	}
}

func TestEmbeddedSDKWins(t *testing.T) {
	root := tree(t, map[string]string{
		"src/index.ts": `
			import { runJSONLRuntime, type RuntimePlugin } from "@wuu/plugin-sdk";
			const plugin: RuntimePlugin = { async initialize() { throw new Error("not called") } };
			console.log(typeof runJSONLRuntime, typeof plugin.initialize);`,
		"node_modules/@wuu/plugin-sdk/package.json": `{"main":"index.js"}`,
		"node_modules/@wuu/plugin-sdk/index.js":     `exports.runJSONLRuntime = "the installed one"`,
	})
	result := good(t, nodeEntry("src/index.ts"), bundle.Options{Root: root})
	if got := strings.TrimSpace(run(t, result)); got != "function function" {
		t.Errorf("printed %q", got)
	}
	put(t, root, "src/index.ts", `import "@wuu/plugin-sdk/inner"`)
	if f := bad(t, nodeEntry("src/index.ts"), root); f.Code != bundle.CodeError || !strings.Contains(f.Message, "@wuu/plugin-sdk/inner") || f.Start.Line != 1 {
		t.Errorf("finding %+v", f)
	}
}

func TestDesktopEntry(t *testing.T) {
	root := tree(t, map[string]string{"src/renderer.tsx": `
		import { RUNTIME_PROTOCOL_V1 } from "@wuu/plugin-sdk";
		declare const React: any;
		export function activate() { return <span>{RUNTIME_PROTOCOL_V1}</span>; }`})
	out := string(good(t, browserEntry("src/renderer.tsx"), bundle.Options{Root: root}).Outputs[0].Content)
	if strings.Contains(out, "node:") || !strings.Contains(out, "export {") || strings.Contains(out, "import ") {
		t.Errorf("not one self-contained browser module:\n%s", out)
	}
}

func TestSameBytesEachTime(t *testing.T) {
	files := map[string]string{
		"src/index.ts":    `import { runJSONLRuntime } from "@wuu/plugin-sdk"; import { b } from "./b"; console.log(runJSONLRuntime, b)`,
		"src/b.ts":        `import { shared } from "../../shared/s"; export const b = shared`,
		"src/renderer.ts": `export function activate() {}`,
	}
	plan := bundle.Plan{Entries: append(nodeEntry("src/index.ts").Entries, browserEntry("src/renderer.ts").Entries...)}
	var first *bundle.Result
	for range 2 {
		parent := tree(t, map[string]string{"shared/s.ts": "export const shared = 1"})
		root := filepath.Join(parent, "plugin")
		for name, text := range files {
			put(t, root, name, text)
		}
		b := newBuilder(t, plan, bundle.Options{Root: root, Sourcemap: true})
		for range 2 {
			result, findings := build(t, b)
			if len(findings) > 0 {
				t.Fatalf("findings %+v", findings)
			}
			if first == nil {
				first = result
			}
			for i, o := range result.Outputs {
				if o.Path != first.Outputs[i].Path || !bytes.Equal(o.Content, first.Outputs[i].Content) {
					t.Errorf("%s differs from %s of the first build", o.Path, first.Outputs[i].Path)
				}
				if bytes.Contains(o.Content, []byte(parent)) {
					t.Errorf("%s holds an absolute path", o.Path)
				}
			}
		}
	}
	var names []string
	for _, o := range first.Outputs {
		names = append(names, o.Path)
	}
	if want := []string{"dist/index.js", "dist/index.js.map", "dist/renderer.js", "dist/renderer.js.map"}; !slices.Equal(names, want) {
		t.Errorf("outputs %v, want %v", names, want)
	}
	if overlay := first.Overlay(); len(overlay) != 4 || !bytes.Equal(overlay["dist/index.js"], first.Outputs[0].Content) {
		t.Error("the overlay is not the outputs")
	}
}

func TestMinify(t *testing.T) {
	root := tree(t, map[string]string{"src/index.ts": "export const answer = 40 + 2; // why"})
	long := good(t, nodeEntry("src/index.ts"), bundle.Options{Root: root})
	short := good(t, nodeEntry("src/index.ts"), bundle.Options{Root: root, Minify: true})
	if len(short.Outputs[0].Content) >= len(long.Outputs[0].Content) {
		t.Error("minified output is not smaller")
	}
}

func TestNodeBuiltinInTheBrowser(t *testing.T) {
	for _, name := range []string{"fs", "node:fs", "node:fs/promises"} {
		root := tree(t, map[string]string{"src/renderer.ts": "\nimport \"" + name + "\"; export function activate() {}"})
		f := bad(t, browserEntry("src/renderer.ts"), root)
		if f.Code != bundle.CodeError || f.File != "src/renderer.ts" || f.Start.Line != 2 || !strings.Contains(f.Message, "built into Node") || f.Hint == "" {
			t.Errorf("%s: %+v", name, f)
		}
	}
}

func TestPositions(t *testing.T) {
	for _, c := range []struct {
		name, src       string
		line, u16, char int
	}{
		{"plain", "const a = 1;\nconst b = ;\n", 2, 11, 11},
		{"wide characters before", "const s = \"😀é\", b = ;\n", 1, 22, 21},
		{"byte order mark", "\ufeffconst b = ;", 1, 11, 11},
		{"carriage returns", "const a = 1;\r\nconst b = ;\r\n", 2, 11, 11},
	} {
		root := tree(t, map[string]string{"src/index.ts": c.src})
		f := bad(t, nodeEntry("src/index.ts"), root)
		if f.Code != bundle.CodeError || f.File != "src/index.ts" || f.Start.Line != c.line || f.Start.Col16 != c.u16 || f.Start.ColChar != c.char {
			t.Errorf("%s: %+v", c.name, f)
		}
		if c.src[f.Start.Offset] != ';' || f.End.Offset != f.Start.Offset+1 {
			t.Errorf("%s: offsets %d to %d", c.name, f.Start.Offset, f.End.Offset)
		}
	}
}

func TestWarning(t *testing.T) {
	root := tree(t, map[string]string{"src/index.ts": "export const b = typeof process === \"nmber\";\n"})
	result, findings := build(t, newBuilder(t, nodeEntry("src/index.ts"), bundle.Options{Root: root}))
	if len(findings) != 1 || findings[0].Severity != diag.Warning || findings[0].Code != bundle.CodeWarning || findings[0].Start.Line != 1 {
		t.Errorf("findings %+v", findings)
	}
	if len(result.Outputs) != 1 {
		t.Error("a warning must not stop the build")
	}
}

func TestBrokenThenMended(t *testing.T) {
	root := tree(t, map[string]string{"src/index.ts": `import { x } from "./lib/x"; import dep from "dep/sub"; console.log(x, dep)`})
	b := newBuilder(t, nodeEntry("src/index.ts"), bundle.Options{Root: root})
	result, findings := build(t, b)
	if len(findings) != 2 || len(result.Outputs) != 0 {
		t.Fatalf("findings %+v", findings)
	}
	for _, name := range []string{"src/lib/x.ts", "src/lib/x.js", "src/lib/x/index.ts", "node_modules/dep/package.json", "tsconfig.json"} {
		if !slices.Contains(result.Absent, filepath.Join(root, filepath.FromSlash(name))) {
			t.Errorf("%s is not among the absent %v", name, result.Absent)
		}
	}
	for _, name := range result.Absent {
		if !strings.HasPrefix(name, root) {
			t.Errorf("waits for %s, which is not the plugin's", name)
		}
	}
	put(t, root, "src/lib/x.ts", "export const x = 1")
	put(t, root, "node_modules/dep/package.json", "{}")
	put(t, root, "node_modules/dep/sub.js", "export default 2")
	result, findings = build(t, b)
	if len(findings) > 0 || strings.TrimSpace(run(t, result)) != "1 2" {
		t.Errorf("findings %+v", findings)
	}
	if slices.Contains(result.Absent, filepath.Join(root, "src", "lib", "x.js")) {
		t.Error("waits for a file that would not win")
	}

	// A file that would win over the one that is used counts as absent.
	put(t, root, "src/index.ts", `import { x } from "./y.js"; console.log(x)`)
	put(t, root, "src/y.ts", "export const x = 3")
	result, _ = build(t, b)
	if !slices.Contains(result.Absent, filepath.Join(root, "src", "y.js")) {
		t.Errorf("src/y.js is not among the absent %v", result.Absent)
	}
}

func TestSingleFile(t *testing.T) {
	root := tree(t, map[string]string{
		"tool.ts": `
			import type { RuntimePlugin } from "@wuu/plugin-sdk";
			import { note } from "./note";
			console.log(note); // must not reach the protocol
			const plugin: RuntimePlugin = { async initialize() { throw new Error("initialize ran") } };
			export default plugin;`,
		"note.ts": `export const note = "top-level code ran";`,
	})
	plan, o, err := bundle.NewFilePlan(filepath.Join(root, "tool.ts"))
	if err != nil {
		t.Fatal(err)
	}
	result := good(t, plan, o)
	for _, arg := range []string{bundle.LoadCheckArg, ""} {
		cmd := command(t, result, arg)
		var stdout, stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		if err := cmd.Run(); err != nil { // stdin is empty: the runtime ends at once
			t.Fatalf("%v\n%s", err, &stderr)
		}
		if stdout.Len() != 0 || !strings.Contains(stderr.String(), "top-level code ran") {
			t.Errorf("%q: stdout %q, stderr %q", arg, &stdout, &stderr)
		}
	}

	put(t, root, "tool.ts", "export const plugin = 1")
	if f := bad(t, plan, root); f.File != "tool.ts" || f.Code != bundle.CodeError || !strings.Contains(f.Message, "no default export") || f.Hint == "" {
		t.Errorf("finding %+v", f)
	}
	put(t, root, "tool.ts", "export default 1")
	out, err := command(t, good(t, plan, o), bundle.LoadCheckArg).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "tool.ts: the default export is no RuntimePlugin") {
		t.Errorf("error %v, output %s", err, out)
	}
}

func TestPlanWithoutEntries(t *testing.T) {
	result := good(t, bundle.Plan{Builder: bundle.None}, bundle.Options{Root: t.TempDir()})
	if len(result.Outputs) != 0 {
		t.Errorf("outputs %v", result.Outputs)
	}
}

// TestRestoredTime: a file that was replaced by another one of the same size
// and time is built anew.
func TestRestoredTime(t *testing.T) {
	root := tree(t, map[string]string{"src/index.ts": "export const word = \"one\";"})
	file := filepath.Join(root, "src", "index.ts")
	old := time.Now().Add(-time.Hour)
	b := newBuilder(t, nodeEntry("src/index.ts"), bundle.Options{Root: root})
	for _, word := range []string{"one", "two", "two", "six"} {
		put(t, root, "src/index.ts", "export const word = \""+word+"\";")
		if err := os.Chtimes(file, old, old); err != nil {
			t.Fatal(err)
		}
		if result, _ := build(t, b); !bytes.Contains(result.Outputs[0].Content, []byte(word)) {
			t.Errorf("the output lacks %q:\n%s", word, result.Outputs[0].Content)
		}
	}
}
