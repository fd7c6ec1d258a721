package scaffold_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/scaffold"
)

// create makes a plugin in a new folder and returns the folder.
func create(t *testing.T, name, kind string) (parent string, r *scaffold.Result) {
	t.Helper()
	parent = t.TempDir()
	target := name
	if kind == "single" {
		target += ".ts"
	}
	r, err := scaffold.Create(context.Background(), scaffold.Options{
		Name: name, Type: kind, Dir: filepath.Join(parent, target), From: parent,
	})
	if err != nil {
		t.Fatal(err)
	}
	return parent, r
}

// tree reads every file below dir.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(path)))
		files[path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestCreate(t *testing.T) {
	common := []string{".gitignore", ".wuu/types/", ".wuuignore", "README.md", "package.json", "plugin.json", "tsconfig.json"}
	tests := []struct {
		kind  string
		files []string
		next  []string
	}{
		{"agent", append([]string{"src/index.ts", "tests/hello.wuu.yaml"}, common...),
			[]string{"cd hello", "wuu plugin validate", "wuu plugin test", "wuu plugin dev"}},
		{"desktop", append([]string{"src/index.ts"}, common...),
			[]string{"cd hello", "wuu plugin validate", "wuu plugin dev"}},
		{"full", append([]string{"src/runtime.ts", "src/renderer.ts", "tests/hello.wuu.yaml"}, common...),
			[]string{"cd hello", "wuu plugin validate", "wuu plugin test", "wuu plugin dev"}},
		{"single", []string{"hello.ts"}, []string{"wuu plugin dev hello.ts"}},
	}
	for _, tt := range tests {
		t.Run(tt.kind, func(t *testing.T) {
			parent, r := create(t, "hello", tt.kind)
			slices.Sort(tt.files)
			if diff := cmp.Diff(tt.files, r.Files); diff != "" {
				t.Errorf("files (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.next, r.Next); diff != "" {
				t.Errorf("next (-want +got):\n%s", diff)
			}
			if left, _ := os.ReadDir(parent); len(left) != 1 || filepath.Join(parent, left[0].Name()) != r.Path {
				t.Errorf("%s holds %v, want %s alone", parent, left, r.Path)
			}
			onDisk := tree(t, parent)
			var got []string
			for path := range onDisk {
				path = strings.TrimPrefix(path, "hello/")
				if !strings.HasPrefix(path, ".wuu/types/") {
					got = append(got, path)
				}
			}
			if tt.kind != "single" {
				got = append(got, ".wuu/types/")
			}
			slices.Sort(got)
			if diff := cmp.Diff(r.Files, got); diff != "" {
				t.Errorf("on disk (-listed +there):\n%s", diff)
			}
		})
	}
}

func TestFilesAreClean(t *testing.T) {
	for _, kind := range scaffold.Types {
		parent, _ := create(t, "my_plugin-2", kind)
		for path, text := range tree(t, parent) {
			switch {
			case strings.ContainsRune(text, '\r'):
				t.Errorf("%s %s: CRLF", kind, path)
			case !strings.HasSuffix(text, "\n") || strings.HasSuffix(text, "\n\n"):
				t.Errorf("%s %s: does not end in one newline", kind, path)
			case strings.Contains(text, "[["), strings.Contains(text, "<no value>"):
				t.Errorf("%s %s: holds a rest of its template", kind, path)
			case strings.HasSuffix(path, ".json"):
				checkJSON(t, path, text)
			}
			for line := range strings.Lines(text) {
				if strings.TrimRight(line, " \t\n") != strings.TrimSuffix(line, "\n") {
					t.Errorf("%s %s: space at the end of %q", kind, path, line)
				}
			}
		}
	}
}

// checkJSON wants valid JSON, in two-space layout where it is ours to read.
func checkJSON(t *testing.T, path, text string) {
	t.Helper()
	var indented bytes.Buffer
	if err := json.Indent(&indented, []byte(text), "", "  "); err != nil {
		t.Errorf("%s: %v", path, err)
		return
	}
	squeeze := strings.NewReplacer(" ", "", "\n", "")
	if squeeze.Replace(indented.String()) != squeeze.Replace(text) {
		t.Errorf("%s: odd layout", path)
	}
	if !strings.HasPrefix(text, "{\n  \"") {
		t.Errorf("%s: is not indented by two spaces", path)
	}
}

func TestManifest(t *testing.T) {
	tests := map[string]string{
		"agent": `{
  "$schema": "./.wuu/types/plugin.schema.json",
  "schema_version": 1,
  "id": "hello",
  "name": "hello",
  "version": "0.1.0",
  "description": "A wuu plugin: hello",
  "runtime": {
    "protocol": "wuu-plugin-v1",
    "command": "node",
    "args": ["dist/index.js"]
  }
}
`,
		"desktop": `{
  "$schema": "./.wuu/types/plugin.schema.json",
  "schema_version": 1,
  "id": "hello",
  "name": "hello",
  "version": "0.1.0",
  "description": "A wuu plugin: hello",
  "desktop": {
    "entry": "dist/index.js"
  },
  "contributes": {
    "workspaceTools": [{ "id": "hello", "view": "hello", "title": "Hello" }]
  }
}
`,
		"full": `{
  "$schema": "./.wuu/types/plugin.schema.json",
  "schema_version": 1,
  "id": "hello",
  "name": "hello",
  "version": "0.1.0",
  "description": "A wuu plugin: hello",
  "runtime": {
    "protocol": "wuu-plugin-v1",
    "command": "node",
    "args": ["dist/runtime.js"]
  },
  "desktop": {
    "entry": "dist/renderer.js"
  },
  "contributes": {
    "workspaceTools": [{ "id": "hello", "view": "hello", "title": "Hello" }]
  }
}
`,
	}
	for kind, want := range tests {
		parent, _ := create(t, "hello", kind)
		files := tree(t, parent)
		if diff := cmp.Diff(want, files["hello/plugin.json"]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", kind, diff)
		}
		if files["hello/.wuu/types/plugin.schema.json"] == "" {
			t.Errorf("%s: the file that $schema names is missing", kind)
		}
		var pkg struct {
			Name, Version, Type string
			Private             bool
			Dependencies        map[string]string
			Wuu                 struct{ Build string }
		}
		if err := json.Unmarshal([]byte(files["hello/package.json"]), &pkg); err != nil {
			t.Fatal(err)
		}
		if pkg.Name != "wuu-hello" || pkg.Version != "0.1.0" || pkg.Type != "module" || pkg.Private || pkg.Dependencies != nil || pkg.Wuu.Build != "embedded" {
			t.Errorf("%s: package.json is %+v", kind, pkg)
		}
	}
}

func TestSameOptionsSameBytes(t *testing.T) {
	for _, kind := range scaffold.Types {
		first, _ := create(t, "hello", kind)
		second, _ := create(t, "hello", kind)
		if diff := cmp.Diff(tree(t, first), tree(t, second)); diff != "" {
			t.Errorf("%s:\n%s", kind, diff)
		}
	}
}

func TestRefused(t *testing.T) {
	parent := t.TempDir()
	there := filepath.Join(parent, "there")
	if err := os.Mkdir(there, 0o755); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(parent, "file.ts")
	if err := os.WriteFile(file, []byte("mine\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, kind, dir string
		code            string
	}{
		{"", "agent", "x", "NAME_INVALID"},
		{"Hello", "agent", "x", "NAME_INVALID"},
		{"1hello", "agent", "x", "NAME_INVALID"},
		{"-hello", "agent", "x", "NAME_INVALID"},
		{"he llo", "agent", "x", "NAME_INVALID"},
		{"he/llo", "agent", "x", "NAME_INVALID"},
		{"../hello", "agent", "x", "NAME_INVALID"},
		{"hello\n", "agent", "x", "NAME_INVALID"},
		{"héllo", "agent", "x", "NAME_INVALID"},
		{"a.b", "agent", "x", "NAME_INVALID"},
		{strings.Repeat("a", 65), "agent", "x", "NAME_INVALID"},
		{"con", "agent", "x", "NAME_INVALID"},
		{"lpt1", "single", "x.ts", "NAME_INVALID"},
		{"hello", "robot", "x", "TYPE_UNKNOWN"},
		{"hello", "", "x", "TYPE_UNKNOWN"},
		{"hello", "agent", "there", "TARGET_EXISTS"},
		{"hello", "agent", "file.ts", "TARGET_EXISTS"},
		{"hello", "single", "file.ts", "TARGET_EXISTS"},
		{"hello", "single", "hello.js", "TARGET_KIND"},
		{"hello", "agent", "no/folder", "TARGET_PARENT"},
		{"hello", "agent", "file.ts/hello", "TARGET_PARENT"},
	}
	for _, tt := range tests {
		t.Run(tt.name+" "+tt.kind+" "+tt.dir, func(t *testing.T) {
			_, err := scaffold.Create(context.Background(), scaffold.Options{
				Name: tt.name, Type: tt.kind, Dir: filepath.Join(parent, filepath.FromSlash(tt.dir)),
			})
			var f *fault.Error
			if !errors.As(err, &f) {
				t.Fatalf("error is %v", err)
			}
			if f.Kind != fault.Usage || f.Code != tt.code {
				t.Errorf("got %d %s, want %d %s", f.Kind, f.Code, fault.Usage, tt.code)
			}
		})
	}
	if diff := cmp.Diff(map[string]string{"file.ts": "mine\n"}, tree(t, parent)); diff != "" {
		t.Errorf("left behind:\n%s", diff)
	}
	if _, err := scaffold.Create(context.Background(), scaffold.Options{Name: "hello", Type: "agent", Dir: "hello"}); err == nil {
		t.Error("a relative target passed")
	}
}

func TestLongestName(t *testing.T) {
	name := "a" + strings.Repeat("-_9z", 15) + "bcd"
	if len(name) != 64 {
		t.Fatal(len(name))
	}
	create(t, name, "agent")
}

func TestDanglingLinkIsThere(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "hello")
	if err := os.Symlink("nowhere", dir); err != nil {
		t.Skipf("skipped: no symbolic links: %v", err)
	}
	_, err := scaffold.Create(context.Background(), scaffold.Options{Name: "hello", Type: "agent", Dir: dir})
	if f := fault.As(err); f == nil || f.Code != "TARGET_EXISTS" {
		t.Errorf("error is %v", err)
	}
}

func TestInterrupt(t *testing.T) {
	parent := t.TempDir()
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(fault.Signal(fault.Interrupt))
	for _, kind := range scaffold.Types {
		_, err := scaffold.Create(ctx, scaffold.Options{Name: "hello", Type: kind, Dir: filepath.Join(parent, "hello.ts")})
		if fault.Exit(ctx, err) != int(fault.Interrupt) {
			t.Errorf("%s: exit %d for %v", kind, fault.Exit(ctx, err), err)
		}
	}
	if left := tree(t, parent); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
	if left, _ := os.ReadDir(parent); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

// countdown is a context that ends when it is looked at for the n-th time.
type countdown struct {
	context.Context
	looks int
}

func (c *countdown) Err() error {
	if c.looks--; c.looks < 0 {
		return context.Canceled
	}
	return nil
}

// TestInterruptAtAnyMoment ends the work a little later each time until it
// gets through: what is left is nothing, then everything.
func TestInterruptAtAnyMoment(t *testing.T) {
	for _, kind := range scaffold.Types {
		stopped := 0
		for {
			parent := t.TempDir()
			ctx := &countdown{context.Background(), stopped}
			_, err := scaffold.Create(ctx, scaffold.Options{Name: "hello", Type: kind, Dir: filepath.Join(parent, "hello.ts")})
			left, readErr := os.ReadDir(parent)
			if readErr != nil {
				t.Fatal(readErr)
			}
			if err == nil {
				break
			}
			if len(left) != 0 {
				t.Fatalf("%s, stopped after %d: %v is left", kind, stopped, left)
			}
			if stopped++; stopped > 100 {
				t.Fatalf("%s: never gets through: %v", kind, err)
			}
		}
		if stopped < 2 {
			t.Errorf("%s: looked at its context %d times only", kind, stopped)
		}
	}
}

func TestNothingLeftWhereNothingMayBeWritten(t *testing.T) {
	if runtime.GOOS == "windows" || os.Geteuid() == 0 {
		t.Skip("skipped: folder modes do not bind this user")
	}
	parent := t.TempDir()
	if err := os.Chmod(parent, 0o555); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(parent, 0o755) })
	_, err := scaffold.Create(context.Background(), scaffold.Options{Name: "hello", Type: "agent", Dir: filepath.Join(parent, "hello")})
	if f := fault.As(err); f == nil || f.Kind != fault.Usage || f.Code != "CREATE_FAILED" {
		t.Errorf("error is %v", err)
	}
}

func TestNextNamesThePlaceFromHere(t *testing.T) {
	parent := t.TempDir()
	spaced := filepath.Join(parent, "it's here")
	if err := os.Mkdir(spaced, 0o755); err != nil {
		t.Fatal(err)
	}
	r, err := scaffold.Create(context.Background(), scaffold.Options{
		Name: "hello", Type: "agent", Dir: filepath.Join(spaced, "hello"), From: parent,
	})
	if err != nil {
		t.Fatal(err)
	}
	want := `cd 'it'\''s here/hello'`
	if runtime.GOOS == "windows" {
		want = `cd "it's here\hello"`
	}
	if r.Next[0] != want {
		t.Errorf("got %s, want %s", r.Next[0], want)
	}
}
