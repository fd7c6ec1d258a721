package scaffold

import (
	"bytes"
	"embed"
	"fmt"
	"path/filepath"
	"text/template"
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
	set, err := template.New("").Delims("[[", "]]").Option("missingkey=error").ParseFS(templates, "templates/*.tmpl")
	if err != nil {
		return nil, fmt.Errorf("read templates: %w", err)
	}
	data := map[string]any{
		"Name":        o.Name,
		"Description": "A wuu plugin: " + o.Name,
		"Single":      l.single,
		"Runtime":     l.runtime,
		"Renderer":    l.renderer,
	}
	var files []file
	for _, s := range l.sources(o) {
		var text bytes.Buffer
		if err := set.ExecuteTemplate(&text, s.template+".tmpl", data); err != nil {
			return nil, fmt.Errorf("fill in %s: %w", s.path, err)
		}
		files = append(files, file{s.path, text.Bytes()})
	}
	return files, nil
}
