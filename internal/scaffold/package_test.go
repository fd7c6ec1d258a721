package scaffold_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/wuu-plugins/wuu/internal/bundle"
	"github.com/wuu-plugins/wuu/internal/contract"
	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/internal/manifest"
	"github.com/wuu-plugins/wuu/internal/scaffold"
	"github.com/wuu-plugins/wuu/internal/version"
	"github.com/wuu-plugins/wuu/pack"
	"github.com/wuu-plugins/wuu/validate"
)

// TestWhatIsMadeBuildsAndIsValid takes each type through builder, packer and
// rules, strictly.
func TestWhatIsMadeBuildsAndIsValid(t *testing.T) {
	outputs := map[string][]string{
		"agent":   {"dist/index.js"},
		"desktop": {"dist/index.js"},
		"full":    {"dist/runtime.js", "dist/renderer.js"},
	}
	for kind, want := range outputs {
		t.Run(kind, func(t *testing.T) {
			_, r := create(t, "hello", kind)
			src, err := os.ReadFile(filepath.Join(r.Path, "plugin.json"))
			if err != nil {
				t.Fatal(err)
			}
			m, findings := manifest.Parse("plugin.json", src)
			clean(t, findings)
			plan, findings, err := bundle.NewPlan(r.Path, m, "")
			if err != nil {
				t.Fatal(err)
			}
			clean(t, findings)
			built := build(t, plan, bundle.Options{Root: r.Path})
			for _, path := range want {
				if len(built.Overlay()[path]) == 0 {
					t.Errorf("%s was not built", path)
				}
			}
			p := checkPackage(t, r.Path, built)
			if m.Runtime != nil {
				checkContract(t, p, filepath.Join(r.Path, "tests", "hello.wuu.yaml"))
			}
		})
	}
}

func checkPackage(t *testing.T, dir string, built *bundle.Result) *pack.Package {
	t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = root.Close() })
	p, findings, err := pack.OpenDir(context.Background(), root, pack.Options{Overlay: built.Overlay()})
	if err != nil {
		t.Fatal(err)
	}
	clean(t, findings)
	report, err := validate.Run(context.Background(), p, validate.Options{Strict: true, NPM: true})
	if err != nil {
		t.Fatal(err)
	}
	clean(t, report.Findings)
	for _, f := range p.Files {
		if strings.HasPrefix(f.Path, "tests/") || strings.HasPrefix(f.Path, ".wuu") {
			t.Errorf("%s is packed", f.Path)
		}
	}
	return p
}

// checkContract runs the plugin with its own case file.
func checkContract(t *testing.T, p *pack.Package, cases string) {
	t.Helper()
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("skipped: node is not installed")
	}
	report, err := contract.Run(context.Background(), contract.Options{
		Package: p, Cases: []string{cases}, Version: version.String(), Getenv: os.Getenv, Now: time.Now,
	})
	if err != nil {
		t.Fatal(err)
	}
	calls := 0
	for _, stage := range report.Stages {
		for _, c := range stage.Checks {
			if c.Status != contract.Pass {
				t.Errorf("%s %s: %s %v", c.ID, c.Status, c.Message, c.Log)
			}
			if strings.HasPrefix(c.ID, "tools.greet/") {
				calls++
			}
		}
	}
	if !report.OK || calls != 2 {
		t.Errorf("ok is %v after %d calls, want 2", report.OK, calls)
	}
}

func TestSingleFileBuilds(t *testing.T) {
	_, r := create(t, "hello", "single")
	plan, o, err := bundle.NewFilePlan(r.Path)
	if err != nil {
		t.Fatal(err)
	}
	if built := build(t, plan, o); len(built.Outputs) != 1 {
		t.Errorf("outputs are %v", built.Outputs)
	}
}

func build(t *testing.T, plan bundle.Plan, o bundle.Options) *bundle.Result {
	t.Helper()
	b, err := bundle.NewBuilder(plan, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	built, findings, err := b.Build(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	clean(t, findings)
	return built
}

func clean(t *testing.T, findings []diag.Finding) {
	t.Helper()
	for _, f := range findings {
		t.Errorf("%s %s: %s", f.Code, f.File, f.Message)
	}
	if len(findings) > 0 {
		t.FailNow()
	}
}

// TestTypeScript checks what is made as an editor would, without npm packages
// in the plugin, with the plugin's own tsconfig.json.
func TestTypeScript(t *testing.T) {
	if os.Getenv("WUU_FULL") == "" {
		t.Skip("skipped: needs TypeScript from npm; set WUU_FULL=1")
	}
	tools := t.TempDir()
	if err := os.WriteFile(filepath.Join(tools, "package.json"), []byte(`{"private": true}`), 0o644); err != nil {
		t.Fatal(err)
	}
	npm := exec.Command("npm", "install", "--no-audit", "--no-fund", "typescript@5.9")
	npm.Dir = tools
	if out, err := npm.CombinedOutput(); err != nil {
		t.Skipf("skipped: npm or its registry not reachable: %v\n%s", err, out)
	}
	tsc := filepath.Join(tools, "node_modules", "typescript", "bin", "tsc")
	check := func(dir string) string {
		// An error in the SDK's own declarations counts, too.
		out, err := exec.Command("node", tsc, "-p", dir, "--noEmit", "--strict", "--skipLibCheck", "false").CombinedOutput()
		if err != nil {
			return err.Error() + "\n" + string(out)
		}
		return ""
	}
	for _, kind := range scaffold.Types {
		_, r := create(t, "hello", kind)
		root := r.Path
		if kind == "single" {
			root = besideAnAgent(t, r.Path)
		}
		if problem := check(root); problem != "" {
			t.Errorf("%s: %s", kind, problem)
		}
	}

	_, r := create(t, "hello", "agent")
	text, err := os.ReadFile(filepath.Join(r.Path, "src", "index.ts"))
	if err != nil {
		t.Fatal(err)
	}
	wrong := strings.Replace(string(text), `id: "greet"`, `id: 7`, 1)
	if err := os.WriteFile(filepath.Join(r.Path, "src", "index.ts"), []byte(wrong), 0o644); err != nil {
		t.Fatal(err)
	}
	if problem := check(r.Path); !strings.Contains(problem, "src/index.ts") {
		t.Errorf("a wrong type passes: %s", problem)
	}
}

// besideAnAgent gives a lone file, which has no tsconfig.json, one to be
// checked with.
func besideAnAgent(t *testing.T, file string) string {
	t.Helper()
	_, agent := create(t, "hello", "agent")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(agent.Path, "src", "single.ts"), text, 0o644); err != nil {
		t.Fatal(err)
	}
	return agent.Path
}
