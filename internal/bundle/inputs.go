package bundle

import (
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// importExts are esbuild's own, in its order.
var importExts = [...]string{".tsx", ".ts", ".jsx", ".js", ".css", ".json"}

// rewrites are the sources that TypeScript lets an import of the emitted name
// stand for.
var rewrites = map[string][]string{
	".js":  {".ts", ".tsx"},
	".jsx": {".ts", ".tsx"},
	".mjs": {".mts"},
	".cjs": {".cts"},
}

// inputs sorts what a build read and what it looked for in vain into files
// that are there and files whose appearance would change the next build.
// unresolved are the imports that the build could not resolve.
func (t *tracker) inputs(root string, unresolved map[string]bool) (present, absent []string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	there, missing := map[string]struct{}{}, map[string]struct{}{}
	for name := range t.read {
		there[name] = struct{}{}
	}
	for l := range t.imports {
		switch {
		case l.dir == "" || inModules(l.dir):
		case strings.HasPrefix(l.path, "./") || strings.HasPrefix(l.path, "../"):
			lookFor(candidates(filepath.Join(l.dir, filepath.FromSlash(l.path))), missing)
		case unresolved[l.path]:
			for _, name := range packageFiles(root, l.dir, packageName(l.path)) {
				missing[name] = struct{}{}
			}
		}
	}
	seen := map[string]bool{}
	for name := range t.read {
		settings(root, filepath.Dir(name), seen, there, missing)
	}
	return sorted(there), sorted(missing)
}

// lookFor keeps the names before the first that is a file: each of them would
// win over it.
func lookFor(names []string, missing map[string]struct{}) {
	for _, name := range names {
		info, err := os.Stat(name)
		switch {
		case err != nil:
			missing[name] = struct{}{}
		case info.Mode().IsRegular():
			return
		}
	}
}

func candidates(base string) []string {
	list := []string{base}
	ext := filepath.Ext(base)
	for _, other := range rewrites[ext] {
		list = append(list, strings.TrimSuffix(base, ext)+other)
	}
	for _, e := range importExts {
		list = append(list, base+e)
	}
	for _, e := range importExts {
		list = append(list, filepath.Join(base, "index"+e))
	}
	return list
}

// packageName is the package of a bare import; "" for anything else.
func packageName(spec string) string {
	if spec == "" || strings.HasPrefix(spec, "#") || filepath.IsAbs(spec) || strings.Contains(spec, ":") {
		return ""
	}
	parts := strings.SplitN(spec, "/", 3)
	if !strings.HasPrefix(spec, "@") {
		return parts[0]
	}
	if len(parts) < 2 {
		return ""
	}
	return parts[0] + "/" + parts[1]
}

// packageFiles are the package.json files that an import from dir may find.
func packageFiles(root, dir, name string) []string {
	if name == "" {
		return nil
	}
	var list []string
	for d := range upwards(dir) {
		if ours(root, d) {
			list = append(list, filepath.Join(d, "node_modules", filepath.FromSlash(name), packageFile))
		}
	}
	return list
}

// settings adds the files that change how esbuild reads the sources of dir:
// the nearest tsconfig.json, or a package's own package.json.
func settings(root, dir string, seen map[string]bool, there, missing map[string]struct{}) {
	name := "tsconfig.json"
	modules := inModules(dir)
	if modules {
		name = packageFile
	}
	for d := range upwards(dir) {
		if seen[d] || modules && filepath.Base(d) == "node_modules" {
			return
		}
		seen[d] = true
		file := filepath.Join(d, name)
		if exists(file) {
			there[file] = struct{}{}
			return
		}
		if !modules && ours(root, d) {
			missing[file] = struct{}{}
		}
	}
}

// upwards yields dir and the folders above it.
func upwards(dir string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for yield(dir) {
			parent := filepath.Dir(dir)
			if parent == dir {
				return
			}
			dir = parent
		}
	}
}

// ours reports whether somebody may want to create a file in dir for this
// plugin's sake: it is the plugin, in it, or a package of its own. Other
// folders above, such as a home or the temporary folder, are left alone.
func ours(root, dir string) bool {
	return dir == root || strings.HasPrefix(dir, root+string(filepath.Separator)) || exists(filepath.Join(dir, packageFile))
}

func inModules(dir string) bool {
	return slices.Contains(strings.Split(filepath.ToSlash(dir), "/"), "node_modules")
}

func sorted(set map[string]struct{}) []string {
	list := make([]string, 0, len(set))
	for name := range set {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}
