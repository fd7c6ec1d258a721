package registry_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/sri"
	"github.com/wuu-plugins/wuu/lockfile"
	"github.com/wuu-plugins/wuu/registry"
)

func sampleLock() lockfile.Lock {
	return lockfile.Lock{
		LockVersion: 1, Source: "npm", Registry: "https://npm.example.com", Package: "@me/hello", Version: "1.2.3", PluginID: "hello",
		Tarball: "https://npm.example.com/@me/hello/-/hello-1.2.3.tgz", Integrity: sri.FormatSHA512([64]byte{7}),
	}
}

// tree makes a folder with a folder "dir" and some files, and returns its real path.
func tree(t *testing.T) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{
		"dir/plugin.json": "{}", "hello/plugin.json": "{}", "a.zip": "zip", "A.ZIP2": "", "b.tgz": "tgz", "c.tar.gz": "tgz", "Upper.TGZ": "tgz",
		"plain.txt": "", "saved.lock.json": string(sampleLock().Marshal()), "bad.lock.json": "{", lockfile.Name: "",
	} {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestParseSource(t *testing.T) {
	root := tree(t)
	at := func(name string) string { return filepath.Join(root, filepath.FromSlash(name)) }
	good := sri.FormatSHA512([64]byte{9})
	lock := sampleLock()
	for _, c := range []struct {
		spec     string
		o        registry.SourceOptions
		want     registry.Source
		identity string
	}{
		{"./dir", registry.SourceOptions{}, registry.Source{Kind: registry.Directory, Path: at("dir")}, "local:" + at("dir")},
		{"dir", registry.SourceOptions{}, registry.Source{Kind: registry.Directory, Path: at("dir")}, "local:" + at("dir")},
		{"dir/../dir/", registry.SourceOptions{}, registry.Source{Kind: registry.Directory, Path: at("dir")}, "local:" + at("dir")},
		{".", registry.SourceOptions{}, registry.Source{Kind: registry.Directory, Path: root}, "local:" + root},
		{at("dir"), registry.SourceOptions{}, registry.Source{Kind: registry.Directory, Path: at("dir")}, "local:" + at("dir")},
		{"./a.zip", registry.SourceOptions{}, registry.Source{Kind: registry.Zip, Path: at("a.zip")}, "local:" + at("a.zip")},
		{"a.zip", registry.SourceOptions{Integrity: good}, registry.Source{Kind: registry.Zip, Path: at("a.zip"), Integrity: good}, "local:" + at("a.zip")},
		{"b.tgz", registry.SourceOptions{}, registry.Source{Kind: registry.TGZ, Path: at("b.tgz")}, "local:" + at("b.tgz")},
		{"c.tar.gz", registry.SourceOptions{}, registry.Source{Kind: registry.TGZ, Path: at("c.tar.gz")}, "local:" + at("c.tar.gz")},
		{"Upper.TGZ", registry.SourceOptions{}, registry.Source{Kind: registry.TGZ, Path: at("Upper.TGZ")}, "local:" + at("Upper.TGZ")},
		{"npm:left-pad@1.3.0", registry.SourceOptions{}, registry.Source{Kind: registry.NPM, Registry: "https://registry.npmjs.org", Package: "left-pad", Version: "1.3.0"}, "npm:https://registry.npmjs.org/left-pad"},
		{"npm:@me/hello@1.0.0-rc.1", registry.SourceOptions{Default: "https://npm.example.com/"}, registry.Source{Kind: registry.NPM, Registry: "https://npm.example.com", Package: "@me/hello", Version: "1.0.0-rc.1"}, "npm:https://npm.example.com/@me/hello"},
		{"npm:a@1.0.0", registry.SourceOptions{Registry: "https://NPM.example.com:443", Default: "https://other.example.com", Integrity: good}, registry.Source{Kind: registry.NPM, Registry: "https://npm.example.com", Package: "a", Version: "1.0.0", Integrity: good}, "npm:https://npm.example.com/a"},
		{"npm:a@1.0.0", registry.SourceOptions{Registry: "http://127.0.0.1:4873", InsecureLoopback: true}, registry.Source{Kind: registry.NPM, Registry: "http://127.0.0.1:4873", Package: "a", Version: "1.0.0"}, "npm:http://127.0.0.1:4873/a"},
		{"lock:saved.lock.json", registry.SourceOptions{Default: "https://other.example.com"}, registry.Source{Kind: registry.Replay, Path: at("saved.lock.json"), Registry: lock.Registry, Package: lock.Package, Version: lock.Version, Integrity: lock.Integrity, Lock: &lock}, "npm:https://npm.example.com/@me/hello"},
		{"lock:" + at("saved.lock.json"), registry.SourceOptions{}, registry.Source{Kind: registry.Replay, Path: at("saved.lock.json"), Registry: lock.Registry, Package: lock.Package, Version: lock.Version, Integrity: lock.Integrity, Lock: &lock}, "npm:https://npm.example.com/@me/hello"},
	} {
		c.o.Dir = root
		c.want.Spec = c.spec
		got, err := registry.ParseSource(c.spec, c.o)
		if err != nil {
			t.Errorf("%s: %v", c.spec, err)
			continue
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s: %s", c.spec, d)
		}
		if got.Identity() != c.identity {
			t.Errorf("%s: identity %s, want %s", c.spec, got.Identity(), c.identity)
		}
	}
}

func TestParseSourceRefuses(t *testing.T) {
	root := tree(t)
	good := sri.FormatSHA512([64]byte{9})
	sha256 := "sha256-" + strings.Repeat("A", 43) + "="
	for _, c := range []struct {
		spec string
		o    registry.SourceOptions
		kind fault.Kind
		code string
		text string // of message and hint
	}{
		{"", registry.SourceOptions{}, fault.Usage, "SOURCE_UNKNOWN", "npm:<name>@<exact version>"},
		{"left", registry.SourceOptions{}, fault.Usage, "SOURCE_UNKNOWN", "npm:left@<exact version>; for a folder, ./left"},
		{"@me/hello", registry.SourceOptions{}, fault.Usage, "SOURCE_UNKNOWN", "npm:@me/hello@<exact version>"},
		{"left-pad@1.3.0", registry.SourceOptions{}, fault.Usage, "SOURCE_UNKNOWN", "write npm:left-pad@1.3.0"},
		{"@me/hello@1.3.0", registry.SourceOptions{}, fault.Usage, "SOURCE_UNKNOWN", "write npm:@me/hello@1.3.0"},
		{"./left", registry.SourceOptions{}, fault.Usage, "SOURCE_MISSING", "no such file or folder"},
		{"x.zip", registry.SourceOptions{}, fault.Usage, "SOURCE_MISSING", "no such file or folder"},
		{"a.zip/x", registry.SourceOptions{}, fault.Usage, "SOURCE_MISSING", ""},
		{"plain.txt", registry.SourceOptions{}, fault.Usage, "SOURCE_UNSUPPORTED", "not a .zip"},
		{"saved.lock.json", registry.SourceOptions{}, fault.Usage, "SOURCE_UNSUPPORTED", "write lock:saved.lock.json"},
		{lockfile.Name, registry.SourceOptions{}, fault.Usage, "SOURCE_UNSUPPORTED", "write lock:" + lockfile.Name},
		{"./dir", registry.SourceOptions{Integrity: good}, fault.Usage, "SOURCE_CONFLICT", "--integrity"},
		{"./dir", registry.SourceOptions{Registry: "https://npm.example.com"}, fault.Usage, "SOURCE_CONFLICT", "--registry"},
		{"a.zip", registry.SourceOptions{Registry: "https://npm.example.com"}, fault.Usage, "SOURCE_CONFLICT", "--registry"},
		{"a.zip", registry.SourceOptions{Integrity: sha256}, fault.Usage, "INTEGRITY_INVALID", "sha512"},
		{"npm:a@1.0.0", registry.SourceOptions{Integrity: "md5-x"}, fault.Usage, "INTEGRITY_INVALID", "sha512"},
		{"npm:a@1.0.0", registry.SourceOptions{Integrity: "sha512-AAAA"}, fault.Usage, "INTEGRITY_INVALID", "want 64"},
		{"npm:a@1.0.0", registry.SourceOptions{Registry: "npm.example.com"}, fault.Usage, "REGISTRY_INVALID", "--registry"},
		{"npm:a@1.0.0", registry.SourceOptions{Registry: "https://npm.example.com/npm"}, fault.Usage, "REGISTRY_INVALID", "without a path"},
		{"npm:a@1.0.0", registry.SourceOptions{Registry: "https://u:p@npm.example.com"}, fault.Usage, "REGISTRY_INVALID", "credentials"},
		{"npm:a@1.0.0", registry.SourceOptions{Registry: "http://npm.example.com", InsecureLoopback: true}, fault.Usage, "REGISTRY_INVALID", "plain HTTP"},
		{"npm:a@1.0.0", registry.SourceOptions{Registry: "http://127.0.0.1:4873"}, fault.Usage, "REGISTRY_INVALID", "WUU_INSECURE_LOOPBACK"},
		{"npm:a@1.0.0", registry.SourceOptions{Default: "http://127.0.0.1:4873", InsecureLoopback: true}, fault.Usage, "REGISTRY_INVALID", "HTTP"},
		{"npm:", registry.SourceOptions{}, fault.Usage, "NPM_NAME_INVALID", "empty"},
		{"npm:@1.0.0", registry.SourceOptions{}, fault.Usage, "NPM_NAME_INVALID", ""},
		{"npm:../evil@1.0.0", registry.SourceOptions{}, fault.Usage, "NPM_NAME_INVALID", ""},
		{"npm:@me@1.0.0", registry.SourceOptions{}, fault.Usage, "NPM_NAME_INVALID", "@scope/name"},
		{"npm:a b@1.0.0", registry.SourceOptions{}, fault.Usage, "NPM_NAME_INVALID", ""},
		{"npm:left-pad", registry.SourceOptions{}, fault.Usage, "SOURCE_NOT_EXACT", "no version is given"},
		{"npm:left-pad@", registry.SourceOptions{}, fault.Usage, "SOURCE_NOT_EXACT", "no version is given"},
		{"npm:left-pad@^1", registry.SourceOptions{}, fault.Usage, "SOURCE_NOT_EXACT", `"^1" is a range`},
		{"npm:left-pad@1.3", registry.SourceOptions{}, fault.Usage, "SOURCE_NOT_EXACT", `"1.3" is a range`},
		{"npm:left-pad@v1.3.0", registry.SourceOptions{}, fault.Usage, "SOURCE_NOT_EXACT", "exact version"},
		{"npm:left-pad@latest", registry.SourceOptions{}, fault.Usage, "SOURCE_NOT_EXACT", `"latest" is not an exact version`},
		{"npm:left-pad@npm:other@1.0.0", registry.SourceOptions{}, fault.Usage, "SOURCE_NOT_EXACT", "exact version"},
		{"npm:@me/hello@~1.0", registry.SourceOptions{}, fault.Usage, "SOURCE_NOT_EXACT", "npm:@me/hello@1.2.3"},
		{"https://example.com/a.tgz", registry.SourceOptions{}, fault.Usage, "SOURCE_NOT_EXACT", "download the archive"},
		{"git+ssh://git@example.com/a.git", registry.SourceOptions{}, fault.Usage, "SOURCE_NOT_EXACT", "git and web addresses"},
		{"git@example.com:a/b.git", registry.SourceOptions{}, fault.Usage, "SOURCE_NOT_EXACT", "git and web addresses"},
		{"github:a/b", registry.SourceOptions{}, fault.Usage, "SOURCE_NOT_EXACT", "git and web addresses"},
		{"file:../a.zip", registry.SourceOptions{}, fault.Usage, "SOURCE_NOT_EXACT", "write the path alone"},
		{"lock:", registry.SourceOptions{}, fault.Usage, "LOCK_MISSING", "lock:<path>"},
		{"lock:none.json", registry.SourceOptions{}, fault.Usage, "LOCK_MISSING", "no such lock"},
		{"lock:bad.lock.json", registry.SourceOptions{}, fault.Lock, "LOCK_TRUNCATED", "bad.lock.json: line 1"},
		{"lock:saved.lock.json", registry.SourceOptions{Registry: "https://npm.example.com"}, fault.Usage, "SOURCE_CONFLICT", "--registry"},
		{"lock:saved.lock.json", registry.SourceOptions{Integrity: good}, fault.Usage, "SOURCE_CONFLICT", "--integrity"},
	} {
		c.o.Dir = root
		got, err := registry.ParseSource(c.spec, c.o)
		var e *fault.Error
		if !errors.As(err, &e) || got.Kind != "" {
			t.Errorf("%q: %+v, %v", c.spec, got, err)
			continue
		}
		if text := e.Error() + " hint: " + e.Hint; e.Kind != c.kind || e.Code != c.code || !strings.Contains(text, c.text) {
			t.Errorf("%q: kind %d, %s: %s; want kind %d, %s with %q", c.spec, e.Kind, e.Code, text, c.kind, c.code, c.text)
		}
	}
}

func TestParseSourceLocksOverHTTP(t *testing.T) {
	lock := sampleLock()
	lock.Registry, lock.Tarball = "http://127.0.0.1:4873", "http://127.0.0.1:4873/a.tgz"
	file := filepath.Join(t.TempDir(), "x.lock.json")
	if err := os.WriteFile(file, lock.Marshal(), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := registry.ParseSource("lock:"+file, registry.SourceOptions{}); fault.As(err).Kind != fault.Lock {
		t.Errorf("without the variable: %v", err)
	}
	if _, err := registry.ParseSource("lock:"+file, registry.SourceOptions{InsecureLoopback: true}); err != nil {
		t.Errorf("with it: %v", err)
	}
}

// The identity of a local source does not depend on how it was reached.
func TestIdentityThroughASymbolicLink(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need rights on Windows")
	}
	root := tree(t)
	if err := os.Symlink("dir", filepath.Join(root, "link")); err != nil {
		t.Fatal(err)
	}
	a, err := registry.ParseSource("./dir", registry.SourceOptions{Dir: root})
	if err != nil {
		t.Fatal(err)
	}
	b, err := registry.ParseSource("./link", registry.SourceOptions{Dir: root})
	if err != nil || a.Identity() != b.Identity() {
		t.Errorf("%q and %q, %v", a.Identity(), b.Identity(), err)
	}
}

func FuzzParseSource(f *testing.F) {
	for _, s := range []string{"npm:a@1.0.0", "npm:@a/b@^1", "lock:x", "./dir", "https://x", "@a", "C:\\x.zip", "a@1.0.0", "npm:@"} {
		f.Add(s)
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, spec string) {
		s, err := registry.ParseSource(spec, registry.SourceOptions{Dir: dir})
		if err != nil {
			if e := new(fault.Error); !errors.As(err, &e) || e.Kind != fault.Usage && e.Kind != fault.Lock {
				t.Fatalf("%q: %v", spec, err)
			}
			return
		}
		if s.Spec != spec {
			t.Fatalf("%q became %q", spec, s.Spec)
		}
		if s.Kind == registry.NPM {
			if again, err := registry.ParseSource("npm:"+s.Package+"@"+s.Version, registry.SourceOptions{Dir: dir}); err != nil || again.Identity() != s.Identity() {
				t.Fatalf("%q: %v, %v", spec, again, err)
			}
		}
	})
}
