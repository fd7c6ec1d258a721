package catalog_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/wuu-plugins/wuu/internal/catalog"
	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/manifest"
	"github.com/wuu-plugins/wuu/internal/paths"
	"github.com/wuu-plugins/wuu/lockfile"
	"github.com/wuu-plugins/wuu/pack"
)

var bg = context.Background()

func clock() time.Time { return time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC) }

// fatal is what both *testing.T and *rapid.T can do.
type fatal interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

func open(t fatal, dir string) (*catalog.Catalog, paths.Home) {
	t.Helper()
	home, err := paths.At(dir)
	if err != nil {
		t.Fatal(err)
	}
	return catalog.Open(home, clock), home
}

func newHome(t *testing.T) (*catalog.Catalog, paths.Home) {
	t.Helper()
	return open(t, filepath.Join(t.TempDir(), "home"))
}

// plugin describes a package that a test makes.
type plugin struct {
	id, version  string
	identity     string // default npm:<id>
	permissions  []string
	dependencies []manifest.Dependency
	requires     []string
	off          bool // default_enabled false
	lock         bool // comes from a registry, so a lock is written
	content      string
}

func (p plugin) manifest(t fatal) (*manifest.Manifest, []byte) {
	t.Helper()
	doc := map[string]any{"schema_version": 1, "id": p.id, "name": p.id, "version": p.version}
	if p.permissions != nil {
		doc["requested_permissions"] = p.permissions
	}
	if p.dependencies != nil {
		doc["dependencies"] = p.dependencies
	}
	if p.requires != nil {
		doc["requires"] = p.requires
	}
	if p.off {
		doc["default_enabled"] = false
	}
	b, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	m, found := manifest.Parse("plugin.json", b)
	if m == nil {
		t.Fatalf("manifest %s: %v", b, found)
	}
	return m, b
}

// fill writes the package of p into s and describes it.
func (p plugin) fill(t fatal, s *catalog.Stage) catalog.Candidate {
	t.Helper()
	m, src := p.manifest(t)
	files := map[string]string{"plugin.json": string(src), "dist/main.js": "// " + p.version + p.content + "\n"}
	size := 0
	for name, content := range files {
		if err := s.Root().MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := s.Root().WriteFile(name, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		size += len(content)
	}
	print, err := pack.FingerprintDir(bg, s.Root())
	if err != nil {
		t.Fatal(err)
	}
	identity := p.identity
	if identity == "" {
		identity = "npm:" + p.id
	}
	c := catalog.Candidate{
		Manifest: m, ManifestPath: "plugin.json", PackageFingerprint: print, FileCount: len(files), UnpackedSize: int64(size),
		Origin: catalog.Origin{Kind: "npm", Spec: identity + "@" + p.version, Identity: identity},
	}
	if p.lock {
		c.Lock = &lockfile.Lock{
			LockVersion: 1, Source: "npm", Registry: "https://registry.npmjs.org", Package: p.id, Version: p.version,
			Tarball:   "https://registry.npmjs.org/" + p.id + "/-/x.tgz",
			Integrity: "sha512-" + strings.Repeat("A", 86) + "==",
		}
	}
	return c
}

func stage(t fatal, c *catalog.Catalog, p plugin) (*catalog.Stage, catalog.Candidate) {
	t.Helper()
	s, err := c.NewStage()
	if err != nil {
		t.Fatal(err)
	}
	return s, p.fill(t, s)
}

func begin(t fatal, c *catalog.Catalog) *catalog.Tx {
	t.Helper()
	tx, err := c.Begin(bg)
	if err != nil {
		t.Fatal(err)
	}
	return tx
}

// change runs one transaction to its end.
func change(c *catalog.Catalog, step func(*catalog.Tx) (catalog.Change, error)) (done catalog.Change, err error) {
	tx, err := c.Begin(bg)
	if err != nil {
		return done, err
	}
	defer func() { err = errors.Join(err, tx.Close()) }()
	if done, err = step(tx); err != nil {
		return done, err
	}
	_, err = tx.Commit(bg)
	return done, err
}

func put(t fatal, c *catalog.Catalog, p plugin, consent catalog.Consent) (catalog.Change, error) {
	t.Helper()
	s, candidate := stage(t, c, p)
	defer s.Close()
	return change(c, func(tx *catalog.Tx) (catalog.Change, error) { return tx.Put(s, candidate, consent) })
}

func install(t fatal, c *catalog.Catalog, p plugin) catalog.Change {
	t.Helper()
	done, err := put(t, c, p, catalog.Consent{Yes: true})
	if err != nil {
		t.Fatalf("install %s %s: %v", p.id, p.version, err)
	}
	return done
}

func publish(t fatal, c *catalog.Catalog, p plugin, source string) (catalog.Change, error) {
	t.Helper()
	s, candidate := stage(t, c, p)
	defer s.Close()
	return change(c, func(tx *catalog.Tx) (catalog.Change, error) { return tx.PutDev(s, candidate, source) })
}

func snapshot(t fatal, c *catalog.Catalog) catalog.State {
	t.Helper()
	s, err := c.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// wantFault checks an error's kind and code, and gives it back for more.
func wantFault(t *testing.T, err error, kind fault.Kind, code string) *fault.Error {
	t.Helper()
	e := fault.As(err)
	if e == nil || e.Kind != kind || e.Code != code {
		t.Fatalf("got %v (%+v), want kind %d, code %s", err, e, kind, code)
	}
	return e
}

// checkComplete fails when a package that s calls good is not the whole
// package that its record is about.
func checkComplete(t fatal, s catalog.State) {
	t.Helper()
	for _, r := range append(append([]catalog.Record{}, s.Plugins...), s.Dev...) {
		if r.Broken != "" {
			t.Fatalf("%s %s is broken: %s", r.ID, r.Version, r.Broken)
		}
		root, err := os.OpenRoot(r.Root)
		if err != nil {
			t.Fatal(err)
		}
		got, err := pack.FingerprintDir(bg, root)
		root.Close()
		if err != nil || got != r.Fingerprint {
			t.Fatalf("%s %s at %s: fingerprint %s, %v, recorded %s", r.ID, r.Version, r.Root, got, err, r.Fingerprint)
		}
	}
}

// leftovers lists what only a transaction in progress may have below home.
func leftovers(t fatal, home paths.Home) (names []string) {
	t.Helper()
	filepath.WalkDir(home.Dir(), func(path string, d os.DirEntry, err error) error {
		name := d.Name()
		if err == nil && (strings.HasPrefix(name, ".") && name != lockfile.Name || path == home.JournalFile()) {
			names = append(names, path)
		}
		return err
	})
	return names
}
