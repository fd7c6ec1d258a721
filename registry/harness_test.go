package registry_test

import (
	"context"
	"crypto/sha512"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/goleak"

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

// files lists the store's files; the lock of its parts stays for ever and counts for none.
func (w *world) files() (all []string) {
	w.t.Helper()
	err := filepath.WalkDir(w.cache, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && d.Name() != "parts.lock" {
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
