package devwatch

import (
	"path/filepath"
	"strings"
)

// EditorTemp reports whether the last element of path is a name that editors
// use for swap, backup and probe files: 4913 (vim), x~, .#x and #x# (emacs),
// x.swp, x.swx and x.swo (vim), x.tmp. Such files never cause a batch unless
// they are named as a root or an input.
func EditorTemp(path string) bool {
	name := filepath.Base(path)
	switch {
	case name == "4913", strings.HasSuffix(name, "~"), strings.HasPrefix(name, ".#"):
		return true
	case len(name) > 2 && strings.HasPrefix(name, "#") && strings.HasSuffix(name, "#"):
		return true
	}
	switch filepath.Ext(name) {
	case ".swp", ".swx", ".swo", ".tmp":
		return true
	}
	return false
}
