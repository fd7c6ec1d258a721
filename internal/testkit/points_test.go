package testkit_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/constant"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Whatever changes the file system while a plugin is installed, updated,
// removed, enabled or disabled passes fsx.Point, so that a test can break the run
// there. TestPoints reads the types of every package and finds the calls that
// do not.

// changers are the functions and methods of os, io/fs and syscall that change
// something; those that open count only with O_CREATE or O_TRUNC.
var changers = map[string][]string{
	"os": {
		"Chmod", "Chown", "Chtimes", "CopyFS", "Create", "CreateTemp", "Lchown", "Link", "Mkdir", "MkdirAll", "MkdirTemp", "OpenFile",
		"Remove", "RemoveAll", "Rename", "Symlink", "Truncate", "WriteFile",
	},
	"os.File": {"Chmod", "Chown", "ReadFrom", "Sync", "Truncate", "Write", "WriteAt", "WriteString"},
	"os.Root": {
		"Chmod", "Chown", "Chtimes", "Create", "Lchown", "Link", "Mkdir", "MkdirAll", "OpenFile", "Remove", "RemoveAll", "Rename", "Symlink", "WriteFile",
	},
	"syscall": {
		"Chmod", "Fsync", "Ftruncate", "Link", "Linkat", "Mkdir", "Mkdirat", "Open", "Openat", "Rename", "Renameat", "Rmdir", "Symlink", "Truncate", "Unlink", "Unlinkat", "Write",
	},
}

// beside lists what changes files of another kind, and why no run that
// installs, updates or removes comes there: a package, or one file of it.
var beside = map[string]string{
	"internal/fsx":               "the points themselves",
	"internal/cli/build.go":      "writes the outputs of build into the author's project",
	"internal/cli/packwrite.go":  "writes the archive that pack makes",
	"internal/cli/logfile.go":    "the log of a host or of dev",
	"internal/cli/singlefile.go": "a temporary folder for calling one file",
	"internal/cli/source.go":     "removes that folder",
	"internal/cli/root.go":       "a message on stderr",
	"internal/scaffold":          "create and dev write into the author's project",
	"internal/demo":              "a program of its own",
	"internal/docgen":            "a program of its own",
	"internal/fuzzall":           "a program of its own",
	"internal/contract":          "the contract test works in a temporary home",
	"internal/dev":               "the folder of one file's package, for dev",
	"internal/host":              "generations, which a host makes for itself",
	"internal/host/control":      "the socket of a host",
	"internal/host/service":      "documents that running plugins write",
	"internal/pluginproc":        "the stdin of a plugin",
	"internal/testkit":           "tests",
	"registry/registrytest":      "a registry for tests",
}

func TestPoints(t *testing.T) {
	for _, p := range typed(t, "../..", "./...") {
		name := strings.TrimPrefix(p.path, module)
		if strings.HasPrefix(name, "bench") || beside[name] != "" {
			continue
		}
		for _, problem := range p.bypasses() {
			t.Error(problem)
		}
	}
}

// TestPointsCanFail proves that the rule sees each way around it.
func TestPointsCanFail(t *testing.T) {
	for _, p := range typed(t, "testdata/bypass", ".") {
		found := p.bypasses()
		if len(found) != 8 {
			t.Errorf("found %d:\n%s", len(found), strings.Join(found, "\n"))
		}
	}
}

// checked is one package with the types of its code, tests left out.
type checked struct {
	path  string
	files []*ast.File
	fset  *token.FileSet
	info  *types.Info
}

// typed lists and checks packages; what they import comes compiled from go list.
func typed(t *testing.T, dir, pattern string) []checked {
	t.Helper()
	cmd := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Dir,GoFiles,Export,Standard,DepOnly,Error", pattern)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	type listed struct {
		ImportPath, Dir, Export string
		GoFiles                 []string
		DepOnly                 bool
	}
	exports, own := map[string]string{}, []listed{}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var l listed
		if err := dec.Decode(&l); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		exports[l.ImportPath] = l.Export
		if !l.DepOnly {
			own = append(own, l)
		}
	}
	fset := token.NewFileSet()
	imports := importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	var all []checked
	for _, l := range own {
		c := checked{path: l.ImportPath, fset: fset, info: &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}}}
		for _, name := range l.GoFiles {
			f, err := parser.ParseFile(fset, filepath.Join(l.Dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			c.files = append(c.files, f)
		}
		if _, err := (&types.Config{Importer: imports}).Check(l.ImportPath, fset, c.files, c.info); err != nil {
			t.Fatal(err)
		}
		all = append(all, c)
	}
	return all
}

// bypasses lists the changes in functions that do not call fsx.Point.
func (c checked) bypasses() (problems []string) {
	for _, f := range c.files {
		file := strings.TrimPrefix(c.path, module) + "/" + filepath.Base(c.fset.Position(f.Pos()).Filename)
		if beside[file] != "" {
			continue
		}
		for _, decl := range f.Decls {
			var changes []string
			pointed := false
			ast.Inspect(decl, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				if what := c.changes(call); what != "" {
					changes = append(changes, fmt.Sprintf("%s: %s, which passes no fsx.Point", c.fset.Position(call.Pos()), what))
				}
				pointed = pointed || c.isPoint(call)
				return true
			})
			if !pointed {
				problems = append(problems, changes...)
			}
		}
	}
	return problems
}

// callee is the function that a call names; nil for conversions and values.
func (c checked) callee(call *ast.CallExpr) *types.Func {
	var id *ast.Ident
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		id = fun
	case *ast.SelectorExpr:
		id = fun.Sel
	default:
		return nil
	}
	fn, _ := c.info.Uses[id].(*types.Func)
	return fn
}

func (c checked) isPoint(call *ast.CallExpr) bool {
	fn := c.callee(call)
	return fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == module+"internal/fsx" && fn.Name() == "Point"
}

// changes says how the call changes the file system, "" when it does not.
func (c checked) changes(call *ast.CallExpr) string {
	fn := c.callee(call)
	if fn == nil || fn.Pkg() == nil {
		return ""
	}
	from := fn.Pkg().Path()
	signature := fn.Signature()
	if recv := signature.Recv(); recv != nil {
		from = strings.TrimPrefix(recv.Type().String(), "*")
	}
	if slices.Contains(changers[from], fn.Name()) && !c.opensOnly(fn.Name(), call) {
		return from + "." + fn.Name()
	}
	// A file handed over as a writer is written where nobody looks.
	for i, arg := range call.Args {
		if i >= signature.Params().Len() || c.info.Types[arg].Type == nil || c.info.Types[arg].Type.String() != "*os.File" {
			continue
		}
		if signature.Params().At(i).Type().String() == "io.Writer" {
			return "a file as the writer of " + fn.FullName()
		}
	}
	return ""
}

// opensOnly tells an OpenFile that neither creates nor cuts.
func (c checked) opensOnly(name string, call *ast.CallExpr) bool {
	if name != "OpenFile" && name != "Open" && name != "Openat" {
		return false
	}
	for _, arg := range call.Args {
		if v := c.info.Types[arg].Value; v != nil && v.Kind() == constant.Int {
			flags, _ := constant.Int64Val(v)
			return flags&int64(os.O_CREATE|os.O_TRUNC) == 0 // the flags come before the mode
		}
	}
	return false
}
