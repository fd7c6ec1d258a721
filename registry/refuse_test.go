package registry_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/sri"
	"github.com/wuu-plugins/wuu/registry"
	"github.com/wuu-plugins/wuu/registry/registrytest"
)

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
