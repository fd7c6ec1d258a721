package registry_test

import (
	"bytes"
	"crypto/sha512"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/sri"
	"github.com/wuu-plugins/wuu/lockfile"
	"github.com/wuu-plugins/wuu/registry"
	"github.com/wuu-plugins/wuu/registry/registrytest"
)

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
	if a, data, err := w.fetch(w.client, s); err != nil || !bytes.Equal(data, tgz) || !a.Refetched {
		t.Fatalf("%+v, %v", a, err)
	}
	if a, _, err := w.fetch(w.client, s); err != nil || a.Refetched {
		t.Fatalf("%+v, %v", a, err)
	}
	if d := cmp.Diff([]string{"/hello/1.0.0", "/hello/-/hello-1.0.0.tgz", "/hello/1.0.0"}, w.paths()); d != "" {
		t.Error(d)
	}
	if stored, err := os.ReadFile(blob); err != nil || !bytes.Equal(stored, tgz) {
		t.Errorf("the store still has other bytes: %v", err)
	}
	// Offline an altered archive is as good as none.
	if err := os.WriteFile(blob, altered, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := w.fetch(w.offline(), s); fault.As(err).Code != "OFFLINE_MISSING" || !strings.Contains(err.Error(), "was altered in the content store") {
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
