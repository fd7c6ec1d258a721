package registry_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/registry"
)

// TestRealRegistry runs in the full suite, against the npm registry.
func TestRealRegistry(t *testing.T) {
	if os.Getenv("WUU_FULL") != "1" {
		t.Skip("skipped: needs WUU_FULL=1")
	}
	c, err := registry.NewClient(registry.ClientOptions{CacheDir: t.TempDir(), Getenv: os.Getenv, UA: "wuu/test"})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	const integrity = "sha512-XI5MPzVNApjAyhQzphX8BkmKsKUxD4LdyK24iZeQGinBN9yTQT3bFlCBy/aVx2HrNcqQGsdot8ghrjyrvMCoEA=="
	s, err := registry.ParseSource("npm:left-pad@1.3.0", registry.SourceOptions{Integrity: integrity})
	if err != nil {
		t.Fatal(err)
	}
	a, err := c.Fetch(t.Context(), s, nil)
	var e *fault.Error
	if errors.As(err, &e) && e.Code == "NETWORK" {
		t.Skip("skipped: registry not reachable: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if a.Lock.Integrity != integrity || a.Lock.Tarball != "https://registry.npmjs.org/left-pad/-/left-pad-1.3.0.tgz" {
		t.Errorf("%+v", a.Lock)
	}
	scoped, err := registry.ParseSource("npm:@types/left-pad@1.2.0", registry.SourceOptions{})
	if err != nil {
		t.Fatal(err)
	}
	b, err := c.Fetch(t.Context(), scoped, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	for spec, want := range map[string]string{"npm:left-pad@^1": "npm:left-pad@1.3.0", "npm:left-pad": "npm:left-pad@1.3.0", "npm:left-pad@9.9.9": "npm:left-pad@1.3.0"} {
		s, err := registry.ParseSource(spec, registry.SourceOptions{})
		if err != nil {
			err = c.SuggestExact(t.Context(), err)
		} else {
			_, err = c.Fetch(t.Context(), s, nil)
		}
		if f := fault.As(err); !strings.Contains(f.Hint, want) {
			t.Errorf("%s: %v, hint %q", spec, err, f.Hint)
		}
	}
}
