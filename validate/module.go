package validate

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/wuu-plugins/wuu/internal/bundle"
	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/internal/jsonpos"
	"github.com/wuu-plugins/wuu/internal/manifest"
)

// maxModules bounds how many files of a runtime are followed.
const maxModules = 512

// checkModule wants the desktop entry to be one self-contained ES module that
// exports activate.
func (c *checker) checkModule(ref manifest.Reference) error {
	src, err := c.read(ref.Path, maxDesktop)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	m, found, err := bundle.ParseModule(ref.Path, src, bundle.Browser)
	if err != nil {
		return err
	}
	for _, f := range found {
		f.Code = "DESKTOP_MODULE_SYNTAX"
		c.found.Add(f)
	}
	if m == nil {
		return nil
	}
	for _, i := range m.Imports {
		c.desktopImport(ref.Path, i)
	}
	if !slices.Contains(m.Exports, "activate") {
		c.found.Add(ref.At(Finding{
			Code: "DESKTOP_NO_ACTIVATE", Severity: diag.Error, Message: "the desktop module exports no activate",
			Hint: "export function activate(api) { … }",
		}))
	}
	return nil
}

func (c *checker) desktopImport(file string, i bundle.Import) {
	f := Finding{Code: "DESKTOP_IMPORT", Severity: diag.Error, File: file, Start: i.Start, End: i.End}
	f.Message = fmt.Sprintf("the desktop module imports %s, but it must stand alone", jsonpos.Quote(i.Spec))
	f.Hint = "bundle it into the entry"
	if bundle.NodeBuiltin(i.Spec) {
		f.Code = "DESKTOP_NODE_BUILTIN"
		f.Message = fmt.Sprintf("%s is built into Node and does not exist where a desktop module runs", jsonpos.Quote(i.Spec))
		f.Hint = "move that work to the runtime and call it with api.invokeRuntime"
	}
	if i.Kind == bundle.Require {
		f.Severity = diag.Warning // it fails only when it is reached
	}
	c.found.Add(f)
}

// checkRuntime follows the imports of the runtime's entry through the files of
// the package. What Node would need at once and does not find is an error,
// what may never be reached a warning.
func (c *checker) checkRuntime(ref manifest.Reference) error {
	if !javaScript(ref.Path) {
		return nil
	}
	queue, seen := []string{ref.Path}, map[string]bool{ref.Path: true}
	for len(queue) > 0 && len(seen) <= maxModules {
		file := queue[0]
		queue = queue[1:]
		if c.files[file].Size > maxDesktop {
			continue
		}
		src, err := c.read(file, maxDesktop)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		m, found, err := bundle.ParseModule(file, src, bundle.Node)
		if err != nil {
			return err
		}
		for _, f := range found {
			f.Code = "RUNTIME_SYNTAX"
			c.found.Add(f)
		}
		if m == nil {
			continue
		}
		for _, i := range m.Imports {
			if next := c.runtimeImport(file, i); next != "" && !seen[next] {
				seen[next] = true
				queue = append(queue, next)
			}
		}
	}
	return nil
}

// runtimeImport returns the JavaScript file of the package that i names.
func (c *checker) runtimeImport(file string, i bundle.Import) string {
	if bundle.NodeBuiltin(i.Spec) || strings.HasPrefix(i.Spec, "data:") || strings.HasPrefix(i.Spec, "#") {
		return ""
	}
	f := Finding{Code: "RUNTIME_IMPORT", Severity: diag.Error, File: file, Start: i.Start, End: i.End}
	if i.Kind != bundle.Static {
		f.Severity = diag.Warning
	}
	if !strings.HasPrefix(i.Spec, "./") && !strings.HasPrefix(i.Spec, "../") {
		f.Message = fmt.Sprintf("%s is not in the package: node_modules is left out", jsonpos.Quote(i.Spec))
		f.Hint = "bundle it into the entry"
		c.found.Add(f)
		return ""
	}
	spec, _, _ := strings.Cut(i.Spec, "?")
	target := path.Join(path.Dir(file), spec)
	candidates := []string{target}
	if i.Kind == bundle.Require {
		candidates = append(candidates, target+".js", target+".json", target+".node", target+"/index.js")
	}
	for _, name := range candidates {
		if _, there := c.files[name]; there {
			if javaScript(name) {
				return name
			}
			return ""
		}
	}
	f.Message = fmt.Sprintf("%s is not in the package", jsonpos.Quote(i.Spec))
	f.Hint = c.whyAbsent(target)
	if _, there := c.files[target+".js"]; there && f.Hint == "" {
		f.Hint = "did you mean " + jsonpos.Quote(i.Spec+".js") + "?"
	}
	c.found.Add(f)
	return ""
}

func javaScript(name string) bool {
	return slices.Contains([]string{".js", ".mjs", ".cjs"}, path.Ext(name))
}
