package registry_test

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/registry"
	"github.com/wuu-plugins/wuu/registry/registrytest"
)

func (w *world) notExact(spec string) error {
	w.t.Helper()
	_, err := registry.ParseSource(spec, registry.SourceOptions{Default: w.server.URL()})
	if fault.As(err).Code != "SOURCE_NOT_EXACT" {
		w.t.Fatalf("%s: %v", spec, err)
	}
	return err
}

func TestSuggestExact(t *testing.T) {
	w := newWorld(t)
	for _, v := range []string{"1.0.0", "1.1.0", "1.2.0", "1.10.0", "2.0.0-rc.1"} {
		w.publish("@me/hello", v)
	}
	for tag, v := range map[string]string{"latest": "1.10.0", "next": "2.0.0-rc.1"} {
		if err := w.server.Tag("@me/hello", tag, v); err != nil {
			t.Fatal(err)
		}
	}
	for wanted, c := range map[string]struct {
		specs []string
		hint  string
	}{
		"":             {[]string{"npm:@me/hello@1.10.0"}, "use npm:@me/hello@1.10.0"},
		"@latest":      {[]string{"npm:@me/hello@1.10.0"}, "use npm:@me/hello@1.10.0"},
		"@next":        {[]string{"npm:@me/hello@2.0.0-rc.1"}, "use npm:@me/hello@2.0.0-rc.1"},
		"@^1":          {[]string{"npm:@me/hello@1.10.0", "npm:@me/hello@1.2.0", "npm:@me/hello@1.1.0"}, "newest that fit: npm:@me/hello@1.10.0, npm:@me/hello@1.2.0"},
		"@1.2":         {[]string{"npm:@me/hello@1.2.0"}, "use npm:@me/hello@1.2.0"},
		"@>=2.0.0-a":   {[]string{"npm:@me/hello@2.0.0-rc.1"}, "use"},
		"@>=3":         {[]string{"npm:@me/hello@2.0.0-rc.1", "npm:@me/hello@1.10.0", "npm:@me/hello@1.2.0"}, "none fits; the newest are"},
		"@beta":        {[]string{"npm:@me/hello@2.0.0-rc.1", "npm:@me/hello@1.10.0", "npm:@me/hello@1.2.0"}, "none fits; the newest are npm:@me/hello@2.0.0-rc.1, npm:@me/hello@1.10.0, npm:@me/hello@1.2.0; the tags are latest, next"},
		"@1.2.0+b1":    {[]string{"npm:@me/hello@1.2.0"}, "use npm:@me/hello@1.2.0"},
		"@v1.2.0+b1":   {[]string{"npm:@me/hello@1.2.0"}, "use npm:@me/hello@1.2.0"},
		"@~1.1":        {[]string{"npm:@me/hello@1.1.0"}, "use npm:@me/hello@1.1.0"},
		"@^2.0.0-rc":   {[]string{"npm:@me/hello@2.0.0-rc.1"}, "use npm:@me/hello@2.0.0-rc.1"},
		"@*":           {[]string{"npm:@me/hello@1.10.0", "npm:@me/hello@1.2.0", "npm:@me/hello@1.1.0"}, "newest that fit"},
		"@v1.2.3":      {[]string{"npm:@me/hello@1.2.3"}, "use npm:@me/hello@1.2.3"},
		"@npm:a@1.0.0": {[]string{"npm:@me/hello@2.0.0-rc.1", "npm:@me/hello@1.10.0", "npm:@me/hello@1.2.0"}, "none fits"},
	} {
		before := w.notExact("npm:@me/hello" + wanted)
		err := w.client.SuggestExact(t.Context(), before)
		e := fault.As(err)
		details, _ := e.Details.(registry.Suggestions)
		if e.Kind != fault.Usage || e.Code != "SOURCE_NOT_EXACT" || e.Error() != before.Error() {
			t.Errorf("%q: %d %s %v", wanted, e.Kind, e.Code, err)
		}
		if !slices.Equal(details.Specs, c.specs) || !strings.Contains(e.Hint, c.hint) {
			t.Errorf("%q: %v, hint %q", wanted, details.Specs, e.Hint)
		}
		// Ready to paste.
		for _, spec := range details.Specs {
			if s, err := registry.ParseSource(spec, registry.SourceOptions{}); err != nil || s.Package != "@me/hello" {
				t.Errorf("%q: %s: %v", wanted, spec, err)
			}
		}
	}
}

func TestSuggestExactWithoutAnAnswer(t *testing.T) {
	for _, c := range []struct {
		name, spec string
		fault      registrytest.Fault
		hint       string
		requests   int
	}{
		{"unknown package", "npm:other@^1", registrytest.NoRange(), "there is no package other on https://127.0.0.1", 1},
		{"registry down", "npm:hello@^1", registrytest.HangUp(), "cannot be named now: npm:hello: https://127.0.0.1", -1},
		{"registry down, tag", "npm:hello@latest", registrytest.StatusCode(503, ""), "503 Service Unavailable", 3},
		{"captive portal", "npm:hello@latest", registrytest.CaptivePage(), "HTML page", 1},
		{"another package", "npm:hello@^1", registrytest.Body("application/json", []byte(`{"name":"evil","versions":{"1.0.0":{}}}`)), `answered with the package "evil"`, 1},
	} {
		w := newWorld(t)
		w.publish("hello", "1.0.0")
		w.server.Inject(registrytest.Any, c.fault)
		e := fault.As(w.client.SuggestExact(t.Context(), w.notExact(c.spec)))
		if e.Kind != fault.Usage || e.Code != "SOURCE_NOT_EXACT" || !strings.Contains(e.Hint, c.hint) || e.Details != nil {
			t.Errorf("%s: %d %s hint %q, %v", c.name, e.Kind, e.Code, e.Hint, e.Details)
		}
		if n := len(w.paths()); c.requests >= 0 && n != c.requests {
			t.Errorf("%s: %d requests, want %d", c.name, n, c.requests)
		}
	}
}

func TestSuggestExactOffline(t *testing.T) {
	w := newWorld(t)
	w.publish("hello", "1.0.0")
	err := w.notExact("npm:hello")
	if e := fault.As(w.offline().SuggestExact(t.Context(), err)); !strings.Contains(e.Hint, "none is in the content store") {
		t.Errorf("empty store: %q", e.Hint)
	}
	if _, _, err := w.fetch(w.client, w.source("npm:hello@1.0.0")); err != nil {
		t.Fatal(err)
	}
	w.publish("hello", "1.1.0")
	if e := fault.As(w.offline().SuggestExact(t.Context(), err)); !strings.Contains(e.Hint, "npm:hello@1.0.0") {
		t.Errorf("hint %q", e.Hint)
	}
	if len(w.paths()) != 2 {
		t.Errorf("asked for %v", w.paths())
	}
}

func TestSuggestExactLeavesOthersAlone(t *testing.T) {
	w := newWorld(t)
	git := w.notExact("git+https://example.com/a.git")
	for _, err := range []error{io.EOF, fault.New(fault.Usage, "X", "x", "x"), git, nil} {
		if got := w.client.SuggestExact(t.Context(), err); got != err {
			t.Errorf("%v became %v", err, got)
		}
	}
	stop := errors.New("stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(stop)
	if err := w.client.SuggestExact(ctx, w.notExact("npm:hello")); !errors.Is(err, stop) {
		t.Errorf("got %v", err)
	}
	if len(w.paths()) != 0 {
		t.Errorf("asked for %v", w.paths())
	}
}

func TestVersions(t *testing.T) {
	w := newWorld(t)
	for _, v := range []string{"1.0.0", "1.10.0", "1.9.0", "2.0.0-rc.1"} {
		w.publish("hello", v)
	}
	got, err := w.client.Versions(t.Context(), w.server.URL(), "hello")
	if want := []string{"2.0.0-rc.1", "1.10.0", "1.9.0", "1.0.0"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v; want %v", got, err, want)
	}
	if _, err := w.client.Versions(t.Context(), w.server.URL(), "other"); fault.As(err).Code != "REGISTRY_NOT_FOUND" || fault.As(err).Subject != "npm:other" {
		t.Errorf("got %v", err)
	}
}
