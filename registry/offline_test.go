package registry_test

import (
	"bytes"
	"crypto/sha512"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/sri"
	"github.com/wuu-plugins/wuu/registry"
	"github.com/wuu-plugins/wuu/registry/registrytest"
)

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
