package cli

import (
	"testing"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/npmver"
	"github.com/wuu-plugins/wuu/registry"
)

// TestChooseVersion: compatible is what npm's ^ means; prereleases only for
// one who has one; a deprecated version is never chosen.
func TestChooseVersion(t *testing.T) {
	releases := []registry.Release{ // newest first, as a registry lists them
		{Version: "3.0.0-rc.1"},
		{Version: "2.1.0", Deprecated: "withdrawn"},
		{Version: "2.0.0"},
		{Version: "1.10.0", Deprecated: "broken"},
		{Version: "1.9.1+build.7"},
		{Version: "1.9.0"},
		{Version: "1.2.0-rc.2"},
		{Version: "1.2.0-rc.1", Deprecated: "old"},
		{Version: "0.3.0"},
		{Version: "0.2.9"},
		{Version: "0.2.0"},
		{Version: "0.0.2"},
		{Version: "0.0.1"},
		{Version: "nonsense"},
	}
	for current, want := range map[string][3]string{ // compatible, newest, deprecated
		"1.0.0":      {"1.9.1+build.7", "2.0.0", ""},
		"1.9.0":      {"1.9.1+build.7", "2.0.0", ""},
		"1.9.1":      {"", "2.0.0", ""},
		"1.10.0":     {"", "2.0.0", "broken"},
		"2.0.0":      {"", "", ""},
		"2.1.0":      {"", "", "withdrawn"},
		"9.0.0":      {"", "", ""},
		"0.2.0":      {"0.2.9", "2.0.0", ""},
		"0.2.9":      {"", "2.0.0", ""},
		"0.0.1":      {"", "2.0.0", ""},
		"1.2.0-rc.1": {"1.9.1+build.7", "3.0.0-rc.1", "old"},
		"3.0.0-beta": {"3.0.0-rc.1", "3.0.0-rc.1", ""},
	} {
		v, err := npmver.Parse(current)
		if err != nil {
			t.Fatal(err)
		}
		o := outdated{Current: current}
		o.choose("pkg", v, releases)
		if got := [3]string{o.Compatible, o.Newest, o.Deprecated}; got != want {
			t.Errorf("%s: %q, want %q", current, got, want)
		}
		if spec := map[bool]string{true: "npm:pkg@" + o.Compatible}[o.Compatible != ""]; o.Update != spec {
			t.Errorf("%s: update to %q, want %q", current, o.Update, spec)
		}
	}
}

// TestWorstExitCode: of several failures the highest code is that of the command.
func TestWorstExitCode(t *testing.T) {
	doc := &updatesDoc{}
	if doc.worst() != nil {
		t.Error("nothing failed, yet there is a worst")
	}
	for _, u := range []struct {
		kind uint8
		want uint8
	}{{4, 4}, {6, 6}, {5, 6}, {8, 8}} {
		var p pluginUpdate
		p.fail(fault.New(fault.Kind(u.kind), "X", "x", "failed"))
		doc.Plugins = append(doc.Plugins, p)
		if got := uint8(doc.worst().Kind); got != u.want || p.Action != actionFailed {
			t.Errorf("after a failure with code %d: %d (%s), want %d", u.kind, got, p.Action, u.want)
		}
	}
}
