package validate

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/internal/jsonpos"
	"github.com/wuu-plugins/wuu/internal/pathname"
)

const (
	skillFile = "SKILL.md"
	maxSkill  = 1 << 20 // bytes, as of a prompt
)

// checkSkills reads the head of every SKILL.md below the declared folders. The
// contract leaves a skill's head to the reader of skills, so all about it are
// warnings.
func (c *checker) checkSkills() error {
	byName := map[string]string{}
	for _, f := range c.p.Files {
		declared := slices.ContainsFunc(c.m.Skills, func(s string) bool { return f.Path == s || strings.HasPrefix(f.Path, s+"/") })
		if !declared || path.Base(f.Path) != skillFile || f.Size > maxSkill {
			continue
		}
		src, err := c.read(f.Path, maxSkill)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		c.checkSkill(f.Path, src, byName)
	}
	return nil
}

func (c *checker) warnSkill(code, file string, src []byte, start, end int, message, hint string) {
	c.found.Add(Finding{
		Code: code, Severity: diag.Warning, File: file, Message: message, Hint: hint,
		Start: diag.Locate(src, start), End: diag.Locate(src, end),
	})
}

func (c *checker) checkSkill(file string, src []byte, byName map[string]string) {
	head, problem := readHead(src)
	if problem != nil {
		c.warnSkill("SKILL_HEAD", file, src, problem.start, problem.end, problem.text, "begin the file with ---, name: …, description: … and ---")
		return
	}
	for _, key := range []string{"name", "description"} {
		if v, there := head[key]; !there || v.text == "" {
			c.warnSkill("SKILL_HEAD", file, src, v.start, max(v.end, v.start), "the skill has no "+key, "add "+key+": … between the lines of ---")
		}
	}
	name := head["name"]
	hidden := strings.ContainsFunc(name.text, func(r rune) bool { return unicode.Is(unicode.Cf, r) })
	if name.text == "" || hidden { // hidden characters are reported as such
		return
	}
	folder := path.Base(path.Dir(file))
	switch other := byName[name.text]; {
	case !skillName(name.text):
		c.warnSkill("SKILL_NAME", file, src, name.start, name.end, jsonpos.Quote(name.text)+" is not 1 to 64 of a-z, 0-9 and -", "")
	case other != "":
		c.warnSkill("SKILL_NAME", file, src, name.start, name.end, fmt.Sprintf("%s has the name %s already", pathname.Show(other), jsonpos.Quote(name.text)), "give each skill a name of its own")
	case folder != "." && folder != name.text:
		c.warnSkill("SKILL_NAME", file, src, name.start, name.end, fmt.Sprintf("the skill is named %s, its folder %s", jsonpos.Quote(name.text), pathname.Show(folder)), "use one name for both")
	}
	if byName[name.text] == "" {
		byName[name.text] = file
	}
}

func skillName(text string) bool {
	return len(text) <= 64 && strings.Trim(text, "abcdefghijklmnopqrstuvwxyz0123456789-") == "" && text[0] != '-'
}
