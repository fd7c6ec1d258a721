package catalog_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/wuu-plugins/wuu/internal/catalog"
	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/paths"
)

func digest(t *testing.T, p plugin) string {
	t.Helper()
	m, _ := p.manifest(t)
	return m.Capabilities(nil).Digest()
}

func TestConsent(t *testing.T) {
	old := plugin{id: "hello", version: "1.0.0", permissions: []string{"files.read"}}
	more := plugin{id: "hello", version: "1.1.0", permissions: []string{"files.read", "network.connect"}}
	less := plugin{id: "hello", version: "1.1.0", permissions: []string{}}
	elsewhere := plugin{id: "hello", version: "1.0.0", identity: "npm:evil", permissions: []string{"files.read"}}

	for _, c := range []struct {
		name    string
		old     *plugin
		new     plugin
		consent catalog.Consent
		reason  string // "" means that it goes through
	}{
		{"new", nil, old, catalog.Consent{}, "new"},
		{"new, yes", nil, old, catalog.Consent{Yes: true}, ""},
		{"new, digest", nil, old, catalog.Consent{Digest: digest(t, old)}, ""},
		{"same source, same capabilities", &old, plugin{id: "hello", version: "1.0.1", permissions: old.permissions}, catalog.Consent{}, ""},
		{"same source, fewer", &old, less, catalog.Consent{}, ""},
		{"same source, more", &old, more, catalog.Consent{}, "capabilities"},
		{"same source, more, yes", &old, more, catalog.Consent{Yes: true}, "capabilities"},
		{"same source, more, digest", &old, more, catalog.Consent{Digest: digest(t, more)}, ""},
		{"other source", &old, elsewhere, catalog.Consent{}, "identity"},
		{"other source, yes", &old, elsewhere, catalog.Consent{Yes: true}, ""},
		{"unrecorded source", &plugin{id: "hello", version: "1.0.0", identity: "-", permissions: old.permissions}, old, catalog.Consent{}, "identity"},
	} {
		t.Run(c.name, func(t *testing.T) {
			cat, home := newHome(t)
			if c.old != nil {
				install(t, cat, *c.old)
				if c.old.identity == "-" {
					forgetIdentity(t, home)
				}
			}
			before := snapshot(t, cat)
			_, err := put(t, cat, c.new, c.consent)
			if c.reason == "" {
				if err != nil {
					t.Fatal(err)
				}
				if r, _ := snapshot(t, cat).Find("hello"); r.Version != c.new.version || !r.Trusted {
					t.Errorf("installed %+v", r)
				}
				return
			}
			e := wantFault(t, err, fault.Consent, "CONSENT_REQUIRED")
			need, ok := e.Details.(catalog.ConsentNeeded)
			if !ok || need.Reason != c.reason || need.CapabilitiesDigest != digest(t, c.new) {
				t.Errorf("details %+v", e.Details)
			}
			if strings.Contains(e.Hint, "--yes") != (c.reason != "capabilities") || !strings.Contains(e.Hint, "--accept-capabilities="+need.CapabilitiesDigest) {
				t.Errorf("hint %q", e.Hint)
			}
			if c.reason == "capabilities" && !slices.ContainsFunc(need.Added, func(s string) bool { return strings.Contains(s, "network.connect") }) {
				t.Errorf("added %q", need.Added)
			}
			if after := snapshot(t, cat); after.Epoch != before.Epoch {
				t.Error("a refused install changed the catalog")
			}
		})
	}
}

// forgetIdentity makes the recorded source of every plugin an unrecorded one.
func forgetIdentity(t *testing.T, home paths.Home) {
	t.Helper()
	b, err := os.ReadFile(home.StateFile())
	if err != nil {
		t.Fatal(err)
	}
	b = regexp.MustCompile(`"identity": "[^"]*"`).ReplaceAll(b, []byte(`"identity": ""`))
	if err := os.WriteFile(home.StateFile(), b, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestConsentDigestPins(t *testing.T) {
	c, _ := newHome(t)
	p := plugin{id: "hello", version: "1.0.0"}
	// Also together with --yes, and also where no consent is needed.
	_, err := put(t, c, p, catalog.Consent{Yes: true, Digest: "sha256-00"})
	wantFault(t, err, fault.Consent, "CONSENT_DIGEST")
	install(t, c, p)
	_, err = put(t, c, p, catalog.Consent{Digest: "sha256-00"})
	wantFault(t, err, fault.Consent, "CONSENT_DIGEST")
}

// A prompt's yes covers what the prompt showed. Another process may have
// changed the catalog between the question and the answer.
func TestConsentShown(t *testing.T) {
	c, _ := newHome(t)
	p := plugin{id: "hello", version: "1.1.0"}
	_, err := put(t, c, p, catalog.Consent{})
	need := wantFault(t, err, fault.Consent, "CONSENT_REQUIRED").Details.(catalog.ConsentNeeded)

	install(t, c, plugin{id: "hello", version: "1.0.0", identity: "npm:other"})
	_, err = put(t, c, p, catalog.Consent{Yes: true, Shown: &need})
	again := wantFault(t, err, fault.Consent, "CONSENT_REQUIRED").Details.(catalog.ConsentNeeded)
	if need.Reason != "new" || again.Reason != "identity" || again.Previous.Identity != "npm:other" {
		t.Errorf("first %+v, then %+v", need, again)
	}
	if done, err := put(t, c, p, catalog.Consent{Yes: true, Shown: &again}); err != nil || done.Action != "updated" {
		t.Errorf("%+v, %v", done, err)
	}
}

func TestTransactionStaysUsableAfterARefusal(t *testing.T) {
	c, _ := newHome(t)
	s, candidate := stage(t, c, plugin{id: "hello", version: "1.0.0", lock: true})
	defer s.Close()
	tx := begin(t, c)
	defer tx.Close()
	_, err := tx.Put(s, candidate, catalog.Consent{})
	wantFault(t, err, fault.Consent, "CONSENT_REQUIRED")
	if _, err := tx.Put(s, candidate, catalog.Consent{Yes: true}); err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Commit(bg); err != nil {
		t.Fatal(err)
	}
	checkComplete(t, snapshot(t, c))
}

func TestUntrusted(t *testing.T) {
	c, _ := newHome(t)
	install(t, c, plugin{id: "hello", version: "1.0.0"})
	trust := func(on bool) string {
		done, err := change(c, func(tx *catalog.Tx) (catalog.Change, error) { return tx.Trust("hello", on) })
		if err != nil {
			t.Fatal(err)
		}
		return done.Action
	}
	if got := trust(false) + trust(false); got != "untrustedunchanged" {
		t.Errorf("actions %s", got)
	}
	// An update by the same source does not win trust back by itself.
	for _, version := range []string{"1.0.0", "1.1.0"} {
		_, err := put(t, c, plugin{id: "hello", version: version}, catalog.Consent{})
		if need := wantFault(t, err, fault.Consent, "CONSENT_REQUIRED").Details.(catalog.ConsentNeeded); need.Reason != "new" {
			t.Errorf("%s: %+v", version, need)
		}
	}
	if got := trust(true); got != "trusted" {
		t.Errorf("action %s", got)
	}
	install(t, c, plugin{id: "hello", version: "1.1.0"})
}

func TestDowngrade(t *testing.T) {
	c, _ := newHome(t)
	install(t, c, plugin{id: "hello", version: "1.10.0"})
	older := plugin{id: "hello", version: "1.9.0"}
	_, err := put(t, c, older, catalog.Consent{Yes: true})
	e := wantFault(t, err, fault.Consent, "DOWNGRADE")
	if !strings.Contains(e.Hint, "--allow-downgrade") || !strings.Contains(e.Error(), "1.9.0 is older than the installed 1.10.0") {
		t.Errorf("%v, hint %q", e, e.Hint)
	}
	if done, err := put(t, c, older, catalog.Consent{AllowDowngrade: true}); err != nil || done.Action != "updated" {
		t.Errorf("%+v, %v", done, err)
	}
	// Other bytes under one version are not older, and what is no version
	// cannot be compared.
	for _, version := range []string{"1.9.0", "banana", "0.1.0"} {
		if _, err := put(t, c, plugin{id: "hello", version: version, content: "x"}, catalog.Consent{}); err != nil {
			t.Errorf("%s: %v", version, err)
		}
	}
}

// The same package over a damaged one is a repair, not "unchanged".
func TestPutMendsADamagedFolder(t *testing.T) {
	c, home := newHome(t)
	p := plugin{id: "hello", version: "1.0.0"}
	install(t, c, p)
	if err := os.WriteFile(home.Plugin("hello")+"/dist/main.js", []byte("tampered"), 0o644); err != nil {
		t.Fatal(err)
	}
	if done, err := put(t, c, p, catalog.Consent{}); err != nil || done.Action != "updated" {
		t.Errorf("%+v, %v", done, err)
	}
	checkComplete(t, snapshot(t, c))
}

func TestUnrecordedFolder(t *testing.T) {
	c, home := newHome(t)
	p := plugin{id: "hello", version: "1.0.0"}
	install(t, c, p)
	if err := os.Remove(home.StateFile()); err != nil {
		t.Fatal(err)
	}
	s := snapshot(t, c)
	if len(s.Plugins) != 1 || s.Plugins[0].Trusted || !strings.Contains(s.Plugins[0].Broken, "not recorded") || s.Epoch != 1 {
		t.Errorf("state %+v", s)
	}
	_, err := put(t, c, p, catalog.Consent{})
	if need := wantFault(t, err, fault.Consent, "CONSENT_REQUIRED").Details.(catalog.ConsentNeeded); need.Reason != "identity" || need.Previous != nil {
		t.Errorf("need %+v", need)
	}
	if _, err := change(c, func(tx *catalog.Tx) (catalog.Change, error) { return tx.Set("hello", true) }); err == nil {
		t.Error("an unrecorded plugin was enabled")
	}
	if done, err := change(c, func(tx *catalog.Tx) (catalog.Change, error) { return tx.Remove("hello", false) }); err != nil || done.Action != "removed" {
		t.Errorf("remove: %+v, %v", done, err)
	}
	// The epoch never goes back, even when the state file was lost.
	if s := snapshot(t, c); len(s.Plugins) > 0 || s.Epoch != 2 {
		t.Errorf("state %+v", s)
	}
}
