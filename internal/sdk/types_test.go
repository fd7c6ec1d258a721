package sdk_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/wuu-plugins/wuu/internal/sdk"
)

var update = flag.Bool("update", false, "write types/ anew")

// sumFile holds the hash of the sources that types/ was made from.
const sumFile = "types/SOURCES.sum"

// TestTypesAreOfTheseSources needs no TypeScript: it notices that the sources
// changed since the declarations were written.
func TestTypesAreOfTheseSources(t *testing.T) {
	want, err := os.ReadFile(sumFile)
	if err != nil {
		t.Fatal(err)
	}
	if got := sourcesSum(t); got != string(want) {
		t.Errorf("src/ changed since types/ was written; run\n\tWUU_FULL=1 go test ./internal/sdk -run TestTypeScript -update")
	}
}

// TestTypeScript needs TypeScript from npm: the sources, the declarations made
// of them, a project that uses these, and the tests.
func TestTypeScript(t *testing.T) {
	tsc := installTypeScript(t)
	t.Run("declarations", func(t *testing.T) { checkDeclarations(t, tsc) })
	t.Run("project", func(t *testing.T) { checkProject(t, tsc) })
	t.Run("tests", func(t *testing.T) {
		modules := filepath.Dir(filepath.Dir(filepath.Dir(tsc)))
		run(t, tsc, "-p", "test/tsconfig.json", "--typeRoots", filepath.Join(modules, "@types"))
	})
}

// checkDeclarations checks the sources with TypeScript's strictest rules and
// compares types/ with what it makes of them.
func checkDeclarations(t *testing.T, tsc string) {
	t.Helper()
	out := t.TempDir()
	run(t, tsc, "-p", "src/tsconfig.json", "--noEmit", "false", "--declaration", "--emitDeclarationOnly", "--outDir", out)
	want := reachable(t, out)
	if *update {
		writeTypes(t, want)
	}
	got := readTypes(t)
	for name, text := range want {
		if !bytes.Equal(got[path.Join(sdk.TypesDir, name)], text) {
			t.Errorf("types/%s is stale; run this test with -update", name)
		}
	}
	if len(got) != len(want) {
		t.Errorf("types/ has %d files, want %d", len(got), len(want))
	}
}

// checkProject checks that a plain project, without @types/node and with
// skipLibCheck off, sees the declarations as editors will.
func checkProject(t *testing.T, tsc string) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range sdk.Types() {
		write(t, filepath.Join(dir, "types", filepath.FromSlash(name)), text)
	}
	for _, name := range []string{"upstream.ts", "shorthands.ts"} {
		text, err := os.ReadFile(filepath.Join("test", "compile", name))
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, "src", name), text)
	}
	write(t, filepath.Join(dir, "tsconfig.json"), []byte(`{
  "compilerOptions": {
    "target": "ES2022", "module": "ESNext", "moduleResolution": "bundler", "lib": ["ES2023", "DOM"], "types": [],
    "strict": true, "exactOptionalPropertyTypes": true, "noEmit": true,
    "paths": {"@wuu/plugin-sdk": ["./types/plugin-sdk/index.d.ts"]}
  },
  "include": ["src"]
}`))
	run(t, tsc, "-p", dir)
}

// reachable reads index.d.ts and what it imports, with the ".js" extensions
// that every module resolution understands in a declaration.
func reachable(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	specifier := regexp.MustCompile(`"\./([a-z-]+)\.ts"`)
	files := map[string][]byte{}
	for todo := []string{"index"}; len(todo) > 0; {
		name := todo[0] + ".d.ts"
		todo = todo[1:]
		if files[name] != nil {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
		for _, m := range specifier.FindAllSubmatch(text, -1) {
			todo = append(todo, string(m[1]))
		}
		files[name] = specifier.ReplaceAll(text, []byte(`"./$1.js"`))
	}
	return files
}

func writeTypes(t *testing.T, files map[string][]byte) {
	t.Helper()
	if err := os.RemoveAll("types"); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		write(t, filepath.Join("types", name), text)
	}
	write(t, sumFile, []byte(sourcesSum(t)))
}

func readTypes(t *testing.T) map[string][]byte {
	t.Helper()
	names, err := filepath.Glob("types/*.d.ts")
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files[path.Join(sdk.TypesDir, filepath.Base(name))] = text
	}
	return files
}

// sourcesSum hashes names and contents of the sources.
func sourcesSum(t *testing.T) string {
	t.Helper()
	names, err := fs.Glob(sdk.Files(), "*.ts")
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(names)
	h := sha256.New()
	for _, name := range names {
		text, err := fs.ReadFile(sdk.Files(), name)
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(text)
		h.Write([]byte(name + "\x00"))
		h.Write(sum[:])
	}
	return hex.EncodeToString(h.Sum(nil)) + "\n"
}

// installTypeScript puts TypeScript into a temporary folder and returns the
// command. It skips outside the full suite and without a registry.
func installTypeScript(t *testing.T) string {
	t.Helper()
	if os.Getenv("WUU_FULL") == "" {
		t.Skip("skipped: needs TypeScript from npm; set WUU_FULL=1")
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "package.json"), []byte(`{"private": true}`))
	npm := exec.Command("npm", "install", "--no-audit", "--no-fund", "typescript@5.9", "@types/node@20")
	npm.Dir = dir
	if out, err := npm.CombinedOutput(); err != nil {
		t.Skipf("skipped: npm or its registry not reachable: %v\n%s", err, out)
	}
	return filepath.Join(dir, "node_modules", "typescript", "bin", "tsc")
}

func run(t *testing.T, script string, args ...string) {
	t.Helper()
	if out, err := exec.Command("node", append([]string{script}, args...)...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", filepath.Base(script), err, out)
	}
}

func write(t *testing.T, path string, text []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
}
