package host

import (
	"strings"
	"testing"

	"github.com/wuu-plugins/wuu/internal/catalog"
	"github.com/wuu-plugins/wuu/internal/manifest"
)

// packages reads "id[@version] words…": needs:x, needs:x@range, maybe:x,
// breaks:x, conflicts:x, on:platform, wuu:version, off, untrusted.
func packages(text string) []*candidate {
	var all []*candidate
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		id, version, _ := strings.Cut(words[0], "@")
		c := &candidate{
			rec:      catalog.Record{ID: id, Version: version, Trusted: true, DefaultEnabled: true},
			manifest: &manifest.Manifest{ID: id},
		}
		m := c.manifest
		for _, w := range words[1:] {
			kind, value, _ := strings.Cut(w, ":")
			other, constraint, _ := strings.Cut(value, "@")
			switch kind {
			case "needs":
				m.Dependencies = append(m.Dependencies, manifest.Dependency{ID: other, Version: constraint})
				m.Requires = append(m.Requires, other)
			case "maybe":
				m.Dependencies = append(m.Dependencies, manifest.Dependency{ID: other, Version: constraint, Optional: true})
			case "breaks":
				m.Breaks = append(m.Breaks, value)
			case "conflicts":
				m.Conflicts = append(m.Conflicts, value)
			case "on":
				m.Platforms = append(m.Platforms, value)
			case "wuu":
				m.MinimumWuuVersion = value
			case "off":
				c.rec.DefaultEnabled = false
			case "untrusted":
				c.rec.Trusted = false
			}
		}
		all = append(all, c)
	}
	return all
}

func TestPlan(t *testing.T) {
	for _, c := range []struct {
		name, in string
		order    string
		blocked  map[string]string // id → part of "CODE message"
		notes    int
	}{
		{name: "ties by id", in: "c\nb\na", order: "a b c"},
		{name: "providers first", in: "a needs:z\nm needs:a\nz", order: "z a m"},
		{name: "missing", in: "a needs:b\nc needs:a\nd", order: "d", blocked: map[string]string{
			"a": "DEPENDENCY_MISSING needs b, which is not installed",
			"c": "DEPENDENCY_INACTIVE needs a, and a needs b, which is not installed",
		}},
		{name: "disabled provider", in: "a needs:b\nb off", blocked: map[string]string{
			"a": "DEPENDENCY_INACTIVE needs b, and b is disabled", "b": "PLUGIN_DISABLED is disabled",
		}},
		{name: "untrusted provider", in: "a needs:b\nb untrusted", blocked: map[string]string{
			"a": "needs b, and b is not trusted", "b": "PLUGIN_UNTRUSTED",
		}},
		{name: "version", in: "a needs:b@^2.0.0\nb@1.9.0\nc needs:b@>=1.5", order: "b c", blocked: map[string]string{
			"a": `DEPENDENCY_VERSION needs b ^2.0.0; version "1.9.0" is installed`,
		}},
		{name: "unreadable version never fits", in: "a needs:b@*\nb@one", order: "b", blocked: map[string]string{"a": "DEPENDENCY_VERSION"}},
		{name: "no constraint takes any version", in: "a needs:b\nb@one", order: "b a"},
		{name: "platform", in: "a on:plan9 on:linux\nb on:windows\nc on:Linux", order: "a c", blocked: map[string]string{
			"b": "PLATFORM_UNSUPPORTED runs on windows, not on linux",
		}},
		{name: "minimum version", in: "a wuu:2026.1130.0\nb wuu:2026.1130.1\nc wuu:v2026.9\nd wuu:soon", order: "a c", blocked: map[string]string{
			"b": "WUU_TOO_OLD needs wuu 2026.1130.1; this is 2026.1130.0", "d": "WUU_TOO_OLD",
		}},
		{name: "breaks", in: "a breaks:b\nb\nc needs:a", order: "b", blocked: map[string]string{
			"a": "PLUGIN_BREAKS says that it breaks b", "c": "DEPENDENCY_INACTIVE",
		}},
		{name: "breaks what is not there", in: "a breaks:b breaks:z\nb off", order: "a", blocked: map[string]string{"b": "PLUGIN_DISABLED"}},
		{name: "conflicts only reports", in: "a conflicts:b\nb", order: "a b", notes: 1},
		{name: "circle", in: "a needs:b\nb needs:c\nc needs:a\nd needs:a\ne", order: "e", blocked: map[string]string{
			"a": "DEPENDENCY_CYCLE is on a circle of required dependencies: a → b → c → a",
			"b": "DEPENDENCY_CYCLE", "c": "DEPENDENCY_CYCLE", "d": "DEPENDENCY_INACTIVE",
		}},
		{name: "needs itself", in: "a needs:a", blocked: map[string]string{"a": "DEPENDENCY_CYCLE"}},
		{name: "optional orders", in: "a maybe:b\nb", order: "b a"},
		{name: "optional that does not fit", in: "a maybe:b@2\nb@1.0.0", order: "a b"},
		{name: "optional circle is skipped", in: "a maybe:b\nb needs:a", order: "a b", notes: 1},
		{name: "two optional edges, one circle", in: "a maybe:b\nb maybe:a", order: "b a", notes: 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := makePlan(packages(c.in), world{platform: "linux", version: "2026.1130.0"})
			var order []string
			for _, got := range p.order {
				order = append(order, got.id())
			}
			if got := strings.Join(order, " "); got != c.order {
				t.Errorf("order %q, want %q", got, c.order)
			}
			for _, got := range p.all {
				want, isBlocked := c.blocked[got.id()]
				switch {
				case !isBlocked && got.blocked != nil:
					t.Errorf("%s is blocked: %s", got.id(), got.blocked.Message)
				case isBlocked && got.blocked == nil:
					t.Errorf("%s is not blocked", got.id())
				case isBlocked && !strings.Contains(got.blocked.Code+" "+got.blocked.Message, want):
					t.Errorf("%s: %s %s, want %q", got.id(), got.blocked.Code, got.blocked.Message, want)
				}
			}
			if len(p.notes) != c.notes {
				t.Errorf("notes %q, want %d", p.notes, c.notes)
			}
		})
	}
}

func TestAtLeast(t *testing.T) {
	for _, c := range []struct {
		current, least string
		want           bool
	}{
		{"2026.1130.0", "2026.1130.0", true},
		{"2026.1130.0", "v2026.1130.0", true},
		{"2026.1130.0", "2026.1129.9", true},
		{"2026.1130.0", "2026.108.0", true}, // numbers, not text
		{"2026.1130.0", "2026.1130.1", false},
		{"2026.1130.0", "2027.1", false},
		{"2026.1130.0", "2026", true},
		{"2026.1130.0", "2026.0108.0", false}, // a leading zero
		{"2026.1130.0", "1.2.3.4", false},
		{"2026.1130.0", "", false},
		{"2026.1130.0", "1.+2", false},
		{"unknown", "1.0.0", false},
	} {
		if got := atLeast(c.current, c.least); got != c.want {
			t.Errorf("atLeast(%q, %q) = %v", c.current, c.least, got)
		}
	}
}
