package bundle

import (
	"path"
	"slices"
	"strings"

	"github.com/wuu-plugins/wuu/internal/manifest"
)

// outDirs are the first folders of an output that has its source under src/.
var outDirs = [...]string{"dist", "build", "lib", "out"}

// sourceExts are tried in this order.
var sourceExts = [...]string{".ts", ".tsx", ".mts", ".js", ".mjs", ".jsx"}

// declared lists the files of the package that the manifest starts or loads:
// the runtime's program or script and the desktop entry.
func declared(m *manifest.Manifest) []Entry {
	var list []Entry
	if m.Runtime != nil {
		if out := runtimeOutput(m.Runtime); out != "" {
			list = append(list, Entry{Output: out, Platform: Node})
		}
	}
	if m.Desktop != nil {
		if out := local(m.Desktop.Entry); out != "" {
			list = append(list, Entry{Output: out, Platform: Browser})
		}
	}
	return list
}

// runtimeOutput is the command itself when it names a file of the package,
// else the first argument that names a JavaScript file; options are skipped.
func runtimeOutput(r *manifest.Runtime) string {
	if strings.Contains(r.Command, "/") {
		return local(r.Command)
	}
	for _, arg := range r.Args {
		if !strings.HasPrefix(arg, "-") && isScript(arg) {
			return local(arg)
		}
	}
	return ""
}

// local cleans a slash-separated path and drops it when it leaves the root.
func local(name string) string {
	if name == "" || path.IsAbs(name) || strings.ContainsAny(name, "\\:") {
		return ""
	}
	name = path.Clean(name)
	if name == "." || name == ".." || strings.HasPrefix(name, "../") {
		return ""
	}
	return name
}

func isScript(name string) bool {
	switch path.Ext(name) {
	case ".js", ".mjs", ".cjs":
		return true
	}
	return false
}

// sources lists where the source of an output may stand: dist/a/b.js comes
// from src/a/b.ts and its relatives. Outputs elsewhere are written by hand.
func sources(output string) []string {
	dir, rest, ok := strings.Cut(output, "/")
	if !ok || !isScript(output) || !slices.Contains(outDirs[:], dir) {
		return nil
	}
	stem := "src/" + strings.TrimSuffix(rest, path.Ext(rest))
	list := make([]string, len(sourceExts))
	for i, ext := range sourceExts {
		list[i] = stem + ext
	}
	return list
}
