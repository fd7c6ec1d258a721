package validate_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/wuu-plugins/wuu/validate"
)

var (
	testFunc = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
	inTicks  = regexp.MustCompile("`([^`]+)`")
	aTest    = regexp.MustCompile("`((?:Test|Fuzz)[^`]+|[a-z_]+\\.txtar)`")
)

// TestWalk holds docs/dev/rules.md to the truth: every code that it names is
// in the table of codes, every test and script is there, and where a row names
// one case of a test, that case stands in the test's file.
func TestWalk(t *testing.T) {
	page, err := os.ReadFile("../docs/dev/rules.md")
	if err != nil {
		t.Fatal(err)
	}
	tests := testFiles(t)
	rows, cases := 0, 0
	for number, line := range strings.Split(string(page), "\n") {
		cells := strings.Split(strings.ReplaceAll(line, `\|`, "\x00"), "|")
		if len(cells) != 6 || strings.Contains(line, "---") || strings.Contains(cells[2], " statement ") {
			continue
		}
		rows++
		codes, shown := inTicks.FindAllStringSubmatch(cells[3], -1), aTest.FindAllStringSubmatch(cells[4], -1)
		if len(codes) > 0 && len(shown) == 0 || len(codes) == 0 && strings.TrimSpace(cells[3]) != "—" {
			t.Errorf("line %d: a rule has a code and a test, or none and a reason", number+1)
		}
		for _, m := range codes {
			if _, ok := validate.Explain(m[1]); !ok {
				t.Errorf("line %d: no code %s", number+1, m[1])
			}
		}
		for _, m := range shown {
			cases++
			if !exists(tests, m[1]) {
				t.Errorf("line %d: no test %s", number+1, m[1])
			}
		}
	}
	if rows < 80 || cases < 150 {
		t.Errorf("only %d rows and %d tests were read", rows, cases)
	}
}

// testFiles maps each test function of the packages with rules to the text of
// its file, and each script to "".
func testFiles(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, pattern := range []string{"*_test.go", "../internal/*/*_test.go", "../pack/*_test.go", "../cmd/wuu/*_test.go", "../testdata/script/*.txtar"} {
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) == 0 {
			t.Fatal(pattern, err)
		}
		for _, path := range paths {
			if filepath.Ext(path) == ".txtar" {
				out[filepath.Base(path)] = ""
				continue
			}
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range testFunc.FindAllStringSubmatch(string(text), -1) {
				out[m[1]] += string(text)
			}
		}
	}
	return out
}

func exists(tests map[string]string, name string) bool {
	function, sub, one := strings.Cut(name, "/")
	text, ok := tests[function]
	return ok && (!one || strings.Contains(text, `"`+sub+`"`))
}
