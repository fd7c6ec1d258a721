package registry_test

import (
	"bytes"
	"context"
	"crypto/sha512"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/sri"
	"github.com/wuu-plugins/wuu/lockfile"
	"github.com/wuu-plugins/wuu/registry"
	"github.com/wuu-plugins/wuu/registry/registrytest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// world is a registry, an empty store and a client; the client's waits cost nothing.
type world struct {
	t      *testing.T
	server *registrytest.Server
	cache  string
	client *registry.Client
}

func newWorld(t *testing.T) *world {
	t.Helper()
	s, err := registrytest.Start()
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, server: s, cache: filepath.Join(t.TempDir(), "cache")}
	w.client = w.newClient(func(*registry.ClientOptions) {})
	t.Cleanup(func() {
		w.client.Close()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return w
}

func (w *world) newClient(change func(*registry.ClientOptions)) *registry.Client {
	w.t.Helper()
	o := registry.ClientOptions{
		CacheDir: w.cache, Getenv: w.server.Getenv, UA: "wuu/test",
		Sleep: func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
	}
	change(&o)
	c, err := registry.NewClient(o)
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(c.Close)
	return c
}

func (w *world) offline() *registry.Client {
	return w.newClient(func(o *registry.ClientOptions) { o.Offline = true })
}

// publish makes a package of about 100 kB that does not compress.
func (w *world) publish(name, version string) ([]byte, registrytest.Published) {
	w.t.Helper()
	noise := make([]byte, 0, 100_000)
	for h := sha512.Sum512([]byte(name + version)); len(noise) < 100_000; h = sha512.Sum512(h[:]) {
		noise = append(noise, h[:]...)
	}
	tgz, err := registrytest.Pack(map[string]string{"package.json": fmt.Sprintf(`{"name":%q,"version":%q}`, name, version), "data": string(noise)})
	if err != nil {
		w.t.Fatal(err)
	}
	p, err := w.server.Publish(tgz)
	if err != nil {
		w.t.Fatal(err)
	}
	return tgz, p
}

func (w *world) source(spec string, change ...func(*registry.SourceOptions)) registry.Source {
	w.t.Helper()
	o := registry.SourceOptions{Default: w.server.URL()}
	for _, f := range change {
		f(&o)
	}
	s, err := registry.ParseSource(spec, o)
	if err != nil {
		w.t.Fatal(err)
	}
	return s
}

// fetch returns the artifact's bytes.
func (w *world) fetch(c *registry.Client, s registry.Source) (*registry.Artifact, []byte, error) {
	w.t.Helper()
	a, err := c.Fetch(w.t.Context(), s, nil)
	if err != nil {
		if a != nil {
			w.t.Errorf("%s: an artifact beside the error %v", s.Spec, err)
		}
		return nil, nil, err
	}
	defer a.Close()
	data, readErr := io.ReadAll(io.NewSectionReader(a.Blob, 0, a.Size))
	return a, data, readErr
}

// paths lists what the registry was asked for.
func (w *world) paths() (all []string) {
	for _, r := range w.server.Requests() {
		all = append(all, r.Path)
	}
	return all
}

// files lists the store's files.
func (w *world) files() (all []string) {
	w.t.Helper()
	err := filepath.WalkDir(w.cache, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			all = append(all, path)
		}
		return nil
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return all
}

func hexName(tgz []byte) string { return fmt.Sprintf("%x", sha512.Sum512(tgz)) }

func TestFetchNPM(t *testing.T) {
	for _, name := range []string{"hello", "@me/hello"} {
		w := newWorld(t)
		tgz, p := w.publish(name, "1.2.3")
		s := w.source("npm:" + name + "@1.2.3")
		var phases []registry.Phase
		a, err := w.client.Fetch(t.Context(), s, func(ph registry.Phase) { phases = append(phases, ph) })
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(io.NewSectionReader(a.Blob, 0, a.Size))
		if err != nil || !bytes.Equal(data, tgz) || a.SHA512 != sha512.Sum512(tgz) || a.Name != name || a.Version != "1.2.3" || a.Source.Spec != s.Spec {
			t.Errorf("%d bytes, %v, %+v", len(data), err, a)
		}
		want := &lockfile.Lock{LockVersion: 1, Source: "npm", Registry: w.server.URL(), Package: name, Version: "1.2.3", Tarball: p.Tarball, Integrity: p.Integrity}
		if d := cmp.Diff(want, a.Lock); d != "" {
			t.Error(d)
		}
		if err := a.Close(); err != nil {
			t.Error(err)
		}
		if d := cmp.Diff([]string{"/" + strings.ReplaceAll(name, "/", "%2F") + "/1.2.3", "/" + name + "/-/hello-1.2.3.tgz"}, w.paths()); d != "" {
			t.Error(d)
		}
		n := int64(len(tgz))
		if first, last := phases[0], phases[len(phases)-1]; first.Name != "resolve" || last != (registry.Phase{Name: "done", Bytes: n, Total: n}) ||
			!slices.Contains(phases, registry.Phase{Name: "download", Bytes: n, Total: n}) || !slices.Contains(phases, registry.Phase{Name: "verify", Bytes: n, Total: n}) {
			t.Errorf("phases %v", phases)
		}
		blob := filepath.Join(w.cache, "sha512", hexName(tgz)[:2], hexName(tgz))
		if d := cmp.Diff([]string{blob, blob + ".json"}, w.files()); d != "" {
			t.Error(d)
		}
		for _, r := range w.server.Requests() {
			if r.Query != "" || r.Header.Get("Cookie") != "" || r.Header.Get("Authorization") != "" {
				t.Errorf("request %+v", r)
			}
		}
	}
}

func TestFetchTakesTheStoreFirst(t *testing.T) {
	w := newWorld(t)
	tgz, _ := w.publish("hello", "1.0.0")
	s := w.source("npm:hello@1.0.0")
	for range 2 {
		if _, data, err := w.fetch(w.client, s); err != nil || !bytes.Equal(data, tgz) {
			t.Fatal(err)
		}
	}
	if d := cmp.Diff([]string{"/hello/1.0.0", "/hello/-/hello-1.0.0.tgz", "/hello/1.0.0"}, w.paths()); d != "" {
		t.Error(d)
	}
	// Altered on disk: noticed, dropped and fetched again.
	blob := w.files()[0]
	altered := bytes.Clone(tgz)
	altered[len(altered)/2] ^= 1
	if err := os.WriteFile(blob, altered, 0o600); err != nil {
		t.Fatal(err)
	}
	w.server.ResetRequests()
	if _, data, err := w.fetch(w.client, s); err != nil || !bytes.Equal(data, tgz) {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"/hello/1.0.0", "/hello/-/hello-1.0.0.tgz"}, w.paths()); d != "" {
		t.Error(d)
	}
	if stored, err := os.ReadFile(blob); err != nil || !bytes.Equal(stored, tgz) {
		t.Errorf("the store still has other bytes: %v", err)
	}
	// Offline an altered archive is as good as none.
	if err := os.WriteFile(blob, altered, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := w.fetch(w.offline(), s); fault.As(err).Code != "OFFLINE_MISSING" {
		t.Errorf("got %v", err)
	}
}

func TestFetchIsSafeFromPlantedFiles(t *testing.T) {
	w := newWorld(t)
	tgz, _ := w.publish("hello", "1.0.0")
	victim := filepath.Join(t.TempDir(), "victim")
	if err := os.WriteFile(victim, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	blob := filepath.Join(w.cache, "sha512", hexName(tgz)[:2], hexName(tgz))
	if err := os.MkdirAll(filepath.Dir(blob), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(victim, blob); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
	if err := os.Symlink(victim, blob+".json"); err != nil {
		t.Fatal(err)
	}
	if _, data, err := w.fetch(w.client, w.source("npm:hello@1.0.0")); err != nil || !bytes.Equal(data, tgz) {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(victim); err != nil || string(got) != "precious" {
		t.Errorf("written through the link: %q, %v", got, err)
	}
	for _, path := range []string{blob, blob + ".json"} {
		if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
			t.Errorf("%s: %v, %v", path, info, err)
		}
	}
}

func TestFetchRefuses(t *testing.T) {
	other := sri.FormatSHA512([64]byte{3})
	html := registrytest.CaptivePage()
	for _, c := range []struct {
		name      string
		integrity string
		target    registrytest.Target
		fault     registrytest.Fault
		kind      fault.Kind
		code      string
		text      []string // of message and hint
		tarballs  int      // requests for the tarball
	}{
		{"wrong bytes", "", registrytest.Tarball, registrytest.CorruptBody(), fault.Refused, "INTEGRITY_MISMATCH", []string{"wanted sha512-", "got sha512-", "nothing was kept", "-1.0.0.tgz"}, 1},
		{"page instead of the tarball", "", registrytest.Tarball, html, fault.Refused, "INTEGRITY_MISMATCH", []string{"HTML page", "captive portal", "login"}, 1},
		{"wrong integrity", "", registrytest.VersionFile, registrytest.WrongIntegrity(), fault.Refused, "INTEGRITY_MISMATCH", []string{"wanted sha512-AAAA"}, 1},
		{"--integrity differs from the registry's", other, registrytest.Any, registrytest.NoRange(), fault.Refused, "INTEGRITY_MISMATCH", []string{"--integrity", "wanted " + other, "got sha512-"}, 0},
		{"no sha512", "", registrytest.VersionFile, registrytest.NoSHA512(), fault.Refused, "INTEGRITY_MISSING", []string{"no usable sha512"}, 0},
		{"sha256 only", "", registrytest.VersionFile, dist("integrity", "sha256-"+strings.Repeat("A", 43)+"="), fault.Refused, "INTEGRITY_MISSING", []string{"strongest hash is sha256"}, 0},
		{"shasum disagrees", "", registrytest.VersionFile, dist("shasum", strings.Repeat("0", 40)), fault.Refused, "INTEGRITY_MISMATCH", []string{"wanted sha1-AAAA", "got sha1-"}, 1},
		{"shasum is nonsense", "", registrytest.VersionFile, dist("shasum", "xyz"), fault.Network, "REGISTRY_METADATA", []string{"xyz"}, 0},
		{"tarball elsewhere", "", registrytest.VersionFile, registrytest.TarballAt("https://cdn.example.com/a.tgz"), fault.Refused, "TARBALL_ORIGIN", []string{"https://cdn.example.com/a.tgz", "the registry is https://127.0.0.1"}, 0},
		{"tarball over HTTP", "", registrytest.VersionFile, registrytest.TarballAt("http://127.0.0.1:1/a.tgz"), fault.Refused, "TARBALL_ORIGIN", []string{"HTTP"}, 0},
		{"tarball with query", "", registrytest.VersionFile, registrytest.TarballAt("https://127.0.0.1/a.tgz?x=1"), fault.Refused, "TARBALL_ORIGIN", []string{"query"}, 0},
		{"no tarball", "", registrytest.VersionFile, registrytest.TarballAt(""), fault.Refused, "TARBALL_ORIGIN", nil, 0},
		{"another name", "", registrytest.VersionFile, doc("name", "evil"), fault.Refused, "METADATA_MISMATCH", []string{`"evil" "1.0.0"`}, 0},
		{"another version", "", registrytest.VersionFile, doc("version", "1.0.1"), fault.Refused, "METADATA_MISMATCH", []string{`"hello" "1.0.1"`}, 0},
		{"dist is no object", "", registrytest.VersionFile, doc("dist", "x"), fault.Network, "REGISTRY_CONTENT", []string{"something else"}, 0},
		{"page instead of metadata", "", registrytest.VersionFile, html, fault.Network, "REGISTRY_CONTENT", []string{"HTML page", "captive portal"}, 0},
		{"metadata too large", "", registrytest.VersionFile, registrytest.Oversize(4 << 20), fault.Network, "METADATA_TOO_LARGE", []string{"4194304"}, 0},
		{"redirect away", "", registrytest.Tarball, registrytest.RedirectTo("https://cdn.example.com/a.tgz"), fault.Network, "REDIRECT_REFUSED", []string{"https://cdn.example.com"}, 1},
		{"redirect loop", "", registrytest.Tarball, registrytest.RedirectLoop(), fault.Network, "REDIRECT_REFUSED", []string{"more than 5"}, 6},
		{"503 for ever", "", registrytest.Tarball, registrytest.StatusCode(503, ""), fault.Network, "REGISTRY_STATUS", []string{"503", "3 tries"}, 3},
		{"401", "", registrytest.VersionFile, registrytest.StatusCode(401, ""), fault.Network, "REGISTRY_DENIED", []string{"no credentials"}, 0},
		{"tarball 404", "", registrytest.Tarball, registrytest.StatusCode(404, ""), fault.Network, "REGISTRY_NOT_FOUND", []string{"404", "-1.0.0.tgz"}, 1},
		{"hangs up", "", registrytest.Any, registrytest.HangUp(), fault.Network, "NETWORK", []string{"3 tries"}, 0},
		{"always cut", "", registrytest.Tarball, registrytest.CutBody(1000), fault.Network, "NETWORK", []string{"the connection broke after 3000 of"}, 3},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			w.publish("hello", "1.0.0")
			w.server.Inject(c.target, c.fault)
			s := w.source("npm:hello@1.0.0", func(o *registry.SourceOptions) { o.Integrity = c.integrity })
			_, _, err := w.fetch(w.client, s)
			var e *fault.Error
			if !errors.As(err, &e) {
				t.Fatalf("got %v (%T)", err, err)
			}
			text := e.Error() + " hint: " + e.Hint
			if e.Kind != c.kind || e.Code != c.code || e.Subject != s.Spec {
				t.Errorf("kind %d, %s, subject %s: %s", e.Kind, e.Code, e.Subject, text)
			}
			for _, part := range c.text {
				if !strings.Contains(text, part) {
					t.Errorf("%q is not in: %s", part, text)
				}
			}
			tarballs := 0
			for _, r := range w.server.Requests() {
				if r.Target == registrytest.Tarball {
					tarballs++
				}
			}
			if c.name != "hangs up" && tarballs != c.tarballs {
				t.Errorf("%d requests for the tarball, want %d", tarballs, c.tarballs)
			}
			if left := w.files(); len(left) != 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

func dist(key string, value any) registrytest.Fault {
	return registrytest.Metadata(func(doc map[string]any) { doc["dist"].(map[string]any)[key] = value })
}

func doc(key string, value any) registrytest.Fault {
	return registrytest.Metadata(func(doc map[string]any) { doc[key] = value })
}

func TestFetchSurvives(t *testing.T) {
	for _, c := range []struct {
		name   string
		target registrytest.Target
		fault  registrytest.Fault
		last   string // Range of the last request
	}{
		{"two times 503", registrytest.Tarball, registrytest.StatusCode(503, "1").Times(2), ""},
		{"429 for metadata", registrytest.VersionFile, registrytest.StatusCode(429, "1").Times(1), ""},
		{"a cut body is continued", registrytest.Tarball, registrytest.CutBody(70_000).Times(1), "bytes=70000-"},
		{"metadata cut", registrytest.VersionFile, registrytest.CutBody(10).Times(1), ""},
		{"redirect inside the registry", registrytest.Tarball, registrytest.RedirectTo("/hello/-/hello-1.0.0.tgz").Times(1), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			tgz, _ := w.publish("hello", "1.0.0")
			w.server.Inject(c.target, c.fault)
			_, data, err := w.fetch(w.client, w.source("npm:hello@1.0.0"))
			if err != nil || !bytes.Equal(data, tgz) {
				t.Fatalf("%d bytes, %v", len(data), err)
			}
			log := w.server.Requests()
			if got := log[len(log)-1].Header.Get("Range"); got != c.last {
				t.Errorf("the last request was for %q, want %q", got, c.last)
			}
			if len(w.files()) != 2 {
				t.Errorf("in the store: %v", w.files())
			}
		})
	}
}

func TestFetchWithAgreedIntegrity(t *testing.T) {
	w := newWorld(t)
	tgz, p := w.publish("hello", "1.0.0")
	other := sri.FormatSHA512([64]byte{1})
	for _, given := range []string{p.Integrity, other + " " + p.Integrity, "sha1-AAAAAAAAAAAAAAAAAAAAAAAAAAA= " + p.Integrity} {
		s := w.source("npm:hello@1.0.0", func(o *registry.SourceOptions) { o.Integrity = given })
		if a, data, err := w.fetch(w.client, s); err != nil || !bytes.Equal(data, tgz) || a.Lock.Integrity != p.Integrity {
			t.Errorf("%s: %v", given, err)
		}
	}
	// The registry states two alternatives and --integrity the one that is false.
	w.server.Inject(registrytest.VersionFile, dist("integrity", other+" "+p.Integrity))
	s := w.source("npm:hello@1.0.0", func(o *registry.SourceOptions) { o.Integrity = other })
	if _, _, err := w.fetch(w.client, s); fault.As(err).Code != "INTEGRITY_MISMATCH" {
		t.Errorf("got %v", err)
	}
}

func TestFetchNotFound(t *testing.T) {
	w := newWorld(t)
	for _, v := range []string{"1.0.0", "1.1.0", "1.2.0", "1.3.0", "2.0.0"} {
		w.publish("hello", v)
	}
	for spec, want := range map[string][2]string{
		"npm:hello@1.1.5": {"version 1.1.5 does not exist", "there is npm:hello@1.3.0, npm:hello@1.2.0"},
		"npm:hello@9.9.9": {"version 9.9.9 does not exist", "there is npm:hello@2.0.0, npm:hello@1.3.0, npm:hello@1.2.0"},
		"npm:other@1.0.0": {"404", "check the name"},
	} {
		_, _, err := w.fetch(w.client, w.source(spec))
		e := fault.As(err)
		if e.Kind != fault.Network || e.Code != "REGISTRY_NOT_FOUND" || e.Subject != spec || !strings.Contains(e.Error(), want[0]) || !strings.HasPrefix(e.Hint, want[1]) {
			t.Errorf("%s: %d %s %v hint: %s", spec, e.Kind, e.Code, e, e.Hint)
		}
	}
}

// A registry without version documents has packuments.
func TestFetchFallsBackToThePackument(t *testing.T) {
	for _, status := range []int{404, 405, 406, 400, 501} {
		w := newWorld(t)
		tgz, _ := w.publish("@me/hello", "1.0.0")
		w.server.Inject(registrytest.VersionFile, registrytest.StatusCode(status, ""))
		if _, data, err := w.fetch(w.client, w.source("npm:@me/hello@1.0.0")); err != nil || !bytes.Equal(data, tgz) {
			t.Errorf("%d: %v", status, err)
		}
		accept := w.server.Requests()[1].Header.Get("Accept")
		if w.paths()[1] != "/@me%2Fhello" || !strings.HasPrefix(accept, "application/vnd.npm.install-v1+json; q=1.0") {
			t.Errorf("%d: %v, accept %q", status, w.paths(), accept)
		}
	}
}

func TestFetchDeprecated(t *testing.T) {
	w := newWorld(t)
	w.publish("hello", "1.0.0")
	w.server.Inject(registrytest.VersionFile, doc("deprecated", "use hallo").Times(1))
	s := w.source("npm:hello@1.0.0")
	if a, _, err := w.fetch(w.client, s); err != nil || a.Deprecated != "use hallo" {
		t.Errorf("%+v, %v", a, err)
	}
	w.server.Inject(registrytest.VersionFile, doc("deprecated", true))
	if a, _, err := w.fetch(w.client, s); err != nil || a.Deprecated != "" {
		t.Errorf("%+v, %v", a, err)
	}
}

func TestCancelLeavesNothing(t *testing.T) {
	stop := fault.Signal(fault.Interrupt)
	for name, c := range map[string]struct {
		target registrytest.Target
		phase  string
	}{"in the metadata": {registrytest.VersionFile, "resolve"}, "in the tarball": {registrytest.Tarball, "download"}} {
		w := newWorld(t)
		w.publish("hello", "1.0.0")
		w.server.Inject(c.target, registrytest.StallBody(50))
		ctx, cancel := context.WithCancelCause(t.Context())
		_, err := w.client.Fetch(ctx, w.source("npm:hello@1.0.0"), func(ph registry.Phase) {
			if ph.Name == c.phase {
				cancel(stop)
			}
		})
		if !errors.Is(err, stop) || fault.Exit(ctx, err) != int(fault.Interrupt) {
			t.Errorf("%s: %v, exit %d", name, err, fault.Exit(ctx, err))
		}
		if left := w.files(); len(left) != 0 {
			t.Errorf("%s: left behind %v", name, left)
		}
	}
}

func TestOffline(t *testing.T) {
	w := newWorld(t)
	tgz, p := w.publish("@me/hello", "1.0.0")
	s := w.source("npm:@me/hello@1.0.0")
	if _, _, err := w.fetch(w.offline(), s); fault.As(err).Code != "OFFLINE_MISSING" || fault.As(err).Kind != fault.Network || !strings.Contains(fault.As(err).Hint, "--offline") {
		t.Errorf("empty store: %v", err)
	}
	online, _, err := w.fetch(w.client, s)
	if err != nil {
		t.Fatal(err)
	}
	w.server.ResetRequests()
	a, data, err := w.fetch(w.offline(), s)
	if err != nil || !bytes.Equal(data, tgz) {
		t.Fatal(err)
	}
	if d := cmp.Diff(online.Lock, a.Lock); d != "" {
		t.Error(d)
	}
	with := func(integrity string) registry.Source {
		return w.source("npm:@me/hello@1.0.0", func(o *registry.SourceOptions) { o.Integrity = integrity })
	}
	if _, _, err := w.fetch(w.offline(), with(p.Integrity)); err != nil {
		t.Errorf("with the right --integrity: %v", err)
	}
	if _, _, err := w.fetch(w.offline(), with(sri.FormatSHA512([64]byte{1}))); fault.As(err).Code != "INTEGRITY_MISMATCH" {
		t.Errorf("with a wrong --integrity: %v", err)
	}
	// Another registry's package of the same name is another package.
	s.Registry = "https://npm.example.com"
	if _, _, err := w.fetch(w.offline(), s); fault.As(err).Code != "OFFLINE_MISSING" {
		t.Errorf("another registry: %v", err)
	}
	if got := w.paths(); len(got) != 0 {
		t.Errorf("the network was used: %v", got)
	}
}

// A record that does not fit its archive is no record.
func TestOfflineDistrustsRecords(t *testing.T) {
	for name, edit := range map[string][2]string{
		"integrity of another": {`"integrity": "sha512-`, `"integrity": "sha512-AAAA`},
		"tarball elsewhere":    {`"tarball": "https://`, `"tarball": "https://cdn.`},
		"no JSON":              {`{`, `[`},
		"registry with path":   {`"registry": "`, `"registry": "https://npm.example.com/x`},
	} {
		w := newWorld(t)
		w.publish("hello", "1.0.0")
		s := w.source("npm:hello@1.0.0")
		if _, _, err := w.fetch(w.client, s); err != nil {
			t.Fatal(err)
		}
		record := w.files()[1]
		src, err := os.ReadFile(record)
		if err != nil || !bytes.Contains(src, []byte(edit[0])) {
			t.Fatalf("%s: %s, %v", name, src, err)
		}
		if err := os.WriteFile(record, bytes.Replace(src, []byte(edit[0]), []byte(edit[1]), 1), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, _, err := w.fetch(w.offline(), s); fault.As(err).Code != "OFFLINE_MISSING" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestPlainHTTP(t *testing.T) {
	s, err := registrytest.StartHTTP()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	w := &world{t: t, server: s, cache: t.TempDir()}
	tgz, _ := w.publish("hello", "1.0.0")
	source := w.source("npm:hello@1.0.0", func(o *registry.SourceOptions) { o.Registry, o.InsecureLoopback = s.URL(), true })
	_, _, err = w.fetch(w.newClient(func(*registry.ClientOptions) {}), source)
	if err == nil || len(w.paths()) != 0 {
		t.Errorf("without the variable: %v, %v", err, w.paths())
	}
	allowed := w.newClient(func(o *registry.ClientOptions) { o.InsecureLoopback = true })
	defer allowed.Close()
	if _, data, err := w.fetch(allowed, source); err != nil || !bytes.Equal(data, tgz) {
		t.Errorf("with it: %v", err)
	}
}

func TestCertificateAndSettings(t *testing.T) {
	w := newWorld(t)
	w.publish("hello", "1.0.0")
	for name, c := range map[string]struct {
		env  map[string]string
		kind fault.Kind
		code string
		text string
	}{
		"unknown authority": {nil, fault.Network, "TLS_CERTIFICATE", "registrytest authority"},
		"missing file":      {map[string]string{"SSL_CERT_FILE": filepath.Join(w.cache, "none")}, fault.Usage, "SETTING_INVALID", "SSL_CERT_FILE="},
		"bad proxy":         {map[string]string{"HTTPS_PROXY": "ftp://x"}, fault.Usage, "SETTING_INVALID", "HTTPS_PROXY"},
	} {
		c1 := w.newClient(func(o *registry.ClientOptions) { o.Getenv = func(name string) string { return c.env[name] } })
		_, _, err := w.fetch(c1, w.source("npm:hello@1.0.0"))
		if e := fault.As(err); e.Kind != c.kind || e.Code != c.code || !strings.Contains(e.Error(), c.text) {
			t.Errorf("%s: %d %s %v", name, e.Kind, e.Code, err)
		}
	}
	// The same client fetches local files whatever the variables hold.
	file := filepath.Join(t.TempDir(), "a.zip")
	if err := os.WriteFile(file, []byte("zip"), 0o600); err != nil {
		t.Fatal(err)
	}
	broken := w.newClient(func(o *registry.ClientOptions) { o.Getenv = func(string) string { return "/nowhere" } })
	if _, data, err := w.fetch(broken, w.source(file)); err != nil || string(data) != "zip" {
		t.Errorf("%q, %v", data, err)
	}
}

func TestFetchLocal(t *testing.T) {
	w := newWorld(t)
	file := filepath.Join(t.TempDir(), "a.tgz")
	if err := os.WriteFile(file, []byte("content"), 0o600); err != nil {
		t.Fatal(err)
	}
	good := sri.FormatSHA512(sha512.Sum512([]byte("content")))
	wrong := sri.FormatSHA512([64]byte{1})
	with := func(integrity string) registry.Source {
		return w.source(file, func(o *registry.SourceOptions) { o.Integrity = integrity })
	}
	for _, integrity := range []string{"", good, wrong + " " + good} {
		a, data, err := w.fetch(w.client, with(integrity))
		if err != nil || string(data) != "content" || a.SHA512 != sha512.Sum512([]byte("content")) || a.Lock != nil || a.Name != "" {
			t.Errorf("%q: %q, %+v, %v", integrity, data, a, err)
		}
	}
	_, _, err := w.fetch(w.client, with(wrong))
	if e := fault.As(err); e.Kind != fault.Refused || e.Code != "INTEGRITY_MISMATCH" || !strings.Contains(e.Error(), "wanted "+wrong+", got "+good) {
		t.Errorf("%v", err)
	}
	s := with("")
	if err := os.Truncate(file, registry.MaxArchive+1); err != nil {
		t.Fatal(err)
	}
	if _, _, err := w.fetch(w.client, s); fault.As(err).Code != "ARCHIVE_TOO_LARGE" || fault.As(err).Kind != fault.Refused {
		t.Errorf("too large: %v", err)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if _, _, err := w.fetch(w.client, s); fault.As(err).Code != "SOURCE_MISSING" {
		t.Errorf("gone: %v", err)
	}
	if _, err := w.client.Fetch(t.Context(), registry.Source{Kind: registry.Directory}, nil); err == nil {
		t.Error("a folder was fetched")
	}
	if len(w.files()) != 0 || len(w.paths()) != 0 {
		t.Errorf("store %v, network %v", w.files(), w.paths())
	}
}

func TestFetchesAtOnce(t *testing.T) {
	w := newWorld(t)
	want := map[string][]byte{}
	for _, v := range []string{"1.0.0", "2.0.0"} {
		want[v], _ = w.publish("hello", v)
	}
	var wg sync.WaitGroup
	for range 4 {
		c := w.newClient(func(*registry.ClientOptions) {})
		for v := range maps.Keys(want) {
			s := w.source("npm:hello@" + v)
			wg.Go(func() {
				if _, data, err := w.fetch(c, s); err != nil || !bytes.Equal(data, want[v]) {
					t.Errorf("%s: %d bytes, %v", v, len(data), err)
				}
			})
		}
	}
	wg.Wait()
	if got := w.files(); len(got) != 4 {
		t.Errorf("in the store: %v", got)
	}
}

func TestNewClientNeedsAStore(t *testing.T) {
	if _, err := registry.NewClient(registry.ClientOptions{}); err == nil {
		t.Error("made without one")
	}
}
