package validate_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/validate"
)

// The packages whose findings the table describes.
var sources = []string{
	".", "../internal/manifest", "../internal/jsonpos", "../internal/diag", "../internal/pathname", "../internal/archive", "../internal/bundle", "../internal/secret", "../pack",
}

var codePattern = regexp.MustCompile(`^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$`)

// TestTableIsComplete compares the table with the codes that stand in the
// source: none may be missing and none may be dead.
func TestTableIsComplete(t *testing.T) {
	used := map[string]bool{}
	for _, dir := range sources {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			name := e.Name()
			if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, "codes") {
				continue
			}
			f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, name), nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			ast.Inspect(f, func(n ast.Node) bool {
				if notAFinding(n) {
					return false
				}
				if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
					if text, err := strconv.Unquote(lit.Value); err == nil && codePattern.MatchString(text) {
						used[text] = true
					}
				}
				return true
			})
		}
	}
	var listed []string
	for _, c := range validate.Codes() {
		listed = append(listed, c.Code)
		if c.Summary == "" || strings.HasSuffix(c.Summary, ".") {
			t.Errorf("%s: the summary is no clause: %q", c.Code, c.Summary)
		}
		if got, ok := validate.Explain(c.Code); !ok || got != c {
			t.Errorf("Explain(%s) = %v, %v", c.Code, got, ok)
		}
	}
	if d := cmp.Diff(slices.Sorted(maps.Keys(used)), listed); d != "" {
		t.Errorf("codes in the source (-) and in the table (+):\n%s", d)
	}
	if _, ok := validate.Explain("NO_SUCH_CODE"); ok {
		t.Error("an unknown code is explained")
	}
}

// notAFinding reports whether n only makes or compares the code of an error.
func notAFinding(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.CallExpr:
		sel, ok := n.Fun.(*ast.SelectorExpr)
		if !ok || sel.Sel.Name != "New" {
			return false
		}
		pkg, ok := sel.X.(*ast.Ident)
		return ok && pkg.Name == "fault"
	case *ast.BinaryExpr:
		return n.Op == token.EQL || n.Op == token.NEQ
	}
	return false
}

// known fails for findings that the table does not describe or rates lower.
func known(t *testing.T, list []validate.Finding) {
	t.Helper()
	rank := map[diag.Severity]int{diag.Info: 0, diag.Warning: 1, diag.Error: 2}
	for _, f := range list {
		if c, ok := validate.Explain(f.Code); !ok || rank[f.Severity] > rank[c.Severity] {
			t.Errorf("%s has severity %s, the table says %q", f.Code, f.Severity, c.Severity)
		} else if kind, _ := c.Fix(); len(f.Fix) > 0 && kind != validate.SafeFix {
			t.Errorf("%s has edits, the table says that its fix is %s", f.Code, kind)
		}
	}
}
