package bundle_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/wuu-plugins/wuu/internal/bundle"
)

// TestPackages builds a plugin of a workspace: a package beside it that is no
// part of node_modules, and one of which only a passed-on export is used.
func TestPackages(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"plugin/src/index.ts":                        `import { shout } from "../../shared/src/a.ts"; import { deep } from "barrel"; shout(deep);`,
		"plugin/package.json":                        `{"name":"plugin","type":"module"}`,
		"shared/package.json":                        `{"name":"@me/shared","version":"0.3.0","license":{"type":"MIT"}}`,
		"shared/src/a.ts":                            `export const shout = (x: unknown) => console.error(x);`,
		"plugin/node_modules/barrel/package.json":    `{"name":"barrel","version":"1.0.0","main":"i.mjs","sideEffects":false}`,
		"plugin/node_modules/barrel/i.mjs":           `export * from "deep";`,
		"plugin/node_modules/deep/package.json":      `{"name":"deep","version":"2.0.0","main":"lib/i.mjs","license":"ISC"}`,
		"plugin/node_modules/deep/lib/i.mjs":         `export const deep = Math.random();`,
		"plugin/node_modules/deep/lib/package.json":  `{"type":"module"}`,
		"plugin/node_modules/.package-lock.json":     `{"packages":{"node_modules/deep":{"integrity":"sha512-x"}}}`,
		"plugin/node_modules/untouched/package.json": `{"name":"untouched"}`,
	} {
		file := filepath.Join(top, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	root := filepath.Join(top, "plugin")
	if plain := good(t, nodeEntry("src/index.ts"), bundle.Options{Root: root}); plain.Modules != nil {
		t.Error("modules are recorded without being asked for")
	}
	result := good(t, nodeEntry("src/index.ts"), bundle.Options{Root: root, Modules: true})
	list, own, err := bundle.Packages(root, result.Modules)
	if err != nil {
		t.Fatal(err)
	}
	deep, shared := filepath.Join(root, "node_modules", "deep"), filepath.Join(top, "shared")
	if want := []string{deep, shared}; !slices.Equal(own, want) {
		t.Errorf("the plugin imports %q, want %q", own, want)
	}
	if len(list) != 2 {
		t.Fatalf("%+v", list)
	}
	if p := list[0]; p.Name != "deep" || p.Version != "2.0.0" || p.License != "ISC" || p.Integrity != "sha512-x" || p.Dir != deep {
		t.Errorf("%+v", p)
	}
	if p := list[1]; p.Name != "@me/shared" || p.Version != "0.3.0" || p.License != "MIT" || p.Integrity != "" || p.Dir != shared {
		t.Errorf("%+v", p)
	}
}
