package bundle_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wuu-plugins/wuu/internal/bundle"
	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/internal/manifest"
)

// tree writes files, given by slash-separated path, into a new folder.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
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

// full is a plugin with a runtime and a desktop entry.
func full() *manifest.Manifest {
	return &manifest.Manifest{
		Runtime: &manifest.Runtime{Command: "node", Args: []string{"dist/index.js"}},
		Desktop: &manifest.Desktop{Entry: "dist/renderer.js"},
	}
}

func codes(list []diag.Finding) string {
	var out []string
	for _, f := range list {
		out = append(out, f.Code+" "+f.File)
	}
	return strings.Join(out, ", ")
}

func TestNewPlanChoosesTheBuilder(t *testing.T) {
	for _, c := range []struct {
		name     string
		pkg      string
		manager  string
		extra    string // a lock file
		builder  string
		command  []string
		shell    bool
		findings string
	}{
		{name: "nothing said", pkg: `{"type":"module"}`, builder: "embedded"},
		{name: "no package.json", builder: "embedded", findings: "BUILD_MODULE_TYPE package.json"},
		{name: "no module type", pkg: `{}`, builder: "embedded", findings: "BUILD_MODULE_TYPE package.json"},
		{name: "a script", pkg: `{"scripts":{"build":"tsc"}}`, builder: "command", command: []string{"npm", "run", "build"}},
		{name: "an empty script", pkg: `{"type":"module","scripts":{"build":" "}}`, builder: "embedded"},
		{name: "a script overruled", pkg: `{"type":"module","scripts":{"build":"tsc"},"wuu":{"build":"embedded"}}`, builder: "embedded"},
		{name: "a command", pkg: `{"scripts":{"build":"tsc"},"wuu":{"build":"make all"}}`, builder: "command", command: []string{"make all"}, shell: true},
		{name: "a list of words", pkg: `{"wuu":{"build":["make","all"]}}`, builder: "command", command: []string{"make", "all"}},
		{name: "the packageManager field", pkg: `{"packageManager":"pnpm@9.1.0+sha512.aa","scripts":{"build":"x"}}`, extra: "yarn.lock", builder: "command", command: []string{"pnpm", "run", "build"}},
		{name: "a lock file", pkg: `{"scripts":{"build":"x"}}`, extra: "yarn.lock", builder: "command", command: []string{"yarn", "run", "build"}},
		{name: "bun's lock file", pkg: `{"scripts":{"build":"x"}}`, extra: "bun.lockb", builder: "command", command: []string{"bun", "run", "build"}},
		{name: "the flag", pkg: `{"packageManager":"pnpm@9.1.0","scripts":{"build":"x"}}`, manager: "bun", builder: "command", command: []string{"bun", "run", "build"}},
		{name: "an unknown manager", pkg: `{"packageManager":"cargo@1","scripts":{"build":"x"}}`, extra: "pnpm-lock.yaml", builder: "command", command: []string{"pnpm", "run", "build"}, findings: "BUILD_CONFIG package.json"},
		{name: "a wrong build", pkg: `{"wuu":{"build":{"entry":"x"}}}`, findings: "BUILD_CONFIG package.json"},
		{name: "an empty build", pkg: `{"wuu":{"build":""}}`, findings: "BUILD_CONFIG package.json"},
		{name: "broken JSON", pkg: `{"wuu":`, findings: "BUILD_CONFIG package.json"},
		{name: "wrong types", pkg: `{"scripts":[]}`, findings: "BUILD_CONFIG package.json"},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := map[string]string{"src/index.ts": "", "src/renderer.tsx": "", ".git/HEAD": ""}
			if c.pkg != "" {
				files["package.json"] = c.pkg
			}
			if c.extra != "" {
				files[c.extra] = ""
			}
			plan, findings, err := bundle.NewPlan(tree(t, files), full(), c.manager)
			if err != nil {
				t.Fatal(err)
			}
			if plan.Builder != c.builder || plan.Shell != c.shell || !cmp.Equal(plan.Command, c.command) {
				t.Errorf("builder %q, command %q, shell %v", plan.Builder, plan.Command, plan.Shell)
			}
			if got := codes(findings); got != c.findings {
				t.Errorf("findings %q, want %q", got, c.findings)
			}
			if c.builder != "embedded" {
				return
			}
			want := []bundle.Entry{
				{Source: "src/index.ts", Output: "dist/index.js", Platform: bundle.Node},
				{Source: "src/renderer.tsx", Output: "dist/renderer.js", Platform: bundle.Browser},
			}
			if diff := cmp.Diff(want, plan.Entries); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestNewPlanOutputsWithoutSource(t *testing.T) {
	root := tree(t, map[string]string{"package.json": `{"type":"module"}`, "dist/index.js": "export {}"})
	plan, findings, err := bundle.NewPlan(root, full(), "")
	if err != nil {
		t.Fatal(err)
	}
	if plan.Builder != bundle.None || !cmp.Equal(plan.AsIs, []string{"dist/index.js"}) {
		t.Errorf("plan %+v", plan)
	}
	if got, want := codes(findings), "BUILD_MISSING dist/renderer.js"; got != want {
		t.Fatalf("findings %q, want %q", got, want)
	}
	if hint := findings[0].Hint; !strings.Contains(hint, "src/renderer.ts") {
		t.Errorf("the hint does not name the source: %q", hint)
	}
}

func TestNewPlanLockFileOfTheRepository(t *testing.T) {
	root := tree(t, map[string]string{
		".git/HEAD": "", "pnpm-lock.yaml": "",
		"plugins/one/package.json": `{"scripts":{"build":"x"}}`,
	})
	plan, _, err := bundle.NewPlan(filepath.Join(root, "plugins", "one"), full(), "")
	if err != nil {
		t.Fatal(err)
	}
	if got := plan.CommandLine(); got != "pnpm run build" {
		t.Errorf("command %q", got)
	}
}

func TestBrokenPackageHasPosition(t *testing.T) {
	_, findings, err := bundle.NewPlan(tree(t, map[string]string{"package.json": "{\n  \"type\": modul\n}"}), full(), "")
	if err != nil || len(findings) != 1 {
		t.Fatalf("findings %v, error %v", findings, err)
	}
	if got := findings[0].Start; got.Line != 2 || got.Col16 != 11 {
		t.Errorf("position %+v, want line 2, column 11", got)
	}
}

func TestMissingAfterACommand(t *testing.T) {
	root := tree(t, map[string]string{"package.json": `{"wuu":{"build":"true"}}`, "dist/index.js": ""})
	plan, _, err := bundle.NewPlan(root, full(), "")
	if err != nil {
		t.Fatal(err)
	}
	findings, err := plan.Missing(root)
	if err != nil || codes(findings) != "BUILD_MISSING dist/renderer.js" {
		t.Fatalf("findings %v, error %v", findings, err)
	}
	if hint := findings[0].Hint; !strings.Contains(hint, `"true"`) {
		t.Errorf("the hint does not name the command: %q", hint)
	}
}

func TestFilePackage(t *testing.T) {
	file := "/home/ada/my tool.ts"
	if runtime.GOOS == "windows" {
		file = `C:\ada\my tool.ts`
	}
	id, files := bundle.FilePackage(file)
	if id != bundle.FileID(file) || len(id) != len("local-")+24 {
		t.Errorf("id %q", id)
	}
	if other := bundle.FileID(file + "x"); other == id {
		t.Error("two paths have one id")
	}
	m, findings := manifest.Parse("plugin.json", files["plugin.json"])
	if diag.Count(findings).Errors > 0 || m == nil {
		t.Fatalf("findings %v", findings)
	}
	if m.ID != id || m.Name != "my tool" || m.Version != "0.0.0" || m.Runtime.Args[0] != "dist/index.js" {
		t.Errorf("manifest %+v", m)
	}
	if !strings.Contains(string(files["package.json"]), `"type": "module"`) {
		t.Errorf("package.json %s", files["package.json"])
	}
}

func TestNewFilePlanRefuses(t *testing.T) {
	root := tree(t, map[string]string{"a.ts": "", "a.py": ""})
	if err := os.Symlink(filepath.Join(root, "a.ts"), filepath.Join(root, "link.ts")); err != nil {
		t.Log("no symbolic links: ", err)
	}
	for _, name := range []string{"a.py", "missing.ts", "link.ts", "."} {
		if _, _, err := bundle.NewFilePlan(filepath.Join(root, name)); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	if _, _, err := bundle.NewFilePlan("a.ts"); err == nil {
		t.Error("a relative path was accepted")
	}
}
