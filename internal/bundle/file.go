package bundle

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/wuu-plugins/wuu/internal/fault"
)

// fileOutput is where a single-file plugin's bundle stands in its package.
const fileOutput = "dist/index.js"

// FileExts are the extensions of a single-file plugin.
var FileExts = [...]string{".ts", ".mts", ".js", ".mjs"}

// NewFilePlan is the plan of a single-file plugin: file (absolute, no symlink)
// with a default-exported RuntimePlugin becomes dist/index.js, which runs it.
func NewFilePlan(file string) (Plan, Options, error) {
	if !filepath.IsAbs(file) {
		return Plan{}, Options{}, fmt.Errorf("plan %s: path is not absolute", file)
	}
	info, err := os.Lstat(file)
	switch {
	case err != nil:
		return Plan{}, Options{}, fault.New(fault.Usage, "PATH_MISSING", file, "%w", err)
	case !info.Mode().IsRegular():
		return Plan{}, Options{}, fault.New(fault.Usage, "PATH_KIND", file, "not a regular file").
			WithHint("name the file itself, not a link to it")
	case !fileExt(file):
		return Plan{}, Options{}, fault.New(fault.Usage, "PATH_KIND", file, "not a plugin file").
			WithHint("a single-file plugin ends in %s", strings.Join(FileExts[:], ", "))
	}
	return Plan{
		Builder: Embedded,
		Entries: []Entry{{Source: filepath.Base(file), Output: fileOutput, Platform: Node, Run: true}},
		Outputs: []string{fileOutput},
	}, Options{Root: filepath.Dir(file)}, nil
}

func fileExt(file string) bool {
	for _, ext := range FileExts {
		if filepath.Ext(file) == ext {
			return true
		}
	}
	return false
}

// FileID is the id of a single-file plugin: stable for its absolute path
// (reference: 24 hexadecimal digits of the path's SHA-256).
func FileID(file string) string {
	sum := sha256.Sum256([]byte(file))
	return "local-" + hex.EncodeToString(sum[:])[:24]
}

// FilePackage makes the plugin.json and package.json that go with the bundle
// of a single-file plugin, named after the file (absolute).
func FilePackage(file string) (id string, files map[string][]byte) {
	id = FileID(file)
	stem := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	return id, map[string][]byte{
		"plugin.json": encode(map[string]any{
			"schema_version": 1,
			"id":             id,
			"name":           stem,
			"version":        "0.0.0",
			"runtime": map[string]any{
				"protocol": "wuu-plugin-v1",
				"command":  "node",
				"args":     []string{fileOutput},
			},
		}),
		packageFile: encode(map[string]any{"private": true, "type": "module"}),
	}
}

// encode writes v with sorted keys, so the same plugin has the same bytes.
func encode(v any) []byte {
	out, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		panic(err) // only strings, numbers, lists and maps come here
	}
	return append(out, '\n')
}
