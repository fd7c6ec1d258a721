package validate_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/wuu-plugins/wuu/pack"
	"github.com/wuu-plugins/wuu/validate"
)

func TestIgnore(t *testing.T) {
	const doc = `{"wuu": {"lint": {"ignore": [` + "\n"
	entry := func(rule, path string) string {
		return doc + `{"rule": "` + rule + `", "path": "` + path + `", "reason": "as it should be"}]}}}`
	}
	files := skill("Do it.\n").with(tree{"plugin.json": `{"id": "a", "version": "1.0.0", "icon": {"path": "i.svg"}}`, "i.svg": "<svg onload=''/>"})
	const handler, head = "error SVG_HANDLER i.svg:1:6", "warning SKILL_HEAD skills/b/SKILL.md:1:1"
	for _, c := range []struct {
		name, settings string
		want           []string
	}{
		{"none", `{}`, []string{handler, head}},
		{"by its path", entry("SKILL_HEAD", "skills/b/SKILL.md"), []string{handler}},
		{"by a pattern", entry("SKILL_HEAD", "skills/**"), []string{handler}},
		{"another file", entry("SKILL_HEAD", "skills/c/*"), []string{handler, head, "warning ALLOW_UNUSED package.json:2:10"}},
		{"another code", entry("SKILL_NAME", "skills/**"), []string{handler, head, "warning ALLOW_UNUSED package.json:2:10"}},
		{"no code", entry("SKILL_HEADS", "skills/**"), []string{handler, head, "warning ALLOW_INVALID package.json:2:10"}},
		{"an error", entry("SVG_HANDLER", "i.svg"), []string{handler, head, "warning ALLOW_UNUSED package.json:2:10"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			settings, found := pack.ReadSettings([]byte(c.settings), time.Now())
			if len(found) > 0 {
				t.Fatal(found)
			}
			report := run(t, files, validate.Options{})
			list := validate.Ignore(report.Findings, settings.Ignore)
			known(t, list)
			if d := cmp.Diff(c.want, places(list)); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestVersionOfAnotherType(t *testing.T) {
	checkPlaces(t, []placeCase{
		{"number", skill("---\nname: b\ndescription: x\n---\n").with(tree{"plugin.json": `{"id": "a", "version": 7}`}), []string{"error MANIFEST_TYPE plugin.json:1:24"}},
	})
}
