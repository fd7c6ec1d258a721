package registry_test

import (
	"context"
	"crypto/sha512"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/filelock"
	"github.com/wuu-plugins/wuu/registry"
)

// versionsOf lists what the store has, the most recently used first.
func versionsOf(s *registry.Store) (all []string) {
	for _, b := range s.List() {
		for _, e := range b.Sources {
			all = append(all, e.Package+"@"+e.Version)
		}
	}
	return all
}

func TestEviction(t *testing.T) {
	w := newWorld(t)
	now := time.Now()
	c := w.newClient(func(o *registry.ClientOptions) {
		o.CacheMax = 250_000 // two packages and a half
		o.Now = func() time.Time { now = now.Add(time.Second); return now }
	})
	for _, v := range []string{"1.0.0", "1.1.0", "1.2.0"} {
		w.publish("hello", v)
	}
	get := func(v string) {
		t.Helper()
		if _, _, err := w.fetch(c, w.source("npm:hello@"+v)); err != nil {
			t.Fatal(err)
		}
	}
	check := func(want ...string) {
		t.Helper()
		if got := versionsOf(c.Store()); !slices.Equal(got, want) {
			t.Errorf("stored %v, want %v", got, want)
		}
	}
	get("1.0.0")
	get("1.1.0")
	check("hello@1.1.0", "hello@1.0.0")
	get("1.0.0") // used again, so the other one is older now
	check("hello@1.0.0", "hello@1.1.0")
	get("1.2.0")
	check("hello@1.2.0", "hello@1.0.0")
	if len(w.files()) != 4 {
		t.Errorf("files %v", w.files())
	}
}

func TestEvictionNeverTakesTheNewOne(t *testing.T) {
	w := newWorld(t)
	tgz, _ := w.publish("hello", "1.0.0")
	c := w.newClient(func(o *registry.ClientOptions) { o.CacheMax = 1 })
	for range 2 {
		if _, data, err := w.fetch(c, w.source("npm:hello@1.0.0")); err != nil || len(data) != len(tgz) {
			t.Fatal(err)
		}
	}
	w.publish("hello", "1.1.0")
	if _, _, err := w.fetch(c, w.source("npm:hello@1.1.0")); err != nil {
		t.Fatal(err)
	}
	if got := versionsOf(c.Store()); !slices.Equal(got, []string{"hello@1.1.0"}) {
		t.Errorf("stored %v", got)
	}
}

func TestVerifyAndPrune(t *testing.T) {
	w := newWorld(t)
	for _, v := range []string{"1.0.0", "1.1.0"} {
		w.publish("hello", v)
		if _, _, err := w.fetch(w.client, w.source("npm:hello@"+v)); err != nil {
			t.Fatal(err)
		}
	}
	s := registry.OpenStore(w.cache, 0, nil)
	if dropped, err := s.Verify(t.Context(), nil); err != nil || len(dropped) != 0 {
		t.Errorf("dropped %v, %v", dropped, err)
	}
	if err := os.WriteFile(w.files()[0], []byte("altered"), 0o600); err != nil {
		t.Fatal(err)
	}
	stop := errors.New("stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(stop)
	if _, err := s.Verify(ctx, nil); !errors.Is(err, stop) {
		t.Errorf("got %v", err)
	}
	dropped, err := s.Verify(t.Context(), nil)
	if err != nil || len(dropped) != 1 || len(dropped[0].Sources) != 1 || len(w.files()) != 2 {
		t.Errorf("dropped %+v, %v; left %v", dropped, err, w.files())
	}
	if removed := s.Prune(1 << 30); len(removed) != 0 {
		t.Errorf("removed %v", removed)
	}
	if removed := s.Prune(0); len(removed) != 1 || len(w.files()) != 0 {
		t.Errorf("removed %v, left %v", removed, w.files())
	}
}

// What a killed download has left goes at once, however young it is; as long as
// another process is downloading, nothing does, however old it is.
func TestSweepOfDeadDownloads(t *testing.T) {
	dir := t.TempDir()
	folder := filepath.Join(dir, "sha512")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, age := range map[string]time.Duration{"part-young": 0, "part-old": time.Hour, "other": time.Hour} {
		path, then := filepath.Join(folder, name), time.Now().Add(-age)
		if err := errors.Join(os.WriteFile(path, nil, 0o600), os.Chtimes(path, then, then)); err != nil {
			t.Fatal(err)
		}
	}
	s := registry.OpenStore(dir, 0, nil)
	downloading, err := filelock.TryRLock(filepath.Join(folder, "parts.lock"))
	if err != nil {
		t.Fatal(err)
	}
	if removed := s.Sweep(); len(removed) != 0 {
		t.Errorf("removed %v", removed)
	}
	if err := downloading.Unlock(); err != nil {
		t.Fatal(err)
	}
	if removed := s.Sweep(); len(removed) != 2 {
		t.Errorf("removed %v", removed)
	}
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) != 2 || entries[0].Name() != "other" || entries[1].Name() != "parts.lock" {
		t.Errorf("left %v, %v", entries, err)
	}
}

// The same bytes may come from two registries; each is found offline.
func TestTwoRegistriesWithTheSameBytes(t *testing.T) {
	w, mirror := newWorld(t), newWorld(t)
	mirror.cache = w.cache
	tgz, _ := w.publish("hello", "1.0.0")
	if _, err := mirror.server.Publish(tgz); err != nil {
		t.Fatal(err)
	}
	reading := mirror.newClient(func(*registry.ClientOptions) {})
	s, m := w.source("npm:hello@1.0.0"), mirror.source("npm:hello@1.0.0")
	if _, _, err := w.fetch(w.client, s); err != nil {
		t.Fatal(err)
	}
	if _, _, err := mirror.fetch(reading, m); err != nil {
		t.Fatal(err)
	}
	if d := mirror.paths(); len(d) != 1 {
		t.Errorf("the mirror was asked for %v: the bytes were there", d)
	}
	for _, source := range []registry.Source{s, m} {
		if a, _, err := w.fetch(w.offline(), source); err != nil || a.Lock.Registry != source.Registry {
			t.Errorf("%s: %v", source.Registry, err)
		}
	}
}

func TestStoreThatCannotBeWritten(t *testing.T) {
	w := newWorld(t)
	w.publish("hello", "1.0.0")
	blocked := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	c := w.newClient(func(o *registry.ClientOptions) { o.CacheDir = filepath.Join(blocked, "cache") })
	_, _, err := w.fetch(c, w.source("npm:hello@1.0.0"))
	if e := fault.As(err); e.Code != "STORE_FAILED" || e.Kind != fault.Usage || e.Subject != "npm:hello@1.0.0" {
		t.Errorf("%+v", e)
	}
}

func TestStoreIsPrivate(t *testing.T) {
	w := newWorld(t)
	tgz, _ := w.publish("hello", "1.0.0")
	if _, _, err := w.fetch(w.client, w.source("npm:hello@1.0.0")); err != nil {
		t.Fatal(err)
	}
	for _, file := range w.files() {
		if info, err := os.Stat(file); err != nil || info.Mode().Perm()&0o077 != 0 && os.PathSeparator == '/' {
			t.Errorf("%s: %v, %v", file, info.Mode(), err)
		}
	}
	if list := w.client.Store().List(); len(list) != 1 || list[0].SHA512 != sha512.Sum512(tgz) || list[0].Size != int64(len(tgz)) {
		t.Errorf("%+v", list)
	}
}
