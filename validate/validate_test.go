package validate_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wuu-plugins/wuu/pack"
	"github.com/wuu-plugins/wuu/validate"
)

// tree is a package as file contents by path.
type tree map[string]string

func (files tree) with(more tree) tree {
	out := tree{}
	for _, t := range []tree{files, more} {
		for path, text := range t {
			out[path] = text
		}
	}
	return out
}

func open(t *testing.T, files tree) *pack.Package {
	t.Helper()
	dir := t.TempDir()
	for path, text := range files {
		full := filepath.Join(dir, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	p, found, err := pack.OpenDir(context.Background(), root, pack.Options{})
	if err != nil || p == nil {
		t.Fatal(found, err)
	}
	return p
}

func run(t *testing.T, files tree, o validate.Options) *validate.Report {
	t.Helper()
	if o.WuuVersion == "" {
		o.WuuVersion = "2026.1130.0"
	}
	if o.Platform == "" {
		o.Platform = "linux"
	}
	report, err := validate.Run(context.Background(), open(t, files), o)
	if err != nil {
		t.Fatal(err)
	}
	if !o.Strict {
		known(t, report.Findings)
	}
	return report
}

// lines shows findings as "severity file code «what it points at» message → hint".
func lines(files tree, list []validate.Finding) []string {
	var out []string
	for _, f := range list {
		line := string(f.Severity) + " " + f.File + " " + f.Code
		if f.Start.Line > 0 {
			line += " «" + files[f.File][f.Start.Offset:f.End.Offset] + "»"
		}
		line += " " + f.Message
		if f.Hint != "" {
			line += " → " + f.Hint
		}
		out = append(out, line)
	}
	return out
}

func agent() tree {
	return tree{
		"plugin.json":     `{"schema_version": 1, "id": "a", "version": "1.0.0", "runtime": {"protocol": "wuu-plugin-v1", "command": "node", "args": ["dist/r.mjs"]}}`,
		"dist/r.mjs":      "export {};\n",
		"package.json":    `{"name": "wuu-a", "version": "1.0.0", "devDependencies": {"typescript": "5.0.0"}}`,
		"skills/x/one.md": "# One\n",
	}
}

func TestGoodPackage(t *testing.T) {
	for _, npm := range []bool{false, true} {
		report := run(t, agent(), validate.Options{NPM: npm, Strict: true})
		if !report.OK() || len(report.Findings) > 0 {
			t.Errorf("npm %v: %v", npm, report.Findings)
		}
		if d := cmp.Diff([]string{"dist/r.mjs", "package.json", "plugin.json"}, report.Files); d != "" {
			t.Error(d)
		}
		if d := cmp.Diff([]string{"skills"}, report.Manifest.Skills); d != "" {
			t.Errorf("the default skills folder: %s", d)
		}
	}
}

func TestRules(t *testing.T) {
	manifest := func(body string) tree { return tree{"plugin.json": `{"id": "a", "version": "1.0.0", ` + body + `}`} }
	const build = " → build it: wuu plugin build"
	command := func(prompt string) tree {
		return manifest(`"contributes": {"commands": [{"id": "c", "title": "C", "kind": "prompt_template", "prompt": "` + prompt + `"}]}`)
	}
	script := manifest(`"runtime": {"protocol": "wuu-plugin-v1", "command": "node", "args": ["dist/r.js"]}`)
	for _, c := range []struct {
		name  string
		files tree
		o     validate.Options
		want  []string
	}{
		{"script missing", script, validate.Options{}, []string{
			"error plugin.json RUNTIME_ENTRY_MISSING «\"dist/r.js\"» the runtime script dist/r.js is not in the package" + build,
		}},
		{"script in another case", script.with(tree{"Dist/R.js": ""}), validate.Options{}, []string{
			"error plugin.json RUNTIME_ENTRY_MISSING «\"dist/r.js\"» the runtime script dist/r.js is not in the package → the package holds Dist/R.js; case and spelling must be the same",
		}},
		{"script left out", script.with(tree{"dist/r.js": "", ".wuuignore": "dist\n"}), validate.Options{}, []string{
			"error plugin.json RUNTIME_ENTRY_MISSING «\"dist/r.js\"» the runtime script dist/r.js is not in the package → dist is left out of the package: …",
		}},
		{"command missing", manifest(`"runtime": {"protocol": "wuu-plugin-v1", "command": "./bin/run"}`), validate.Options{}, []string{
			"error plugin.json RUNTIME_ENTRY_MISSING «\"./bin/run\"» the runtime command bin/run is not in the package" + build,
		}},
		{"desktop missing", manifest(`"desktop": {"entry": "dist/x.js"}`), validate.Options{}, []string{
			"error plugin.json DESKTOP_ENTRY_MISSING «\"dist/x.js\"» the desktop entry dist/x.js is not in the package" + build,
		}},
		{"desktop is a folder", manifest(`"desktop": {"entry": "x.js"}`).with(tree{"x.js/y": ""}), validate.Options{}, []string{
			"error plugin.json DESKTOP_ENTRY_MISSING «\"x.js\"» the desktop entry x.js is not in the package → it is a folder",
		}},
		{"desktop too large", manifest(`"desktop": {"entry": "x.js"}`).with(tree{"x.js": strings.Repeat(" ", 10<<20+1)}), validate.Options{}, []string{
			"error plugin.json DESKTOP_ENTRY_LARGE «\"x.js\"» the desktop entry has 10485761 bytes; at most 10485760 (10 MiB) are allowed → minify it, or load less into it",
		}},
		{"skill missing", manifest(`"skills": ["s", "t"]`).with(tree{"T/x.md": "", "s/y.md": ""}), validate.Options{}, []string{
			"error plugin.json SKILL_MISSING «\"t\"» the skill t is not in the package → the package holds T/x.md; case and spelling must be the same",
		}},
		{"prompt missing", command("p.md"), validate.Options{}, []string{
			"error plugin.json PROMPT_MISSING «\"p.md\"» the prompt p.md is not in the package",
		}},
		{"prompt not text", command("p.md").with(tree{"p.md": "line\nab\xffc"}), validate.Options{}, []string{
			"error p.md PROMPT_ENCODING «\xff» byte 0xff at offset 7 is not UTF-8 → save the prompt as UTF-8",
		}},
		{"prompt too large", command("p.md").with(tree{"p.md": strings.Repeat("x", 1<<20+1)}), validate.Options{}, []string{
			"error plugin.json PROMPT_LARGE «\"p.md\"» the prompt has 1048577 bytes; at most 1048576 (1 MiB) are allowed",
		}},
		{"icon missing", manifest(`"icon": {"path": "i.svg"}, "skills": "s"`).with(tree{"s/y.md": ""}), validate.Options{}, []string{
			"error plugin.json ICON_MISSING «\"i.svg\"» the icon i.svg is not in the package",
		}},
		{"hooks file missing", manifest(`"hooks": "hooks.json"`), validate.Options{}, []string{
			"error plugin.json MANIFEST_FILE_MISSING «\"hooks.json\"» the hooks file hooks.json is not in the package",
		}},
		{"bad hooks file", manifest(`"hooks": "hooks.json"`).with(tree{"hooks.json": "{\"hooks\": {\"Stop\": [{}]},}"}), validate.Options{}, []string{
			"error hooks.json JSON_SYNTAX «,» a comma stands before the closing bracket → remove the comma",
		}},
		{"large hooks file", manifest(`"hooks": "hooks.json"`).with(tree{"hooks.json": strings.Repeat(" ", 1<<20+1)}), validate.Options{}, []string{
			"error hooks.json JSON_SIZE the file has 1048577 bytes; at most 1048576 are allowed",
		}},
		{"no version", tree{"plugin.json": `{"id": "a", "skills": "s"}`, "s/y.md": ""}, validate.Options{}, []string{
			`warning plugin.json VERSION_MISSING «{» the plugin has no version → add "version": "0.1.0"; packing, publishing and dependants need it`,
		}},
		{"short version", tree{"plugin.json": `{"id": "a", "version": "1.0", "skills": "s"}`, "s/y.md": ""}, validate.Options{}, []string{
			"error plugin.json VERSION_INVALID «\"1.0\"» … → versions look like 1.2.3 or 1.2.3-beta.1",
		}},
		{"newer wuu needed", manifest(`"skills": "s", "minimum_wuu_version": "2026.1131.0"`).with(tree{"s/y.md": ""}), validate.Options{}, []string{
			"error plugin.json MINIMUM_VERSION «\"2026.1131.0\"» the plugin needs wuu 2026.1131.0 or newer; this is 2026.1130.0 → update wuu",
		}},
		{"newer wuu needed, camel", manifest(`"skills": "s", "minimumWuuVersion": "v2027.101.0"`).with(tree{"s/y.md": ""}), validate.Options{}, []string{
			"error plugin.json MINIMUM_VERSION «\"v2027.101.0\"» the plugin needs wuu v2027.101.0 or newer; this is 2026.1130.0 → update wuu",
		}},
		{"development build counts as its base", manifest(`"skills": "s", "minimum_wuu_version": "2026.1130.0"`).with(tree{"s/y.md": ""}), validate.Options{WuuVersion: "2026.1130.0-dev.3"}, nil},
		{"minimum is no version", manifest(`"skills": "s", "minimum_wuu_version": "2026.0108.0"`).with(tree{"s/y.md": ""}), validate.Options{}, []string{
			`error plugin.json MINIMUM_VERSION_INVALID «"2026.0108.0"» "2026.0108.0" is no wuu version → wuu versions look like 2026.1108.0`,
		}},
		{"our version is unknown", manifest(`"skills": "s", "minimum_wuu_version": "2026.1"`).with(tree{"s/y.md": ""}), validate.Options{WuuVersion: "main"}, []string{
			"error plugin.json MINIMUM_VERSION «\"2026.1\"» the plugin needs wuu 2026.1 or newer; this is main → update wuu",
		}},
		{"platform", manifest(`"skills": "s", "platforms": ["Darwin", "windows"]`).with(tree{"s/y.md": ""}), validate.Options{}, []string{
			"error plugin.json PLATFORM_MISMATCH «[\"Darwin\", \"windows\"]» the plugin does not run on linux, only on darwin, windows",
		}},
		{"platform fits", manifest(`"skills": "s", "platforms": ["Linux"]`).with(tree{"s/y.md": ""}), validate.Options{}, nil},
		{"empty", manifest(`"description": "x"`), validate.Options{}, []string{
			"warning plugin.json MANIFEST_EMPTY «{» the package declares nothing, so it does nothing → add a runtime, a desktop module, skills, hooks, MCP servers or contributions",
		}},
		{"empty lists", manifest(`"contributes": {"commands": [], "themes": [ ]}`), validate.Options{Strict: true}, []string{
			"error plugin.json MANIFEST_EMPTY «{» the package declares nothing, so it does nothing → add a runtime, a desktop module, skills, hooks, MCP servers or contributions",
		}},
		{"npm without package.json", manifest(`"skills": "s"`).with(tree{"s/y.md": ""}), validate.Options{NPM: true}, []string{
			`error package.json NPM_PACKAGE_JSON an npm package needs a package.json → add one with "name" and "version"`,
		}},
		{"npm rules", agent().with(tree{"package.json": `{"name": ".a", "version": "1.0.1", "dependencies": {"x": "1"}, "peerDependencies": {}, "bundleDependencies": true}`}), validate.Options{NPM: true}, []string{
			"error package.json NPM_NAME «\".a\"» …",
			`error package.json NPM_VERSION «"1.0.1"» the version is "1.0.1" here and "1.0.0" in plugin.json → both must be the same`,
			"error package.json NPM_DEPENDENCIES «\"dependencies\"» dependencies are not installed with a plugin → bundle them into the entry and move them to devDependencies",
			"error package.json NPM_DEPENDENCIES «\"bundleDependencies\"» bundleDependencies are not installed with a plugin → bundle them into the entry and move them to devDependencies",
		}},
		{"the same outside of npm", agent().with(tree{"package.json": `{"name": ".a", "version": "1.0.1", "dependencies": {"x": "1"}}`}), validate.Options{}, []string{
			`warning package.json NPM_VERSION «"1.0.1"» the version is "1.0.1" here and "1.0.0" in plugin.json → both must be the same`,
			"warning package.json NPM_DEPENDENCIES «\"dependencies\"» dependencies are not installed with a plugin → bundle them into the entry and move them to devDependencies",
		}},
		{"npm without name and version", agent().with(tree{"package.json": `{}`}), validate.Options{NPM: true}, []string{
			`error package.json NPM_NAME «{» package.json has no "name" → for example "name": "wuu-a"`,
			`error package.json NPM_VERSION «{» package.json has no "version"`,
		}},
		{"manifest findings", manifest(`"skills": "s", "descripton": 1`).with(tree{"s/y.md": ""}), validate.Options{}, []string{
			`warning plugin.json MANIFEST_UNKNOWN_FIELD «"descripton"» unknown field "descripton" → did you mean "description"?`,
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			report := run(t, c.files, c.o)
			got := lines(c.files, report.Findings)
			for i := range min(len(got), len(c.want)) {
				start, end, open := strings.Cut(c.want[i], "…") // another package's wording
				if open && strings.HasPrefix(got[i], start) && strings.HasSuffix(got[i], end) {
					got[i] = c.want[i]
				}
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Error(d)
			}
			if report.OK() != !slices.ContainsFunc(c.want, func(s string) bool { return strings.HasPrefix(s, "error") }) {
				t.Errorf("OK is %v", report.OK())
			}
		})
	}
}

// Parts in files of their own count for consent.
func TestPartsInFiles(t *testing.T) {
	report := run(t, tree{
		"plugin.json": `{"id": "a", "version": "1.0.0", "hooks": ["h/a.json"], "mcpServers": "m.json", "contributes": {"commands": "c.json"}}`,
		"h/a.json":    `{"hooks": {"Stop": [{"command": "x"}]}}`,
		"m.json":      `{"mcp_servers": {"s": {"command": "srv"}}}`,
		"c.json":      `{"id": "c", "title": "C", "kind": "prompt_template", "prompt": "p.md"}`,
		"p.md":        "Hi",
	}, validate.Options{})
	if len(report.Findings) > 0 {
		t.Fatal(report.Findings)
	}
	if d := cmp.Diff([]string{"c.json", "h/a.json", "m.json", "p.md", "plugin.json"}, report.Files); d != "" {
		t.Error(d)
	}
	c := report.Manifest.Capabilities(nil)
	if d := cmp.Diff([]string{"Stop: x", "s: srv", "a.c"}, slices.Concat(c.Hooks, c.MCPServers, c.Commands)); d != "" {
		t.Error(d)
	}
}

// An archive that is not extracted has its names checked and says what was not.
func TestArchive(t *testing.T) {
	files := agent().with(tree{"plugin.json": `{"id": "a", "version": "1.0.0", "hooks": "h.json", "skills": "gone"}`, "h.json": "{}"})
	p := open(t, files)
	var zip bytes.Buffer
	if err := p.WriteZip(context.Background(), &zip); err != nil {
		t.Fatal(err)
	}
	p, found, err := pack.OpenArchive(context.Background(), bytes.NewReader(zip.Bytes()), int64(zip.Len()), pack.Options{})
	if err != nil || p == nil {
		t.Fatal(found, err)
	}
	report, err := validate.Run(context.Background(), p, validate.Options{WuuVersion: "2026.1130.0"})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"info h.json CONTENT_NOT_CHECKED the content was not checked, since the archive is not extracted",
		"error plugin.json SKILL_MISSING «\"gone\"» the skill gone is not in the package",
	}
	if d := cmp.Diff(want, lines(files, report.Findings)); d != "" {
		t.Error(d)
	}
}

func TestUnusableManifest(t *testing.T) {
	p := open(t, agent())
	p.Manifest = []byte("../other/plugin.json\n")
	report, err := validate.Run(context.Background(), p, validate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if report.Manifest != nil || report.OK() || len(report.Findings) != 1 || report.Findings[0].Code != "MANIFEST_IS_LINK_STUB" {
		t.Errorf("%v %v", report.Manifest, report.Findings)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	reason := errors.New("enough")
	cancel(reason)
	if _, err := validate.Run(ctx, open(t, agent()), validate.Options{}); !errors.Is(err, reason) {
		t.Errorf("got %v", err)
	}
}

// A file that changes under the run is an error of the run, not a finding.
func TestFileChanged(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("plugin.json", `{"id": "a", "version": "1.0.0", "hooks": "h.json"}`)
	write("h.json", `{"hooks": {}}`)
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	p, found, err := pack.OpenDir(context.Background(), root, pack.Options{})
	if err != nil || p == nil {
		t.Fatal(found, err)
	}
	write("h.json", `{"hooks": {"Stop": []}}`)
	if _, err := validate.Run(context.Background(), p, validate.Options{}); err == nil {
		t.Error("the change went unnoticed")
	}
}
