package bundle

import (
	"encoding/json"
	"fmt"
	"path"
	"strings"

	"github.com/evanw/esbuild/pkg/api"

	"github.com/wuu-plugins/wuu/internal/diag"
)

// Import is one import of a module, at the characters of its specifier.
type Import struct {
	Spec       string
	Kind       ImportKind
	Start, End diag.Pos
}

// ImportKind is the form of an import.
type ImportKind string

// The forms. A static one is needed to load the module at all; the others may
// never run.
const (
	Static  ImportKind = "import"
	Dynamic ImportKind = "import()"
	Require ImportKind = "require()"
)

// Parsed is what one JavaScript file imports and exports by itself. Nothing of
// it was run and no other file was read.
type Parsed struct {
	Imports []Import // in the order of the file
	Exports []string
}

// specMark begins the messages that carry an import out of esbuild: a message
// of a resolver is the only thing that esbuild gives a place.
const specMark = "\x00import "

// ParseModule reads the file src, whose ending is that of name. Findings are
// its syntax errors and Parsed is then nil.
func ParseModule(name string, src []byte, platform Platform) (*Parsed, []diag.Finding, error) {
	options := api.BuildOptions{
		Stdin:       &api.StdinOptions{Contents: string(src), Sourcefile: name, Loader: api.LoaderJS},
		Bundle:      true,
		Metafile:    true,
		Format:      api.FormatESModule,
		Platform:    api.PlatformBrowser,
		Target:      api.ESNext,
		LogLevel:    api.LogLevelSilent,
		Outdir:      "out",
		Plugins:     []api.Plugin{importPlugin()},
		TreeShaking: api.TreeShakingFalse,
	}
	if platform == Node {
		options.Platform = api.PlatformNode
	}
	out := api.Build(options)
	var list []diag.Finding
	for _, m := range out.Errors {
		f := diag.Finding{Code: CodeError, Severity: diag.Error, File: name, Message: lowerFirst(m.Text), Hint: noteText(m.Notes)}
		if m.Location != nil {
			f.Start, f.End = placeIn(src, m.Location)
		}
		list = append(list, f)
	}
	if len(list) > 0 {
		return nil, list, nil
	}
	p := &Parsed{}
	for _, m := range out.Warnings {
		if spec, ok := strings.CutPrefix(m.Text, specMark); ok && m.Location != nil {
			kind, text, _ := strings.Cut(spec, " ")
			i := Import{Spec: text, Kind: ImportKind(kind)}
			i.Start, i.End = placeIn(src, m.Location)
			p.Imports = append(p.Imports, i)
		}
	}
	exports, err := exportsOf(out.Metafile)
	p.Exports = exports
	return p, nil, err
}

// importPlugin keeps every import out of the build and reports it.
func importPlugin() api.Plugin {
	return api.Plugin{Name: "imports", Setup: func(b api.PluginBuild) {
		b.OnResolve(api.OnResolveOptions{Filter: ".*"}, func(a api.OnResolveArgs) (api.OnResolveResult, error) {
			kind := Static
			switch a.Kind {
			case api.ResolveEntryPoint:
				return api.OnResolveResult{}, nil
			case api.ResolveJSDynamicImport:
				kind = Dynamic
			case api.ResolveJSRequireCall, api.ResolveJSRequireResolve:
				kind = Require
			}
			return api.OnResolveResult{Path: a.Path, External: true, Warnings: []api.Message{{Text: specMark + string(kind) + " " + a.Path}}}, nil
		})
	}}
}

// placeIn turns a place of esbuild, in bytes of a line, into positions.
func placeIn(src []byte, l *api.Location) (start, end diag.Pos) {
	offset, ok := lineStart(src, l)
	if !ok {
		return within(l, l.Column), within(l, l.Column+l.Length)
	}
	return diag.Locate(src, offset+l.Column), diag.Locate(src, offset+l.Column+l.Length)
}

func exportsOf(text string) ([]string, error) {
	var m struct {
		Outputs map[string]struct{ Exports []string }
	}
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		return nil, fmt.Errorf("read the record of the build: %w", err)
	}
	for name, out := range m.Outputs {
		if path.Ext(name) == ".js" {
			return out.Exports, nil
		}
	}
	return nil, nil
}
