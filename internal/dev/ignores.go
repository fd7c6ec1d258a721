package dev

import (
	"os"
	"path/filepath"
	"sync"

	"github.com/wuu-plugins/wuu/internal/bundle"
	"github.com/wuu-plugins/wuu/internal/ignore"
)

// ignoredDirs never cause a build, at any depth.
var ignoredDirs = map[string]bool{".git": true, "node_modules": true, "dist": true, ".wuu": true}

// ignores decides which files of a plugin folder cause no build: the four
// folders above, what .gitignore names, the build's own outputs, and a home
// that lies inside the plugin. The watcher asks from its own goroutine.
type ignores struct {
	root string // the plugin
	top  string // of the repository: where .gitignore files count from
	home string

	mu    sync.Mutex
	built map[string]bool
	git   map[string]*ignore.Matcher // by folder: its own patterns after those above
}

func newIgnores(root, home string) *ignores {
	if real, err := filepath.EvalSymlinks(home); err == nil {
		home = real
	}
	return &ignores{root: root, top: repository(root), home: home, git: map[string]*ignore.Matcher{}}
}

// repository is the nearest folder from root upwards that holds .git, or root.
func repository(root string) string {
	for dir := root; ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			return root
		}
	}
}

// reset makes the next questions read the .gitignore files again.
func (g *ignores) reset() {
	g.mu.Lock()
	defer g.mu.Unlock()
	clear(g.git)
}

// outputs remembers what the plan writes.
func (g *ignores) outputs(root string, plan bundle.Plan) {
	built := map[string]bool{}
	if plan.Builder == bundle.Command {
		for _, name := range plan.Outputs {
			built[filepath.Join(root, filepath.FromSlash(name))] = true
		}
	}
	for _, e := range plan.Entries {
		built[filepath.Join(root, filepath.FromSlash(e.Output))] = true
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.built = built
}

// ignore reports whether path causes no build. .gitignore files count inside
// the plugin only; extra inputs were named by hand.
func (g *ignores) ignore(path string, dir bool) bool {
	if dir && ignoredDirs[filepath.Base(path)] || path == g.home || inside(g.home, path) {
		return true
	}
	if !inside(g.root, path) {
		return false
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.built[path] {
		return true
	}
	rel, err := filepath.Rel(g.top, path)
	return err == nil && g.matcher(filepath.Dir(path)).Own(filepath.ToSlash(rel), dir)
}

// matcher holds the patterns that count in dir, which is top or inside it.
func (g *ignores) matcher(dir string) *ignore.Matcher {
	if m, ok := g.git[dir]; ok {
		return m
	}
	var m *ignore.Matcher
	base := ""
	if dir != g.top {
		m = g.matcher(filepath.Dir(dir))
		if rel, err := filepath.Rel(g.top, dir); err == nil {
			base = filepath.ToSlash(rel)
		}
	}
	if f, err := os.Open(filepath.Join(dir, ".gitignore")); err == nil {
		if own, err := ignore.Parse(f, base); err == nil {
			m = m.With(own)
		}
		_ = f.Close() // read only
	}
	g.git[dir] = m
	return m
}
