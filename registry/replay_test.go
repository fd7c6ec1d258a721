package registry_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/sri"
	"github.com/wuu-plugins/wuu/lockfile"
	"github.com/wuu-plugins/wuu/registry"
	"github.com/wuu-plugins/wuu/registry/registrytest"
)

// replay writes a lock and parses lock:<file>.
func (w *world) replay(lock lockfile.Lock) registry.Source {
	w.t.Helper()
	file := filepath.Join(w.t.TempDir(), "my.lock.json")
	if err := os.WriteFile(file, lock.Marshal(), 0o600); err != nil {
		w.t.Fatal(err)
	}
	s, err := registry.ParseSource("lock:"+file, registry.SourceOptions{})
	if err != nil {
		w.t.Fatal(err)
	}
	return s
}

func (w *world) lockOf(p registrytest.Published) lockfile.Lock {
	return lockfile.Lock{
		LockVersion: 1, Source: "npm", Registry: w.server.URL(), Package: p.Name, Version: p.Version,
		PluginID: "my-plugin", Tarball: p.Tarball, Integrity: p.Integrity,
	}
}

func TestReplay(t *testing.T) {
	w := newWorld(t)
	tgz, p := w.publish("@me/hello", "1.0.0")
	lock := w.lockOf(p)
	// Whatever the metadata says now, it is not read.
	w.server.Inject(registrytest.VersionFile, registrytest.StatusCode(500, ""))
	w.server.Inject(registrytest.Packument, registrytest.StatusCode(500, ""))
	s := w.replay(lock)
	a, data, err := w.fetch(w.client, s)
	if err != nil || !bytes.Equal(data, tgz) || a.Name != "@me/hello" || a.Version != "1.0.0" {
		t.Fatalf("%+v, %v", a, err)
	}
	if d := cmp.Diff(string(lock.Marshal()), string(a.Lock.Marshal())); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"/@me/hello/-/hello-1.0.0.tgz"}, w.paths()); d != "" {
		t.Error(d)
	}
	if npm := w.source("npm:@me/hello@1.0.0"); npm.Identity() != s.Identity() {
		t.Errorf("identity %s, of npm: %s", s.Identity(), npm.Identity())
	}
	// Again, and offline: from the store.
	for _, c := range []*registry.Client{w.client, w.offline()} {
		if _, data, err := w.fetch(c, s); err != nil || !bytes.Equal(data, tgz) {
			t.Error(err)
		}
	}
	if len(w.paths()) != 1 {
		t.Errorf("asked for %v", w.paths())
	}
}

// Anybody can write a lock; only metadata may say what a package is.
func TestReplayLeavesNoRecord(t *testing.T) {
	w := newWorld(t)
	_, evil := w.publish("evil", "6.6.6")
	lock := w.lockOf(evil)
	lock.Package, lock.Version = "hello", "1.0.0"
	if _, _, err := w.fetch(w.client, w.replay(lock)); err != nil {
		t.Fatal(err)
	}
	if _, _, err := w.fetch(w.offline(), w.source("npm:hello@1.0.0")); fault.As(err).Code != "OFFLINE_MISSING" {
		t.Errorf("the lock's claim was believed: %v", err)
	}
}

func TestReplayRefuses(t *testing.T) {
	w := newWorld(t)
	_, p := w.publish("hello", "1.0.0")
	lock := w.lockOf(p)

	if _, _, err := w.fetch(w.offline(), w.replay(lock)); fault.As(err).Code != "OFFLINE_MISSING" {
		t.Errorf("offline: %v", err)
	}

	other := lock
	other.Integrity = sri.FormatSHA512([64]byte{1})
	_, _, err := w.fetch(w.client, w.replay(other))
	e := fault.As(err)
	details, _ := e.Details.(registry.IntegrityDetails)
	if e.Kind != fault.Refused || e.Code != "INTEGRITY_MISMATCH" || details.Want != other.Integrity || details.Got != p.Integrity || details.URL != p.Tarball {
		t.Errorf("other integrity: %d %s %+v %v", e.Kind, e.Code, details, err)
	}

	if err := w.server.Unpublish("hello", "1.0.0"); err != nil {
		t.Fatal(err)
	}
	if _, _, err := w.fetch(w.client, w.replay(lock)); fault.As(err).Code != "REGISTRY_NOT_FOUND" {
		t.Errorf("unpublished: %v", err)
	}
	if len(w.files()) != 0 {
		t.Errorf("left behind: %v", w.files())
	}

	// A source that did not come from ParseSource is checked as well.
	w.server.ResetRequests()
	forged := w.replay(lock)
	changed := lock
	changed.Tarball = "https://cdn.example.com/a.tgz"
	forged.Lock = &changed
	if _, _, err := w.fetch(w.client, forged); fault.As(err).Code != "LOCK_ORIGIN" || fault.As(err).Subject != forged.Spec {
		t.Errorf("forged: %v", err)
	}
	forged.Lock = nil
	var typed *fault.Error
	if _, _, err := w.fetch(w.client, forged); err == nil || errors.As(err, &typed) {
		t.Errorf("no lock: %v", err)
	}
	if len(w.paths()) != 0 {
		t.Errorf("asked for %v", w.paths())
	}
}
