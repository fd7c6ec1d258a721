package validate_test

import (
	"testing"

	"github.com/wuu-plugins/wuu/validate"
)

func skill(text string) tree {
	return tree{"plugin.json": `{"id": "a", "version": "1.0.0", "skills": "skills"}`, "skills/b/SKILL.md": text}
}

func TestSkills(t *testing.T) {
	const file = "skills/b/SKILL.md:"
	good := "---\nname: b\ndescription: Does it.\n---\nDo it.\n"
	checkPlaces(t, []placeCase{
		{"good", skill(good), nil},
		{"mark and CRLF", skill("\ufeff---\r\nname: 'b'\r\n# why\r\ndescription: >-\r\n  Does: it.\r\nallowed-tools:\r\n- Read\r\n---\r\n"), nil},
		{"default folder", skill("Do it.\n").with(tree{"plugin.json": `{"id": "a", "version": "1.0.0"}`}), []string{"warning SKILL_HEAD " + file + "1:1"}},
		{"not declared", skill("Do it.\n").with(tree{"plugin.json": `{"id": "a", "version": "1.0.0", "skills": "s"}`, "s/SKILL.md": "---\nname: s\ndescription: x\n---\n"}), nil},
		{"no head", skill("# Title\n"), []string{"warning SKILL_HEAD " + file + "1:1"}},
		{"no end", skill("---\nname: b\n"), []string{"warning SKILL_HEAD " + file + "1:1"}},
		{"no name", skill("---\ndescription: x\n---\n"), []string{"warning SKILL_HEAD " + file + "3:1"}},
		{"empty description", skill("---\nname: b\ndescription:\n---\n"), []string{"warning SKILL_HEAD " + file + "3:1"}},
		{"neither", skill("---\n---\n"), []string{"warning SKILL_HEAD " + file + "2:1", "warning SKILL_HEAD " + file + "2:1"}},
		{"colon", skill("---\nname: b\ndescription: Use when 😀: always\n---\n"), []string{"warning SKILL_HEAD " + file + "3:25"}},
		{"open quote", skill("---\nname: \"b\n---\n"), []string{"warning SKILL_HEAD " + file + "2:7"}},
		{"no value", skill("---\nname: b\nwords\n---\n"), []string{"warning SKILL_HEAD " + file + "3:1"}},
		{"twice", skill("---\nname: b\nname: b\n---\n"), []string{"warning SKILL_HEAD " + file + "3:1"}},
		{"bad name", skill("---\nname:  My Skill\ndescription: x\n---\n"), []string{"warning SKILL_NAME " + file + "2:8"}},
		{"another name", skill("---\nname: c\ndescription: x\n---\n"), []string{"warning SKILL_NAME " + file + "2:7"}},
		{"hidden characters, found elsewhere", skill("---\nname: b\u200bc\ndescription: x\n---\n"), nil},
		{"same name", skill(good).with(tree{"skills/z/b/SKILL.md": good}), []string{"warning SKILL_NAME skills/z/b/SKILL.md:2:7"}},
	})
}

func FuzzSkillHead(f *testing.F) {
	for _, seed := range []string{"---\nname: b\n---", "\ufeff---\r\n: \n-", "---\n\"", "---\na: \"\n---\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, src string) {
		for _, found := range run(t, skill(src), validate.Options{}).Findings {
			if found.Start.Offset > found.End.Offset || found.End.Offset > len(src) && found.File != "plugin.json" {
				t.Errorf("%+v", found)
			}
		}
	})
}
