package bundle

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wuu-plugins/wuu/internal/sdk"
)

// Package is an npm package of which something ended in an output.
type Package struct {
	Name, Version, License string
	Dir                    string   // absolute; "" for what is inside this binary
	Integrity              string   // as the package manager recorded it, "" when it did not
	Needs                  []string // Dirs of the packages that its bundled modules import
}

// Packages groups modules by the package that they are a part of. Packages of
// which no module is used are left out; who imports one of those imports what
// it passes on. own is what the modules of root import. Both are sorted by
// folder.
func Packages(root string, modules []Module) (list []Package, own []string, err error) {
	g := packageGraph{root: root, owner: map[string]string{}, used: map[string]bool{root: true}, needs: map[string]map[string]bool{}}
	for _, m := range modules {
		dir := "" // what is inside this binary
		if !m.Embedded {
			dir = packageDir(root, m.Path)
		}
		g.owner[m.Path] = dir
		g.used[dir] = g.used[dir] || m.Used
	}
	for _, m := range modules {
		g.add(m)
	}
	recorded := integrities(root)
	for _, dir := range slices.Sorted(maps.Keys(g.used)) {
		if !g.used[dir] || dir == root {
			continue
		}
		p, err := describe(dir)
		if err != nil {
			return nil, nil, err
		}
		if rel, err := filepath.Rel(root, dir); err == nil {
			p.Integrity = recorded[filepath.ToSlash(rel)]
		}
		p.Needs = g.from(dir)
		list = append(list, p)
	}
	return list, g.from(root), nil
}

// packageGraph says which package imports which, by their folders.
type packageGraph struct {
	root  string
	owner map[string]string // module → package
	used  map[string]bool
	needs map[string]map[string]bool
}

func (g *packageGraph) add(m Module) {
	from := g.owner[m.Path]
	if g.needs[from] == nil {
		g.needs[from] = map[string]bool{}
	}
	for _, i := range m.Imports {
		if to, read := g.owner[i]; read && to != from {
			g.needs[from][to] = true
		}
	}
}

// from lists the used packages that dir reaches without passing another one.
func (g *packageGraph) from(dir string) []string {
	found := map[string]bool{}
	seen := map[string]bool{dir: true, g.root: true}
	for next := []string{dir}; len(next) > 0; next = next[1:] {
		for to := range g.needs[next[0]] {
			switch {
			case seen[to]:
			case g.used[to]:
				found[to] = true
			default:
				next = append(next, to)
			}
			seen[to] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// packageDir is the folder of the package that a file is a part of: below the
// last node_modules, else the nearest folder with a named package.json, as in a
// workspace. A file of the plugin is root's.
func packageDir(root, file string) string {
	slashed := filepath.ToSlash(file)
	if i := strings.LastIndex(slashed, "/node_modules/"); i >= 0 {
		above := i + len("/node_modules/")
		return filepath.FromSlash(slashed[:above] + packageName(slashed[above:]))
	}
	if strings.HasPrefix(file, root+string(filepath.Separator)) {
		return root
	}
	for dir := range upwards(filepath.Dir(file)) {
		if p, err := describe(dir); err == nil && p.Name != "" {
			return dir
		}
	}
	return root
}

// describe reads a package's own package.json.
func describe(dir string) (Package, error) {
	if dir == "" {
		return Package{Name: sdk.Module, Version: sdk.Version}, nil
	}
	var doc struct {
		Name, Version string
		License       json.RawMessage
		Licenses      []struct{ Type string }
	}
	src, err := os.ReadFile(filepath.Join(dir, packageFile))
	if err == nil {
		err = json.Unmarshal([]byte(strings.TrimPrefix(string(src), "\ufeff")), &doc)
	}
	if err != nil {
		return Package{}, fmt.Errorf("read what is bundled: %w", err)
	}
	p := Package{Name: doc.Name, Version: doc.Version, Dir: dir}
	var object struct{ Type string }
	switch {
	case json.Unmarshal(doc.License, &p.License) == nil:
	case json.Unmarshal(doc.License, &object) == nil:
		p.License = object.Type
	case len(doc.Licenses) > 0:
		var types []string
		for _, l := range doc.Licenses {
			types = append(types, l.Type)
		}
		p.License = strings.Join(types, " OR ")
	}
	return p, nil
}

// integrities is what npm wrote down when it installed: folder relative to the
// root → integrity. No file, or another manager's, means nothing is known.
func integrities(root string) map[string]string {
	known := map[string]string{}
	for _, name := range []string{"package-lock.json", "node_modules/.package-lock.json"} {
		var lock struct {
			Packages map[string]struct{ Integrity string }
		}
		src, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil || json.Unmarshal(src, &lock) != nil {
			continue
		}
		for dir, p := range lock.Packages {
			if p.Integrity != "" {
				known[dir] = p.Integrity
			}
		}
	}
	return known
}
