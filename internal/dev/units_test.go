package dev

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/wuu-plugins/wuu/devwatch"
	"github.com/wuu-plugins/wuu/internal/bundle"
	"github.com/wuu-plugins/wuu/internal/catalog"
	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/manifest"
	"github.com/wuu-plugins/wuu/internal/paths"
	"github.com/wuu-plugins/wuu/pack"
)

// files writes a tree, given by slash-separated path, and returns its real path.
func files(t *testing.T, tree map[string]string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range tree {
		put(t, root, name, text)
	}
	return root
}

func put(t *testing.T, root, name, text string) {
	t.Helper()
	file := filepath.Join(root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestExtraInputs(t *testing.T) {
	top := files(t, map[string]string{"shared/src/a.ts": "", "assets/prompt.md": "", "plugin/own/x": ""})
	if err := os.Symlink(filepath.Join(top, "shared"), filepath.Join(top, "link")); err != nil {
		t.Skip("no symbolic links: ", err)
	}
	root := filepath.Join(top, "plugin")
	for _, c := range []struct{ watch, want, problem string }{
		{`["../shared/src", "../assets/prompt.md"]`, "assets/prompt.md shared/src", ""},
		{`["../shared/src/", "../shared/src", "own"]`, "plugin/own shared/src", ""},
		{`[]`, "", ""},
		{`["."]`, "", "holds the plugin"},
		{`[".."]`, "", "holds the plugin"},
		{`["../../.."]`, "", "holds the plugin"},
		{`["../plugin"]`, "", "holds the plugin"},
		{`["/etc"]`, "", "not relative"},
		{`["..\\shared"]`, "", "slashes"},
		{`[""]`, "", "empty"},
		{`["../link/src"]`, "", "symbolic link"},
		{`["../link"]`, "", "symbolic link"},
		{`["../missing"]`, "", "does not exist"},
		{`["../shared/src", "../missing"]`, "shared/src", "does not exist"},
		{`"../shared"`, "", "list of paths"},
		{`[` + strings.Repeat(`"../shared/src",`, 64) + `"own"]`, "", "names 65"},
	} {
		put(t, root, "package.json", `{"wuu":{"dev":{"watch":`+c.watch+`}}}`)
		list, findings := extraInputs(root)
		var got []string
		for _, path := range list {
			rel, _ := filepath.Rel(top, path)
			got = append(got, filepath.ToSlash(rel))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: inputs %v, want %s", c.watch, got, c.want)
		}
		if c.problem == "" && len(findings) > 0 || c.problem != "" && (len(findings) != 1 || !strings.Contains(findings[0].Message, c.problem) || findings[0].Code != CodeWatch) {
			t.Errorf("%s: findings %+v, want %q", c.watch, findings, c.problem)
		}
	}
	put(t, root, "package.json", "not JSON")
	if list, findings := extraInputs(root); list != nil || findings != nil {
		t.Error("a broken package.json is for others to report")
	}
}

func TestIgnores(t *testing.T) {
	top := files(t, map[string]string{
		".git/HEAD":                 "",
		".gitignore":                "*.log\n/plugin/secret\n",
		"plugin/.gitignore":         "gen/\n!keep.log\n",
		"plugin/src/.gitignore":     "local.ts\n",
		"plugin/home/state/a":       "",
		"plugin/src/deep/x.ts":      "",
		"shared/node_modules/a.log": "",
	})
	root := filepath.Join(top, "plugin")
	g := newIgnores(root, filepath.Join(root, "home"))
	g.outputs(root, bundle.Plan{Builder: bundle.Command, Outputs: []string{"built.mjs"}})
	for name, want := range map[string]bool{
		"plugin/src/index.ts": false, "plugin/plugin.json": false, "plugin/.gitignore": false,
		"plugin/src/a.log": true, "plugin/keep.log": false, "plugin/secret": true,
		"plugin/src/local.ts": true, "plugin/local.ts": false,
		"plugin/built.mjs": true, "plugin/src/built.mjs": false,
		"plugin/home/state": true, "plugin/homely": false,
		"plugin/gen/": true, "plugin/src/gen/": true, "plugin/gen": false,
		"plugin/dist/": true, "plugin/src/dist/": true, "plugin/dist": false,
		"plugin/.git/": true, "plugin/node_modules/": true, "plugin/.wuu/": true,
		"shared/node_modules/": true, "shared/a.log": false,
	} {
		dir := strings.HasSuffix(name, "/")
		if got := g.ignore(filepath.Join(top, filepath.FromSlash(name)), dir); got != want {
			t.Errorf("%s: ignored %v, want %v", name, got, want)
		}
	}
	put(t, root, ".gitignore", "")
	g.reset()
	if g.ignore(filepath.Join(root, "gen"), true) {
		t.Error("the new .gitignore was not read")
	}
}

func TestRetryBusy(t *testing.T) {
	busy := fault.New(fault.Busy, "BUSY", "home", "another process holds it")
	t.Run("until it is free", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			start := time.Now()
			var tried []time.Duration
			said := 0
			err := retryBusy(t.Context(), func() error {
				tried = append(tried, time.Since(start))
				if len(tried) < 7 {
					return fmt.Errorf("begin: %w", busy)
				}
				return nil
			}, func(error) { said++ })
			ms := time.Millisecond
			want := []time.Duration{0, 250 * ms, 750 * ms, 1750 * ms, 3750 * ms, 5750 * ms, 7750 * ms}
			if err != nil || said != 1 || !slices.Equal(tried, want) {
				t.Errorf("error %v, said %d times, tried at %v", err, said, tried)
			}
		})
	})
	t.Run("another error ends it", func(t *testing.T) {
		other := errors.New("no space")
		if err := retryBusy(t.Context(), func() error { return other }, func(error) { t.Error("said busy") }); !errors.Is(err, other) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("a newer change ends it", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			err := retryBusy(ctx, func() error { return busy }, func(error) { cancel(errNewer) })
			if !errors.Is(err, errNewer) {
				t.Errorf("got %v", err)
			}
		})
	})
}

// restless is a project whose build finds a file that changes under it, a
// number of times.
type restless struct {
	project
	times, builds int
	built         func()
}

func (r *restless) base() string   { return "/p" }
func (r *restless) source() string { return "/p" }

func (r *restless) build(context.Context, context.Context) (*candidate, error) {
	r.builds++
	r.built()
	if r.builds <= r.times {
		return nil, fault.New(fault.Usage, "FILE_CHANGED", "a", "changed")
	}
	return &candidate{findings: []diag.Finding{{Code: "X", Severity: diag.Error}}}, nil
}

// TestChangeWhileReading: a file that changes while it is read is no failure
// but a reason to read again; the change that follows ends the attempt.
func TestChangeWhileReading(t *testing.T) {
	for _, c := range []struct {
		name          string
		times, builds int
		newer         int // build during which a newer change comes
		want          []string
	}{
		{"once", 1, 2, 0, []string{Building, Invalid}},
		{"never quiet", 100, changeTries, 0, []string{Building, Failed}},
		{"followed by a change", 100, 2, 2, []string{Building}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				soft, cancel := context.WithCancelCause(t.Context())
				var got []string
				home, err := paths.At(t.TempDir())
				if err != nil {
					t.Fatal(err)
				}
				r := &restless{times: c.times}
				r.built = func() {
					if r.builds == c.newer {
						cancel(errNewer)
					}
				}
				l := newLoop(Options{
					Now: time.Now, Catalog: catalog.Open(home, time.Now), Emit: func(e Event) { got = append(got, e.Type) },
				}, r)
				l.attempt(t.Context(), soft, trigger{})
				if r.builds != c.builds || !slices.Equal(got, c.want) {
					t.Errorf("%d builds, events %v; want %d and %v", r.builds, got, c.builds, c.want)
				}
			})
		})
	}
}

// builder is a project that does, or does not, run a command.
type builder struct {
	project
	runs bool
}

func (b builder) scripted() bool { return b.runs }

func TestOutrunSparesScriptsThatWriteTheirInputs(t *testing.T) {
	for _, scripted := range []bool{true, false} {
		outrunTwice(t, scripted)
	}
}

func outrunTwice(t *testing.T, scripted bool) {
	var notes, want []string
	if scripted {
		want = []string{NoteOwnOutput}
	}
	l := newLoop(Options{Note: func(code, _ string) { notes = append(notes, code) }}, builder{runs: scripted})
	batch := func(paths ...string) devwatch.Batch {
		var b devwatch.Batch
		for _, p := range paths {
			b.Changes = append(b.Changes, devwatch.Change{Path: p})
		}
		return b
	}
	ended := 0
	cancel := func(cause error) {
		if !errors.Is(cause, errNewer) {
			t.Errorf("cause %v", cause)
		}
		ended++
	}
	l.outrun(batch("/p/gen.ts"), cancel)
	l.outrun(batch("/p/gen.ts"), cancel)
	l.outrun(batch("/p/gen.ts"), cancel)
	if ended != 1 || !slices.Equal(notes, want) {
		t.Errorf("ended %d times, notes %v, want %v", ended, notes, want)
	}
	l.outrun(batch("/p/gen.ts", "/p/src.ts"), cancel)
	if ended != 2 {
		t.Error("a change of another file must end the script")
	}
}

func TestEffects(t *testing.T) {
	pkg := func(manifestSrc string, sums map[string]byte) *pack.Package {
		p := &pack.Package{ManifestPath: "plugin.json", Manifest: []byte(manifestSrc)}
		for name, sum := range sums {
			p.Files = append(p.Files, pack.File{Path: name, SHA256: [32]byte{sum}})
		}
		return p
	}
	const plain = `{"schema_version":1,"id":"p","name":"p","version":"1.0.0","desktop":{"entry":"dist/r.js"}}`
	themed := strings.Replace(plain, `"name"`, `"contributes":{"themes":[{"id":"a","name":"A","base":"dark"}]},"name"`, 1)
	base := map[string]byte{"plugin.json": 1, "dist/i.js": 1, "dist/r.js": 1}
	for _, c := range []struct {
		name          string
		before, after *pack.Package
		want          string
	}{
		{"first", nil, pkg(plain, base), "trust runtime desktop"},
		{"nothing", pkg(plain, base), pkg(plain, base), ""},
		{"runtime", pkg(plain, base), pkg(plain, map[string]byte{"plugin.json": 1, "dist/i.js": 2, "dist/r.js": 1}), "runtime"},
		{"desktop", pkg(plain, base), pkg(plain, map[string]byte{"plugin.json": 1, "dist/i.js": 1, "dist/r.js": 2}), "desktop"},
		{"a file less", pkg(plain, base), pkg(plain, map[string]byte{"plugin.json": 1, "dist/r.js": 1}), "runtime"},
		{"themes", pkg(plain, base), pkg(themed, map[string]byte{"plugin.json": 2, "dist/i.js": 1, "dist/r.js": 1}), "trust theme"},
	} {
		m, _ := manifest.Parse("plugin.json", c.after.Manifest)
		if m == nil {
			t.Fatal("the manifest of the test cannot be read")
		}
		if got := strings.Join(effects(c.before, c.after, m), " "); got != c.want {
			t.Errorf("%s: effects %q, want %q", c.name, got, c.want)
		}
	}
}

func TestThrown(t *testing.T) {
	const output = `file:///x/dist/index.js:12
  throw new TypeError("no");
        ^

TypeError: tool.ts: no
    at file:///x/dist/index.js:12:9

Node.js v20.20.2
`
	if got, want := thrown(output), "TypeError: tool.ts: no"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := thrown("Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'x'\n"), "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'x'"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := thrown("note: this is fine\nan Error: here\n"); got != "" {
		t.Errorf("got %q for a run without an error", got)
	}
}

func TestTail(t *testing.T) {
	var out tail
	for range 100 {
		if n, err := out.Write([]byte(strings.Repeat("x", 1000))); n != 1000 || err != nil {
			t.Fatalf("wrote %d, %v", n, err)
		}
	}
	_, _ = out.Write([]byte("end"))
	if out.Len() != tailLimit || !strings.HasSuffix(out.String(), "end") {
		t.Errorf("kept %d bytes", out.Len())
	}
}
