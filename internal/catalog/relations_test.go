package catalog_test

import (
	"strings"
	"testing"

	"github.com/wuu-plugins/wuu/internal/catalog"
	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/manifest"
)

func needs(id, version string) []manifest.Dependency {
	return []manifest.Dependency{{ID: id, Version: version}}
}

func TestMissingDependency(t *testing.T) {
	yes := catalog.Consent{Yes: true}
	consumer := plugin{id: "consumer", version: "1.0.0", dependencies: needs("provider", "^1.2.0")}
	for _, c := range []struct {
		name    string
		prepare func(t *testing.T, c *catalog.Catalog)
		new     plugin
		want    string // part of the message; "" means that it goes through
	}{
		{"absent", nil, consumer, "needs provider ^1.2.0, which is not installed"},
		{"absent, by requires", nil, plugin{id: "consumer", version: "1.0.0", requires: []string{"provider"}}, "needs provider, which is not installed"},
		{"absent, but optional", nil, plugin{id: "consumer", version: "1.0.0",
			dependencies: []manifest.Dependency{{ID: "provider", Version: "^1.2.0", Optional: true}}}, ""},
		{"there", func(t *testing.T, c *catalog.Catalog) {
			install(t, c, plugin{id: "provider", version: "1.3.0"})
		}, consumer, ""},
		{"too old", func(t *testing.T, c *catalog.Catalog) {
			install(t, c, plugin{id: "provider", version: "1.1.9"})
		}, consumer, `needs provider ^1.2.0, but version "1.1.9" is installed`},
		{"not a version", func(t *testing.T, c *catalog.Catalog) {
			install(t, c, plugin{id: "provider", version: "latest"})
		}, consumer, `version "latest" is installed`},
		{"disabled", func(t *testing.T, c *catalog.Catalog) {
			install(t, c, plugin{id: "provider", version: "1.3.0"})
			change(c, func(tx *catalog.Tx) (catalog.Change, error) { return tx.Set("provider", false) })
		}, consumer, "needs provider ^1.2.0, which is disabled"},
		{"untrusted", func(t *testing.T, c *catalog.Catalog) {
			install(t, c, plugin{id: "provider", version: "1.3.0"})
			change(c, func(tx *catalog.Tx) (catalog.Change, error) { return tx.Trust("provider", false) })
		}, consumer, "which is not trusted"},
		{"inactive itself", func(t *testing.T, c *catalog.Catalog) {
			install(t, c, plugin{id: "base", version: "1.0.0"})
			install(t, c, plugin{id: "provider", version: "1.3.0", requires: []string{"base"}})
			change(c, func(tx *catalog.Tx) (catalog.Change, error) { return tx.Remove("base", false) })
		}, consumer, "which is inactive itself"},
		{"a dev override counts", func(t *testing.T, c *catalog.Catalog) {
			if _, err := publish(t, c, plugin{id: "provider", version: "1.3.0"}, t.TempDir()); err != nil {
				t.Fatal(err)
			}
		}, consumer, ""},
		{"an update that needs more", func(t *testing.T, c *catalog.Catalog) {
			install(t, c, plugin{id: "consumer", version: "0.9.0"})
		}, consumer, "which is not installed"},
		{"an update of a disabled one", func(t *testing.T, c *catalog.Catalog) {
			install(t, c, plugin{id: "consumer", version: "0.9.0"})
			change(c, func(tx *catalog.Tx) (catalog.Change, error) { return tx.Set("consumer", false) })
		}, consumer, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			cat, _ := newHome(t)
			if c.prepare != nil {
				c.prepare(t, cat)
			}
			_, err := put(t, cat, c.new, yes)
			if c.want == "" {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			if e := wantFault(t, err, fault.Check, "DEPENDENCY_MISSING"); !strings.Contains(e.Error(), c.want) {
				t.Errorf("%v, want %q", e, c.want)
			}
		})
	}
}

func TestBreakingAConsumer(t *testing.T) {
	c, _ := newHome(t)
	install(t, c, plugin{id: "provider", version: "1.0.0"})
	install(t, c, plugin{id: "consumer", version: "1.0.0", dependencies: needs("provider", "^1.0.0")})
	install(t, c, plugin{id: "second", version: "1.0.0", requires: []string{"consumer"}})

	_, err := put(t, c, plugin{id: "provider", version: "2.0.0"}, catalog.Consent{Yes: true})
	e := wantFault(t, err, fault.Check, "DEPENDENCY_BREAKS")
	if !strings.Contains(e.Error(), "would break consumer, second") {
		t.Errorf("%v", e)
	}
	if r, _ := snapshot(t, c).Find("provider"); r.Version != "1.0.0" {
		t.Errorf("provider %s", r.Version)
	}
	// A person may switch off what others need: the change says who suffers.
	for name, step := range map[string]func(tx *catalog.Tx) (catalog.Change, error){
		"disable": func(tx *catalog.Tx) (catalog.Change, error) { return tx.Set("provider", false) },
		"untrust": func(tx *catalog.Tx) (catalog.Change, error) { return tx.Trust("provider", false) },
		"remove":  func(tx *catalog.Tx) (catalog.Change, error) { return tx.Remove("provider", false) },
	} {
		tx := begin(t, c)
		done, err := step(tx)
		tx.Close()
		if err != nil || strings.Join(done.Affected, " ") != "consumer second" {
			t.Errorf("%s: %+v, %v", name, done, err)
		}
	}
	// Once the consumer is off, nothing is broken any more.
	if _, err := change(c, func(tx *catalog.Tx) (catalog.Change, error) { return tx.Set("consumer", false) }); err != nil {
		t.Fatal(err)
	}
	install(t, c, plugin{id: "provider", version: "2.0.0"})
}

func TestSelected(t *testing.T) {
	s := catalog.State{
		Plugins: []catalog.Record{{ID: "a", Version: "1"}, {ID: "b", Version: "1"}, {ID: "c", Version: "1", Broken: "gone"}},
		Dev:     []catalog.Record{{ID: "b", Version: "2"}, {ID: "a", Version: "2", Broken: "tampered"}, {ID: "d", Broken: "tampered"}, {ID: "0", Version: "2"}},
	}
	var got []string
	for _, r := range s.Selected() {
		got = append(got, r.ID+r.Version)
	}
	if want := "02 a1 b2 c1"; strings.Join(got, " ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
	if _, ok := s.Find("d"); ok {
		t.Error("a broken dev override was found")
	}
	if r, ok := s.Find("b"); !ok || r.Version != "2" {
		t.Errorf("b is %+v", r)
	}
}
