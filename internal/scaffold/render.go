package scaffold

import (
	"embed"
	"fmt"
	"path/filepath"
	"strings"
)

//go:embed templates/*.tmpl
var templates embed.FS

// file is one file to write, its path slash-separated.
type file struct {
	path string
	text []byte
}

// source names the template of a file.
type source struct{ path, template string }

// sources lists the files of a plugin, in the order of writing.
func (l layout) sources(o Options) []source {
	if l.single {
		return []source{{filepath.Base(o.Dir), "runtime.ts"}}
	}
	list := []source{
		{"plugin.json", "plugin.json"},
		{"package.json", "package.json"},
		{"tsconfig.json", "tsconfig.json"},
		{"README.md", "README.md"},
		{".gitignore", "gitignore"},
		{".wuuignore", "wuuignore"},
	}
	if l.runtime != nil {
		list = append(list, source{l.runtime.Source, "runtime.ts"}, source{"tests/" + o.Name + ".wuu.yaml", "case.yaml"})
	}
	if l.renderer != nil {
		list = append(list, source{l.renderer.Source, "renderer.ts"})
	}
	return list
}

// render fills in the templates. The same options give the same bytes.
func (l layout) render(o Options) ([]file, error) {
	var files []file
	for _, s := range l.sources(o) {
		text, err := templates.ReadFile("templates/" + s.template + ".tmpl")
		if err != nil {
			return nil, fmt.Errorf("read the template of %s: %w", s.path, err)
		}
		files = append(files, file{s.path, []byte(l.fill(string(text), o.Name))})
	}
	return files, nil
}

// fill keeps the lines whose condition holds and puts the values in. The
// templates need no more than that, and text/template costs the binary 3 MB:
// what it may call keeps the linker from dropping methods anywhere.
func (l layout) fill(text, name string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		if condition, rest, ok := strings.Cut(line, "]]"); ok && strings.HasPrefix(condition, "[[") && !strings.HasPrefix(condition, "[[.") {
			if !l.holds(strings.TrimPrefix(condition, "[[")) {
				continue
			}
			line = rest
		}
		out.WriteString(line)
	}
	return strings.NewReplacer(l.values(name)...).Replace(out.String())
}

// holds decides a line's condition.
func (l layout) holds(condition string) bool {
	switch condition {
	case "runtime":
		return l.runtime != nil
	case "renderer":
		return l.renderer != nil
	case "both":
		return l.runtime != nil && l.renderer != nil
	case "runtime only":
		return l.renderer == nil
	case "renderer only":
		return l.runtime == nil
	case "single":
		return l.single
	case "folder":
		return !l.single
	}
	panic("scaffold: a template has the unknown condition " + condition)
}

// values are the placeholders and what stands for them.
func (l layout) values(name string) []string {
	pairs := []string{"[[.Name]]", name, "[[.Description]]", "A wuu plugin: " + name}
	for prefix, e := range map[string]*entry{"Runtime": l.runtime, "Renderer": l.renderer} {
		if e != nil {
			pairs = append(pairs, "[[."+prefix+".Source]]", e.Source, "[[."+prefix+".Output]]", e.Output)
		}
	}
	return pairs
}
