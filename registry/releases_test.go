package registry_test

import (
	"slices"
	"testing"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/registry"
	"github.com/wuu-plugins/wuu/registry/registrytest"
)

// TestReleases: newest first, with the words against a version where the
// packument has them; offline, what the content store holds.
func TestReleases(t *testing.T) {
	w := newWorld(t)
	for version, extra := range map[string]string{
		"1.9.0": "", "1.10.0": `, "deprecated": "use 2"`, "2.0.0-rc.1": `, "deprecated": false`, "0.1.0": `, "deprecated": true`, "0.2.0": `, "deprecated": ""`,
	} {
		tgz, err := registrytest.Pack(map[string]string{"package.json": `{"name": "pkg", "version": "` + version + `"` + extra + `}`})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.server.Publish(tgz); err != nil {
			t.Fatal(err)
		}
	}
	got, err := w.client.Releases(t.Context(), w.server.URL(), "pkg")
	want := []registry.Release{{"2.0.0-rc.1", ""}, {"1.10.0", "use 2"}, {"1.9.0", ""}, {"0.2.0", ""}, {"0.1.0", "deprecated"}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v", got, err)
	}
	remove := w.server.Inject(registrytest.Packument, registrytest.StatusCode(404, ""))
	if _, err := w.client.Releases(t.Context(), w.server.URL(), "pkg"); fault.As(err).Code != "REGISTRY_NOT_FOUND" {
		t.Errorf("not there: %v", err)
	}
	remove()
	if _, _, err := w.fetch(w.client, w.source("npm:pkg@1.10.0")); err != nil {
		t.Fatal(err)
	}
	got, err = w.offline().Releases(t.Context(), w.server.URL(), "pkg")
	if err != nil || !slices.Equal(got, []registry.Release{{"1.10.0", ""}}) {
		t.Errorf("offline: %v, %v", got, err)
	}
}
