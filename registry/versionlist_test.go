package registry_test

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/registry"
	"github.com/wuu-plugins/wuu/registry/registrytest"
)

// grown is a packument of n MiB beyond its names.
func grown(n int) registrytest.Fault {
	filler := strings.Repeat(strings.Repeat("lorem ipsum ", 40)+`\"dolor\" [{ `, 1<<20/493)
	var b strings.Builder
	b.WriteString(`{"_id":"hello","name":"hello","dist-tags":{"latest":"1.2.0","next":"2.0.0-rc.1"},"versions":{`)
	for i, v := range []string{"1.0.0", "1.1.0", "1.2.0", "2.0.0-rc.1"} {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `%q:{"name":"hello","version":%q,"readme":"`, v, v)
		for range n / 4 {
			b.WriteString(filler)
		}
		b.WriteString(`"}`)
	}
	b.WriteString(`}}`)
	return registrytest.Body("application/json", []byte(b.String()))
}

// A packument that is too large to be read whole still gives suggestions, and
// is not needed at all for exact versions and tags.
func TestLargePackument(t *testing.T) {
	w := newWorld(t)
	for _, v := range []string{"1.0.0", "1.1.0", "1.2.0", "2.0.0-rc.1"} {
		w.publish("hello", v)
	}
	if err := w.server.Tag("hello", "latest", "1.2.0"); err != nil {
		t.Fatal(err)
	}
	w.server.Inject(registrytest.Packument, grown(16))
	for _, spec := range []string{"npm:hello", "npm:hello@latest"} {
		w.server.ResetRequests()
		if e := fault.As(w.client.SuggestExact(t.Context(), w.notExact(spec))); e.Hint != "use npm:hello@1.2.0" {
			t.Errorf("%s: %q", spec, e.Hint)
		}
		if got := w.paths(); !slices.Equal(got, []string{"/hello/latest"}) {
			t.Errorf("%s: asked for %v", spec, got)
		}
	}
	for spec, want := range map[string]string{
		"npm:hello@^1":   "use one of the newest that fit: npm:hello@1.2.0, npm:hello@1.1.0, npm:hello@1.0.0",
		"npm:hello@beta": "none fits; the newest are npm:hello@2.0.0-rc.1, npm:hello@1.2.0, npm:hello@1.1.0; the tags are latest, next",
	} {
		if e := fault.As(w.client.SuggestExact(t.Context(), w.notExact(spec))); e.Hint != want {
			t.Errorf("%s: %q, want %q", spec, e.Hint, want)
		}
	}
	if got, err := w.client.Versions(t.Context(), w.server.URL(), "hello"); err != nil || !slices.Equal(got, []string{"2.0.0-rc.1", "1.2.0", "1.1.0", "1.0.0"}) {
		t.Errorf("%v, %v", got, err)
	}
	w.server.ResetRequests()
	if _, _, err := w.fetch(w.client, w.source("npm:hello@1.0.0")); err != nil {
		t.Error(err)
	}
	if got := w.paths(); !slices.Equal(got, []string{"/hello/1.0.0", "/hello/-/hello-1.0.0.tgz"}) {
		t.Errorf("asked for %v", got)
	}
	_, _, err := w.fetch(w.client, w.source("npm:hello@1.1.5"))
	if e := fault.As(err); e.Code != "REGISTRY_NOT_FOUND" || !strings.HasPrefix(e.Hint, "there is npm:hello@1.2.0") {
		t.Errorf("%v, hint %q", err, e.Hint)
	}
	// A registry without version documents: the packument must be read, and is too large.
	w.server.Inject(registrytest.VersionFile, registrytest.StatusCode(404, ""))
	if _, _, err := w.fetch(w.client, w.source("npm:hello@1.2.0")); fault.As(err).Code != "METADATA_TOO_LARGE" {
		t.Error(err)
	}
	// Its tags are in the packument.
	if e := fault.As(w.client.SuggestExact(t.Context(), w.notExact("npm:hello@next"))); e.Hint != "use npm:hello@2.0.0-rc.1" {
		t.Errorf("%q", e.Hint)
	}
}

// A packument beyond every limit costs the memory of a window, not its size.
func TestEndlessPackument(t *testing.T) {
	w := newWorld(t)
	w.publish("hello", "1.0.0")
	w.server.Inject(registrytest.Packument, grown(100))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	e := fault.As(w.client.SuggestExact(t.Context(), w.notExact("npm:hello@^1")))
	runtime.ReadMemStats(&after)
	if !strings.Contains(e.Hint, "larger than 67108864 bytes, which is the limit") || e.Code != "SOURCE_NOT_EXACT" {
		t.Errorf("%s %q", e.Code, e.Hint)
	}
	if grew := after.TotalAlloc - before.TotalAlloc; grew > 16<<20 {
		t.Errorf("%d bytes were allocated", grew)
	}
}

// Registries differ in what they do with Accept.
func TestPackumentForms(t *testing.T) {
	for name, c := range map[string]struct {
		fault    registrytest.Fault
		packages []string // requests for the packument
	}{
		"short form":       {registrytest.NoRange(), []string{"/@me%2Fhello"}},
		"full form always": {registrytest.IgnoreAccept(), []string{"/@me%2Fhello"}},
		"406":              {registrytest.NotAcceptable(), []string{"/@me%2Fhello", "/@me%2Fhello"}},
	} {
		w := newWorld(t)
		w.publish("@me/hello", "1.0.0")
		w.publish("@me/hello", "1.1.0")
		w.server.Inject(registrytest.Packument, c.fault)
		got, err := w.client.Versions(t.Context(), w.server.URL(), "@me/hello")
		if err != nil || !slices.Equal(got, []string{"1.1.0", "1.0.0"}) || !slices.Equal(w.paths(), c.packages) {
			t.Errorf("%s: %v, %v, asked for %v", name, got, err, w.paths())
		}
		w.server.Inject(registrytest.VersionFile, registrytest.StatusCode(404, ""))
		if a, _, err := w.fetch(w.client, w.source("npm:@me/hello@1.0.0")); err != nil || a.Version != "1.0.0" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestBuildMetadata(t *testing.T) {
	w := newWorld(t)
	err := w.notExact("npm:@me/hello@1.2.3-rc.1+build.5")
	e := fault.As(err)
	if e.Kind != fault.Usage || e.Error() != `npm:@me/hello@1.2.3-rc.1+build.5: "1.2.3-rc.1+build.5" has build metadata, which npm registries drop when a package is published` || e.Hint != "use npm:@me/hello@1.2.3-rc.1" {
		t.Errorf("%v, hint %q", e, e.Hint)
	}
	if e := fault.As(w.client.SuggestExact(t.Context(), err)); e.Hint != "use npm:@me/hello@1.2.3-rc.1" || len(w.paths()) != 0 {
		t.Errorf("hint %q, asked for %v", e.Hint, w.paths())
	}
	var source registry.Source
	if source = w.source("npm:@me/hello@1.2.3-rc.1"); source.Version != "1.2.3-rc.1" {
		t.Errorf("%+v", source)
	}
}
