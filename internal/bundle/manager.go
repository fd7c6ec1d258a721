package bundle

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wuu-plugins/wuu/internal/diag"
)

// managers are the package managers whose "run build" is known to work.
var managers = [...]string{"npm", "pnpm", "yarn", "bun"}

// lockFiles name their package manager; the first that exists decides.
var lockFiles = [...]struct{ file, manager string }{
	{"pnpm-lock.yaml", "pnpm"},
	{"yarn.lock", "yarn"},
	{"bun.lock", "bun"},
	{"bun.lockb", "bun"},
	{"package-lock.json", "npm"},
	{"npm-shrinkwrap.json", "npm"},
}

// packageManager decides: override, else the packageManager field, else the
// nearest lock file up to the repository's top, else npm. A field that names
// none of ours is passed over with a warning.
func packageManager(root, override, field string) (string, []diag.Finding) {
	if override != "" {
		return override, nil
	}
	if name, _, _ := strings.Cut(field, "@"); name != "" {
		if slices.Contains(managers[:], name) {
			return name, nil
		}
		return lockManager(root), []diag.Finding{{
			Code: CodeConfig, Severity: diag.Warning, File: packageFile, Path: "/packageManager",
			Message: fmt.Sprintf("package manager %q is not known", name),
			Hint:    "npm, pnpm, yarn and bun are; --package-manager overrides it",
		}}
	}
	return lockManager(root), nil
}

func lockManager(root string) string {
	for dir := root; ; {
		for _, l := range lockFiles {
			if exists(filepath.Join(dir, l.file)) {
				return l.manager
			}
		}
		parent := filepath.Dir(dir)
		if parent == dir || exists(filepath.Join(dir, ".git")) || !inRepository(parent) {
			return "npm"
		}
		dir = parent
	}
}

// inRepository reports whether dir or a folder above it is the top of a
// repository: above that, lock files belong to somebody else.
func inRepository(dir string) bool {
	for {
		if exists(filepath.Join(dir, ".git")) {
			return true
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return false
		}
		dir = parent
	}
}

func exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}
