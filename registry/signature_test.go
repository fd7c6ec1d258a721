package registry_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/registry"
	"github.com/wuu-plugins/wuu/registry/registrytest"
)

func (w *world) signingKey() *registrytest.SigningKey {
	w.t.Helper()
	k, err := registrytest.NewSigningKey()
	if err != nil {
		w.t.Fatal(err)
	}
	return k
}

// keyRequests counts how often the keys were asked for.
func (w *world) keyRequests() (n int) {
	for _, r := range w.server.Requests() {
		if r.Target == registrytest.Keys {
			n++
		}
	}
	return n
}

func TestSignature(t *testing.T) {
	for _, c := range []struct {
		name    string
		offered func(k, other *registrytest.SigningKey) []*registrytest.SigningKey
		signed  bool
		fault   *registrytest.Fault // of the version document
		keys    *registrytest.Fault // of the keys document
		state   registry.SignatureState
		reason  string
		code    string // of the error
		asked   int    // requests for keys
	}{
		{name: "valid", signed: true, offered: only, state: registry.SignatureValid, asked: 1},
		{name: "valid while keys are rotated", signed: true, offered: both, state: registry.SignatureValid, asked: 1},
		{name: "no signature", offered: only, state: registry.SignatureAbsent, reason: "the package has no signature"},
		{name: "the registry offers no keys", signed: true, state: registry.SignatureAbsent, reason: "the registry offers no keys to check it with", asked: 1},
		{name: "the keys are not for us", signed: true, offered: only, keys: fault1(registrytest.StatusCode(403, "")), state: registry.SignatureAbsent, reason: "offers no keys to check it with (403 Forbidden)", asked: 1},
		{name: "an empty list of keys", signed: true, keys: fault1(registrytest.Body("application/json", []byte(`{"keys":[]}`))), state: registry.SignatureAbsent, reason: "offers no keys", asked: 1},
		{name: "expired key", signed: true, offered: expired, state: registry.SignatureAbsent, reason: "its key expired on 2026-01-01, and nothing signed says that it was used before", asked: 1},
		{name: "a key that is not offered", signed: true, offered: foreign, code: "SIGNATURE_INVALID", reason: "a key that the registry does not offer (key \"SHA256:", asked: 1},
		{name: "the integrity is signed to the letter", signed: true, offered: only, fault: fault1(integrityTwice()), code: "SIGNATURE_INVALID", reason: "does not fit the name, version and integrity", asked: 1},
		{name: "nonsense", offered: only, fault: fault1(dist("signatures", "x")), code: "SIGNATURE_INVALID", reason: "dist.signatures cannot be read"},
		{name: "keys cannot be had", signed: true, offered: only, keys: fault1(registrytest.StatusCode(503, "")), code: "SIGNATURE_UNCHECKED", reason: "503 Service Unavailable", asked: 3},
		{name: "a page instead of keys", signed: true, offered: only, keys: fault1(registrytest.CaptivePage()), code: "SIGNATURE_UNCHECKED", reason: "captive portal", asked: 1},
		{name: "endless keys", signed: true, offered: only, keys: fault1(registrytest.Oversize(256 << 10)), code: "SIGNATURE_UNCHECKED", reason: "262144", asked: 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			key, other := w.signingKey(), w.signingKey()
			if c.offered != nil {
				w.server.OfferKeys(c.offered(key, other)...)
			}
			if c.signed {
				w.server.SignWith(key)
			}
			tgz, _ := w.publish("hello", "1.0.0")
			if c.fault != nil {
				w.server.Inject(registrytest.VersionFile, *c.fault)
			}
			if c.keys != nil {
				w.server.Inject(registrytest.Keys, *c.keys)
			}
			a, data, err := w.fetch(w.client, w.source("npm:hello@1.0.0"))
			if n := w.keyRequests(); n != c.asked {
				t.Errorf("the keys were asked for %d times, want %d", n, c.asked)
			}
			if c.code == "" {
				if err != nil || !bytes.Equal(data, tgz) {
					t.Fatal(err)
				}
				if a.Signature == nil || a.Signature.State != c.state || a.Signature.Reason != c.reason && !strings.Contains(a.Signature.Reason, c.reason) || c.state == registry.SignatureValid && a.Signature.KeyID != key.ID {
					t.Errorf("%+v", a.Signature)
				}
				return
			}
			e := fault.As(err)
			kind := fault.Refused
			if c.code == "SIGNATURE_UNCHECKED" {
				kind = fault.Network
			}
			if e.Kind != kind || e.Code != c.code || e.Subject != "npm:hello@1.0.0" || !strings.Contains(e.Error(), c.reason) || e.Hint == "" {
				t.Errorf("%d %s: %v", e.Kind, e.Code, err)
			}
			if left := slices.DeleteFunc(w.files(), func(f string) bool { return filepath.Base(filepath.Dir(f)) == "keys" }); len(left) != 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

func fault1(f registrytest.Fault) *registrytest.Fault { return &f }

func only(k, _ *registrytest.SigningKey) []*registrytest.SigningKey {
	return []*registrytest.SigningKey{k}
}

func both(k, other *registrytest.SigningKey) []*registrytest.SigningKey {
	return []*registrytest.SigningKey{other, k}
}

func foreign(_, other *registrytest.SigningKey) []*registrytest.SigningKey {
	return []*registrytest.SigningKey{other}
}

func expired(k, _ *registrytest.SigningKey) []*registrytest.SigningKey {
	k.Expires = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	return []*registrytest.SigningKey{k}
}

// integrityTwice states the same hash in other words than those signed.
func integrityTwice() registrytest.Fault {
	return registrytest.Metadata(func(doc map[string]any) {
		dist := doc["dist"].(map[string]any)
		dist["integrity"] = dist["integrity"].(string) + " " + dist["integrity"].(string)
	})
}

// The keys are asked for beside the download, and refused before anything is
// downloaded when they are at hand.
func TestSignatureIsRefusedBeforeTheDownload(t *testing.T) {
	w := newWorld(t)
	key, stolen := w.signingKey(), w.signingKey()
	w.server.OfferKeys(key)
	w.server.SignWith(key)
	w.publish("hello", "1.0.0")
	w.server.SignWith(stolen)
	w.publish("hello", "1.0.1")
	w.server.Inject(registrytest.VersionFile, dist("signatures", []any{map[string]any{"keyid": key.ID, "sig": "AAAA"}}).For("hello"))
	if _, _, err := w.fetch(w.client, w.source("npm:hello@1.0.0")); fault.As(err).Code != "SIGNATURE_INVALID" {
		t.Fatal(err)
	}
	w.server.ResetRequests()
	if _, _, err := w.fetch(w.client, w.source("npm:hello@1.0.1")); fault.As(err).Code != "SIGNATURE_INVALID" {
		t.Fatal(err)
	}
	if got := w.paths(); !slices.Equal(got, []string{"/hello/1.0.1"}) {
		t.Errorf("asked for %v", got)
	}
}

// An answer about the keys stops a download that hangs.
func TestInvalidSignatureStopsTheDownload(t *testing.T) {
	w := newWorld(t)
	key, other := w.signingKey(), w.signingKey()
	w.server.OfferKeys(other)
	w.server.SignWith(key)
	w.publish("hello", "1.0.0")
	w.server.Inject(registrytest.Tarball, registrytest.StallBody(1000))
	if _, _, err := w.fetch(w.client, w.source("npm:hello@1.0.0")); fault.As(err).Code != "SIGNATURE_INVALID" {
		t.Fatal(err)
	}
}

// Keys that hang do not outlive Ctrl-C, and nothing is kept.
func TestCancelWhileKeysAreAsked(t *testing.T) {
	w := newWorld(t)
	key := w.signingKey()
	w.server.OfferKeys(key)
	w.server.SignWith(key)
	w.publish("hello", "1.0.0")
	w.server.Inject(registrytest.Keys, registrytest.StallBody(1))
	stop := errors.New("stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	_, err := w.client.Fetch(ctx, w.source("npm:hello@1.0.0"), func(ph registry.Phase) {
		if ph.Name == "verify" {
			cancel(stop)
		}
	})
	if !errors.Is(err, stop) || len(w.files()) != 0 {
		t.Errorf("%v, left %v", err, w.files())
	}
}

// Keys are asked for once a run, and once a day; a new key at once.
func TestKeysAreRemembered(t *testing.T) {
	w := newWorld(t)
	first, second := w.signingKey(), w.signingKey()
	w.server.OfferKeys(first)
	w.server.SignWith(first)
	w.publish("hello", "1.0.0")
	w.publish("hello", "1.0.1")
	w.server.SignWith(second)
	w.publish("hello", "2.0.0")
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	next := func() *registry.Client {
		return w.newClient(func(o *registry.ClientOptions) { o.Now = func() time.Time { return now } })
	}
	fetch := func(c *registry.Client, version, code string, asked int) {
		t.Helper()
		w.server.ResetRequests()
		a, _, err := w.fetch(c, w.source("npm:hello@"+version))
		if code == "" && (err != nil || a.Signature.State != registry.SignatureValid) || code != "" && fault.As(err).Code != code {
			t.Errorf("%s: %+v, %v", version, a, err)
		}
		if n := w.keyRequests(); n != asked {
			t.Errorf("%s: the keys were asked for %d times, want %d", version, n, asked)
		}
	}
	run := next()
	fetch(run, "1.0.0", "", 1)
	fetch(run, "1.0.1", "", 0)
	fetch(run, "1.0.0", "", 0) // from the store
	if err := os.RemoveAll(filepath.Join(w.cache, "sha512")); err != nil {
		t.Fatal(err)
	}
	fetch(next(), "1.0.0", "", 0) // the keys are on disk
	fetch(next(), "2.0.0", "SIGNATURE_INVALID", 1)
	w.server.OfferKeys(first, second)
	fetch(next(), "2.0.0", "", 1) // the new key is not on disk
	now = now.Add(25 * time.Hour)
	w.publish("hello", "2.0.1")
	fetch(next(), "2.0.1", "", 1) // too old
	now = now.Add(-time.Hour)
	w.publish("hello", "2.0.2")
	fetch(next(), "2.0.2", "", 1) // from the future
	damaged := slices.IndexFunc(w.files(), func(f string) bool { return filepath.Base(filepath.Dir(f)) == "keys" })
	if err := os.WriteFile(w.files()[damaged], []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	w.publish("hello", "2.0.3")
	fetch(next(), "2.0.3", "", 1)
}

// The outcome is noted with the archive: offline, for a replay, and when the
// key has expired since.
func TestSignatureIsNoted(t *testing.T) {
	w := newWorld(t)
	key := w.signingKey()
	w.server.OfferKeys(key)
	w.server.SignWith(key)
	_, p := w.publish("hello", "1.0.0")
	s := w.source("npm:hello@1.0.0")
	if _, _, err := w.fetch(w.client, s); err != nil {
		t.Fatal(err)
	}
	expired := *key
	expired.Expires = time.Now().Add(-time.Hour)
	w.server.OfferKeys(&expired)
	if err := os.RemoveAll(filepath.Join(w.cache, "keys")); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		client *registry.Client
		source registry.Source
	}{
		"offline": {w.offline(), s}, "replay": {w.offline(), w.replay(w.lockOf(p))},
		"expired since": {w.newClient(func(*registry.ClientOptions) {}), s},
	} {
		a, _, err := w.fetch(c.client, c.source)
		if err != nil || a.Signature == nil || *a.Signature != (registry.Signature{State: registry.SignatureValid, KeyID: key.ID}) {
			t.Errorf("%s: %+v, %v", name, a, err)
		}
	}
	// Without the archive there is no note, and the key is expired.
	if err := os.RemoveAll(w.cache); err != nil {
		t.Fatal(err)
	}
	a, _, err := w.fetch(w.newClient(func(*registry.ClientOptions) {}), s)
	if err != nil || a.Signature.State != registry.SignatureAbsent {
		t.Errorf("%+v, %v", a, err)
	}
	// A replay that fetches has no metadata, and says nothing.
	if err := os.RemoveAll(w.cache); err != nil {
		t.Fatal(err)
	}
	if a, _, err := w.fetch(w.newClient(func(*registry.ClientOptions) {}), w.replay(w.lockOf(p))); err != nil || a.Signature != nil {
		t.Errorf("%+v, %v", a, err)
	}
}
