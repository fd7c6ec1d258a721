package validate

import (
	"strings"

	"github.com/wuu-plugins/wuu/internal/pathname"
	"github.com/wuu-plugins/wuu/pack"
)

func newChecker(p *pack.Package, o Options) *checker {
	c := &checker{p: p, o: o, files: make(map[string]pack.File, len(p.Files)), omitted: map[string]string{}, folded: map[string]string{}, pictures: map[string]bool{}}
	for _, f := range p.Files {
		c.files[f.Path] = f
		c.folded[pathname.Fold(f.Path)] = f.Path
	}
	for _, f := range p.Omitted {
		c.omitted[strings.TrimSuffix(f.Path, "/")] = f.Reason
	}
	return c
}

// hasFolder reports whether a file of the package lies below path.
func (c *checker) hasFolder(path string) bool {
	for _, f := range c.p.Files {
		if strings.HasPrefix(f.Path, path+"/") {
			return true
		}
	}
	return false
}

// whyAbsent is a hint about a path that the package does not hold, or "".
func (c *checker) whyAbsent(path string) string {
	if other, ok := c.folded[pathname.Fold(path)]; ok {
		return "the package holds " + pathname.Show(other) + "; case and spelling must be the same"
	}
	for part := path; ; {
		if reason, ok := c.omitted[part]; ok {
			return pathname.Show(part) + " is left out of the package: " + reason
		}
		i := strings.LastIndexByte(part, '/')
		if i < 0 {
			break
		}
		part = part[:i]
	}
	if c.hasFolder(path) {
		return "it is a folder"
	}
	prefix := pathname.Fold(path) + "/"
	for _, f := range c.p.Files {
		if strings.HasPrefix(pathname.Fold(f.Path), prefix) {
			return "the package holds " + pathname.Show(f.Path) + "; case and spelling must be the same"
		}
	}
	return ""
}
