package dev

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/wuu-plugins/wuu/devwatch"
	"github.com/wuu-plugins/wuu/internal/bundle"
	"github.com/wuu-plugins/wuu/internal/catalog"
	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/paths"
)

func TestEditAndSee(t *testing.T) {
	for name, poll := range map[string]time.Duration{"events": 0, "poll": 30 * time.Millisecond} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, hello(), "")
			r.options.Poll, r.options.Call = poll, "greet"
			r.start()
			first, adopted := r.publishes()
			if got := text(*adopted.Call.Result); got != "first" {
				t.Errorf("the tool answers %q", got)
			}
			if first.PluginID != "hello" || first.Epoch == 0 || !slices.Equal(first.Effects, []string{"trust", "runtime"}) {
				t.Errorf("published %+v", first)
			}

			r.put("src/word.ts", word("second"))
			second, adopted := r.publishes("src/word.ts")
			if got := text(*adopted.Call.Result); got != "second" {
				t.Errorf("the tool answers %q", got)
			}
			if second.Fingerprint == first.Fingerprint || second.Epoch <= first.Epoch || !slices.Equal(second.Effects, []string{"runtime"}) {
				t.Errorf("published %+v after %+v", second, first)
			}

			// Broken in every way: the last good version keeps serving.
			r.put("src/word.ts", "export const word = ;")
			e := r.refuses(Invalid, second.Fingerprint)
			if len(e.Findings) != 1 || e.Findings[0].Code != bundle.CodeError || e.Findings[0].File != "src/word.ts" || e.Findings[0].Start.Line != 1 || e.Root != r.root {
				t.Errorf("invalid %+v", e)
			}
			if got := r.answer("hello", "greet"); got != "second" {
				t.Errorf("the tool answers %q after a broken save", got)
			}

			// Back to what was published: nothing to publish.
			r.put("src/word.ts", word("second"))
			r.next(Building)
			r.next(Built)
			if e := r.next(Idle); e.Kept != second.Fingerprint {
				t.Errorf("idle %+v", e)
			}
			r.rebuild <- struct{}{}
			r.next(Building)
			r.next(Built)
			r.next(Idle)

			r.put("src/word.ts", word("third"))
			r.publishes("src/word.ts")
			if got := r.answer("hello", "greet"); got != "third" {
				t.Errorf("the tool answers %q", got)
			}
		})
	}
}

func TestB15BrokenFirstBuildRecovers(t *testing.T) {
	tree := hello()
	delete(tree, "src/word.ts")
	r := newRig(t, tree, "").start()
	r.refuses(Invalid, "")
	r.put("src/word.ts", word("found"))
	r.publishes("src/word.ts")

	// A manifest that is none, and then one again.
	manifest := tree["plugin.json"]
	kept := r.kept()
	r.put("plugin.json", "{")
	r.refuses(Invalid, kept)
	r.put("plugin.json", strings.Replace(manifest, "0.1.0", "0.1.1", 1))
	r.publishes("plugin.json")
	if err := os.Remove(filepath.Join(r.root, "plugin.json")); err != nil {
		t.Fatal(err)
	}
	r.refuses(Invalid, r.kept())
	r.put("plugin.json", manifest)
	r.publishes("plugin.json")
}

func (r *rig) kept() string {
	r.t.Helper()
	state, err := r.catalog.Snapshot()
	if err != nil || len(state.Dev) != 1 {
		r.t.Fatalf("state %+v, error %v", state, err)
	}
	return state.Dev[0].PackageFingerprint
}

func TestRefusedByTheHost(t *testing.T) {
	r := newRig(t, hello(), "").start()
	first, _ := r.publishes()
	r.put("src/word.ts", `export const word: string = "x"; throw new Error("at load");`)
	r.next(Building)
	r.next(Built)
	e := r.next(Failed)
	if e.Kept != first.Fingerprint || e.Error == nil || e.Error.Kind != fault.Plugin {
		t.Errorf("failed %+v", e)
	}
	r.next(Idle)
	if got := r.answer("hello", "greet"); got != "first" {
		t.Errorf("the tool answers %q", got)
	}
	r.put("src/word.ts", word("mended"))
	r.publishes("src/word.ts")
}

func TestSingleFile(t *testing.T) {
	plugin := func(w string) string {
		return `import type { RuntimePlugin } from "@wuu/plugin-sdk"; import { word } from "./lib/word"; console.log("` + w + ` loads");` +
			greeterPlugin + "\nexport default plugin;"
	}
	r := newRig(t, map[string]string{"tool.ts": plugin("tool"), "lib/word.ts": word("one"), "other.ts": ""}, "tool.ts").start()
	id := bundle.FileID(filepath.Join(r.root, "tool.ts"))
	published, _ := r.publishes()
	if published.PluginID != id || r.answer(id, "greet") != "one" {
		t.Errorf("published %+v", published)
	}
	if !strings.Contains(r.log.String(), "tool loads") {
		t.Error("the load check ran no top-level code")
	}
	r.put("other.ts", "no input of the plugin")
	r.put("lib/word.ts", word("two"))
	published, _ = r.publishes("lib/word.ts")
	if got := r.answer(id, "greet"); got != "two" {
		t.Errorf("the tool answers %q", got)
	}
	for _, c := range []struct{ src, message string }{
		{plugin("x") + `throw new TypeError("no way")`, "TypeError: no way"},
		{"export default 1", "tool.ts: the default export is no RuntimePlugin"},
	} {
		r.put("tool.ts", c.src)
		r.next(Building)
		r.next(Built)
		e := r.next(Invalid)
		if len(e.Findings) != 1 || e.Findings[0].Code != CodeLoad || e.Findings[0].File != "tool.ts" || !strings.Contains(e.Findings[0].Message, c.message) || e.Kept != published.Fingerprint {
			t.Errorf("invalid %+v, want %q", e, c.message)
		}
		r.next(Idle)
	}
	r.put("tool.ts", "export const nothing = 1")
	if e := r.refuses(Invalid, published.Fingerprint); len(e.Findings) != 1 || e.Findings[0].Code != bundle.CodeError {
		t.Errorf("invalid %+v", e)
	}
	r.put("tool.ts", plugin("again"))
	r.publishes("tool.ts")
}

func TestInputsOutsideThePlugin(t *testing.T) {
	top := files(t, map[string]string{"shared/src/word.ts": word("shared"), "assets/prompt.md": "one"})
	tree := hello()
	delete(tree, "src/word.ts")
	tree["package.json"] = `{"type":"module","wuu":{"dev":{"watch":["../assets"]}}}`
	tree["src/index.ts"] = strings.Replace(tree["src/index.ts"], "./word", "../../shared/src/word", 1)
	r := newRig(t, nil, "")
	r.root = filepath.Join(top, "plugin")
	r.options.Path = r.root
	for name, src := range tree {
		r.put(name, src)
	}
	r.start()
	r.publishes()
	r.put("../shared/src/word.ts", word("changed"))
	r.publishes("../shared/src/word.ts")
	if got := r.answer("hello", "greet"); got != "changed" {
		t.Errorf("the tool answers %q", got)
	}

	// Watched by name only: a build, but nothing new to publish.
	r.put("../assets/prompt.md", "two")
	r.next(Building)
	r.next(Built)
	r.next(Idle)

	r.put("package.json", `{"type":"module","wuu":{"dev":{"watch":["../.."]}}}`)
	if e := r.refuses(Invalid, r.kept()); e.Findings[0].Code != CodeWatch {
		t.Errorf("invalid %+v", e)
	}
	r.put("package.json", `{"type":"module","wuu":{"dev":{"watch":["../shared/src"]}}}`)
	r.publishes("package.json")
	r.put("../shared/src/extra.md", "no import, but watched by name")
	if b := r.next(Building); !slices.Equal(b.Changes, []string{"../shared/src/extra.md"}) {
		t.Errorf("changes %v", b.Changes)
	}
	r.next(Built)
	r.next(Idle)
}

func TestOutputWrittenByHand(t *testing.T) {
	tree := map[string]string{"plugin.json": hello()["plugin.json"], "package.json": hello()["package.json"]}
	tree["dist/index.js"] = byHand("one")
	r := newRig(t, tree, "").start()
	r.publishes()
	r.put("dist/index.js", byHand("two"))
	r.publishes("dist/index.js")
	if got := r.answer("hello", "greet"); got != "two" {
		t.Errorf("the tool answers %q", got)
	}
}

// byHand is a runtime that uses no SDK.
func byHand(word string) string {
	return `
import { createInterface } from "node:readline";
const tools = [{ id: "greet", description: "Greets.", input_schema: { type: "object" } }];
for await (const line of createInterface({ input: process.stdin })) {
	const frame = JSON.parse(line);
	let result = null;
	if (frame.method === "initialize") result = { protocol_version: 1, lifecycle_version: 2, tools };
	if (frame.method === "tool.execute") result = { result: { content: [{ type: "text", text: "` + word + `" }] } };
	process.stdout.write(JSON.stringify({ id: frame.id, result }) + "\n");
}`
}

func TestBuildScript(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the script is written for sh")
	}
	tree := map[string]string{"plugin.json": hello()["plugin.json"]}
	tree["package.json"] = `{"type":"module","wuu":{"build":"if grep -q HANG src/runtime.js; then echo hangs >&2; sleep 600; fi; mkdir -p dist && cp src/runtime.js dist/index.js"}}`
	tree["src/runtime.js"] = byHand("one")
	r := newRig(t, tree, "").start()
	r.publishes()

	// A newer change ends the script that hangs.
	r.put("src/runtime.js", "HANG")
	r.next(Building)
	for deadline := time.Now().Add(patience); !strings.Contains(r.log.String(), "hangs"); {
		if time.Now().After(deadline) {
			t.Fatal("the script did not hang")
		}
		runtime.Gosched()
	}
	r.put("src/runtime.js", byHand("two"))
	r.publishes("src/runtime.js")
	if got := r.answer("hello", "greet"); got != "two" {
		t.Errorf("the tool answers %q", got)
	}

	r.put("package.json", `{"type":"module","wuu":{"build":"echo it broke >&2; exit 3"}}`)
	e := r.refuses(Failed, r.kept())
	if e.Error.Code != bundle.CodeCommand || !strings.Contains(r.log.String(), "it broke") {
		t.Errorf("failed %+v", e.Error)
	}
	r.put("package.json", `{"type":"module","wuu":{"build":"rm -rf dist"}}`)
	if e := r.refuses(Invalid, r.kept()); e.Findings[0].Code != bundle.CodeMissing {
		t.Errorf("invalid %+v", e)
	}
}

func TestBusyLease(t *testing.T) {
	r := newRig(t, hello(), "")
	tx, err := r.catalog.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Close()
	r.start()
	r.next(Building)
	r.next(Built)
	if e := r.next(Failed); e.Error.Kind != fault.Busy {
		t.Errorf("failed %+v", e.Error)
	}
	if err := tx.Close(); err != nil {
		t.Fatal(err)
	}
	r.next(Published)
	r.next(Adopted)
	r.next(Idle)
}

func TestOnce(t *testing.T) {
	r := newRig(t, hello(), "")
	r.options.Watch, r.options.Call = false, "greet"
	if err := Run(t.Context(), r.options); err != nil {
		t.Fatal(err)
	}
	r.next(Building)
	r.next(Built)
	r.next(Published)
	if e := r.next(Adopted); e.Call == nil || e.Call.Result == nil {
		t.Errorf("adopted %+v", e)
	}

	// The same again: published already, but the tool is called.
	if err := Run(t.Context(), r.options); err != nil {
		t.Fatal(err)
	}
	r.next(Building)
	r.next(Built)
	if e := r.next(Adopted); e.Call == nil || e.Call.Result == nil || e.Kept == "" || len(e.Observations) != 1 {
		t.Errorf("adopted %+v", e)
	}
	if e := r.next(Idle); e.Kept == "" {
		t.Errorf("idle %+v", e)
	}

	for _, c := range []struct {
		name, text string
		kind       fault.Kind
		code       string
	}{
		{"src/word.ts", "export const word = ;", fault.Check, CodeInvalid},
		{"src/word.ts", `export const word: string = "x"; throw new Error("at load")`, fault.Plugin, ""},
	} {
		r.put(c.name, c.text)
		err := Run(t.Context(), r.options)
		var f *fault.Error
		if !errors.As(err, &f) || f.Kind != c.kind || c.code != "" && f.Code != c.code {
			t.Errorf("%s: error %v", c.text, err)
		}
	}
	tx, err := r.catalog.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Close()
	r.put("src/word.ts", word("busy"))
	if err := Run(t.Context(), r.options); fault.As(err).Kind != fault.Busy {
		t.Errorf("error %v, want busy", err)
	}
}

func TestAnotherID(t *testing.T) {
	r := newRig(t, hello(), "").start()
	first, _ := r.publishes()
	r.put("plugin.json", strings.Replace(hello()["plugin.json"], `"id": "hello"`, `"id": "goodbye"`, 1))
	r.next(Building)
	if e := r.next(Failed); e.Error.Code != CodeRenamed || e.Kept != first.Fingerprint {
		t.Errorf("failed %+v, kept %q", e.Error, e.Kept)
	}
	if e := r.next(Idle); e.Kept != first.Fingerprint {
		t.Errorf("idle, kept %q", e.Kept)
	}
	if got := r.kept(); got != first.Fingerprint {
		t.Errorf("published %s", got)
	}
}

func TestRunRefuses(t *testing.T) {
	r := newRig(t, map[string]string{"a.py": ""}, "a.py")
	if err := Run(t.Context(), r.options); fault.As(err).Kind != fault.Usage {
		t.Errorf("a.py: %v", err)
	}
	r.options.Path = filepath.Join(r.root, "missing")
	if err := Run(t.Context(), r.options); fault.As(err).Kind != fault.Usage {
		t.Errorf("missing: %v", err)
	}
}

func TestRootGoneAndBack(t *testing.T) {
	r := newRig(t, hello(), "")
	r.options.Poll = 20 * time.Millisecond
	r.start()
	r.publishes()
	if err := os.Rename(r.root, r.root+"-away"); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(patience); !r.noted(devwatch.NoteRootGone); {
		if time.Now().After(deadline) {
			t.Fatal("the missing root was not noted")
		}
		runtime.Gosched()
	}
	if err := os.Rename(r.root+"-away", r.root); err != nil {
		t.Fatal(err)
	}
	r.put("src/word.ts", word("back"))
	r.publishes("src/word.ts")
}

func (r *rig) noted(code string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Contains(r.notes, code)
}

func TestB13HomeInsideThePlugin(t *testing.T) {
	r := newRig(t, hello(), "")
	home, err := paths.At(filepath.Join(r.root, ".home"))
	if err != nil {
		t.Fatal(err)
	}
	r.options.Home, r.options.Catalog, r.options.Hosts = home, catalog.Open(home, time.Now), nil
	r.put(".home/state/note", "")
	r.start()
	r.next(Building)
	if e := r.next(Failed); e.Error.Code != CodeHome {
		t.Errorf("failed %+v", e.Error)
	}
	r.next(Idle)
	r.put(".wuuignore", ".home/\n")
	for _, changes := range [][]string{{".wuuignore"}, {"src/word.ts"}} {
		if e := r.next(Building); !slices.Equal(e.Changes, changes) {
			t.Errorf("changes %v, want %v", e.Changes, changes)
		}
		r.next(Built)
		r.next(Published)
		r.next(Adopted)
		r.next(Idle)
		r.put("src/word.ts", word("second")) // of no interest the second time
	}
}

func TestB16FiftyEdits(t *testing.T) {
	r := newRig(t, hello(), "")
	r.options.Hosts = nil
	r.start()
	const slack = 5 // what comes and goes; a leak would be one for each edit
	descriptors, goroutines := 0, 0
	for i := range 50 {
		if i > 0 {
			r.put("src/word.ts", word(fmt.Sprint(i)))
		}
		r.next(Building)
		r.next(Built)
		r.next(Published)
		r.next(Adopted)
		r.next(Idle)
		if i == 2 {
			descriptors, goroutines = openFiles(), runtime.NumGoroutine()
		}
	}
	if n := openFiles(); n > descriptors+slack {
		t.Errorf("%d open files after 50 edits, %d before", n, descriptors)
	}
	if n := runtime.NumGoroutine(); n > goroutines+slack {
		t.Errorf("%d goroutines after 50 edits, %d before", n, goroutines)
	}
}

// openFiles counts file descriptors where the system shows them.
func openFiles() int {
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return 0
	}
	return len(list)
}

func TestTypesForEditors(t *testing.T) {
	r := newRig(t, hello(), "")
	r.options.Types, r.options.Watch = true, false
	if err := Run(t.Context(), r.options); err != nil {
		t.Fatal(err)
	}
	if list, err := os.ReadDir(filepath.Join(r.root, ".wuu", "types")); err != nil || len(list) == 0 {
		t.Errorf("files %v, error %v", list, err)
	}
}
