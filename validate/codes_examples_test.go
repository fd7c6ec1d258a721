package validate_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/internal/manifest"
	"github.com/wuu-plugins/wuu/validate"
)

// TestExamplesTrigger runs each example; one whose code has a safe fix is
// repaired or left as it is, never made worse.
func TestExamplesTrigger(t *testing.T) {
	examples := 0
	for _, c := range validate.Codes() {
		src := c.Example()
		if src == "" {
			continue
		}
		examples++
		_, found := manifest.Parse("plugin.json", []byte(src))
		i := slices.IndexFunc(found, func(f diag.Finding) bool { return f.Code == c.Code })
		if i < 0 {
			t.Errorf("%s: the example %s gives %v", c.Code, src, found)
			continue
		}
		if kind, _ := c.Fix(); kind != validate.SafeFix && len(found[i].Fix) > 0 {
			t.Errorf("%s has edits, and the table says %s", c.Code, kind)
		}
	}
	if examples < 38 {
		t.Errorf("%d examples only", examples)
	}
}

// TestEveryCodeHasAFixture looks for a test or script that names the code. The
// list of those without one may only shrink.
func TestEveryCodeHasAFixture(t *testing.T) {
	without := []string{"BUILD_COMMAND", "BUILD_WARNING", "MANIFEST_FILES"}
	var tests strings.Builder
	for _, pattern := range []string{"../*/*_test.go", "../internal/*/*_test.go", "../testdata/script/*.txtar"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v", pattern, err)
		}
		for _, file := range files {
			if name := filepath.Base(file); name == "codes_test.go" || name == "codes_examples_test.go" {
				continue
			}
			b, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			tests.Write(b)
		}
	}
	for _, c := range validate.Codes() {
		if has := strings.Contains(tests.String(), c.Code); has == slices.Contains(without, c.Code) {
			t.Errorf("%s: named by a test: %v", c.Code, has)
		}
	}
}
