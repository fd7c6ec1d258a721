package pack

import (
	"fmt"
	"strings"

	"github.com/wuu-plugins/wuu/internal/pathname"
)

// tree holds every path of a package, the folders above each file included,
// and finds two that would be one on some file system.
type tree struct {
	nodes map[string]node   // by folded path
	folds map[string]string // folder → folded path, for the folders in nodes
}

type node struct {
	path string
	dir  bool
	size int64
}

func newTree() *tree { return &tree{nodes: map[string]node{}, folds: map[string]string{"": ""}} }

// count is the number of files and folders.
func (t *tree) count() int { return len(t.nodes) }

// add takes a checked path in. Collisions are reported with both names.
func (t *tree) add(path string, dir bool, size int64, rep *reporter) {
	for i := 0; i < len(path); i++ {
		if path[i] == '/' && !t.put(path[:i], true, 0, rep) {
			return
		}
	}
	t.put(path, dir, size, rep)
}

// put adds one path whose parents are there; false means a collision.
func (t *tree) put(path string, dir bool, size int64, rep *reporter) bool {
	if _, known := t.folds[path]; known && dir {
		return true
	}
	key := t.fold(path)
	old, taken := t.nodes[key]
	if !taken {
		t.nodes[key] = node{path, dir, size}
		if dir {
			t.folds[path] = key
		}
		return true
	}
	switch {
	case old.path == path && old.dir != dir:
		rep.error("ENTRY_FILE_DIR_CONFLICT", path, "the path is a file and a folder at the same time")
	case old.path == path:
		rep.error("ENTRY_DUPLICATE", path, "the same file stands there twice, with %d and %d bytes", old.size, size)
	case pathname.SameText(old.path, path):
		rep.error("ENTRY_UNICODE_COLLISION", path, "this is %s in another Unicode form: one file on macOS, two on Linux", describe(old))
	default:
		rep.error("ENTRY_CASE_COLLISION", path, "this and %s are one name where case does not count (%d bytes here)", describe(old), size)
	}
	return false
}

func (t *tree) fold(path string) string {
	parent, base := "", path
	if i := strings.LastIndexByte(path, '/'); i >= 0 {
		parent, base = path[:i], path[i+1:]
	}
	above, known := t.folds[parent]
	if !known {
		above = pathname.Fold(parent)
	}
	if above == "" {
		return pathname.Fold(base)
	}
	return above + "/" + pathname.Fold(base)
}

func describe(n node) string {
	if n.dir {
		return "the folder " + pathname.Show(n.path)
	}
	return fmt.Sprintf("%s (%d bytes)", pathname.Show(n.path), n.size)
}
