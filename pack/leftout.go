package pack

import (
	"encoding/json"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/wuu-plugins/wuu/internal/ignore"
	"github.com/wuu-plugins/wuu/internal/manifest"
)

const notInFiles = "not in `files` of package.json"

// left returns why a file or folder never belongs to a package, "" when it
// may (design/distribution.md, "The packed set").
func (w *walker) left(dir, packed, name string, isDir bool) string {
	switch {
	case strings.EqualFold(name, ".git"):
		return "version control"
	case name == "node_modules":
		return "dependencies are not packed; bundle them"
	case name == ".wuu":
		return "working folder of wuu"
	case name == ignoreFile:
		return "ignore file"
	case name == "__MACOSX", name == ".DS_Store":
		return "left behind by macOS"
	case dir == "" && shippedLock(packed):
		return "lock file of an installation"
	case dir == "" && !isDir && w.isOutput(name):
		return "earlier output of pack"
	}
	return ""
}

// isOutput recognises <id>-<version>.zip, <npm name>-<version>.tgz and a bill
// of materials under the ending that CycloneDX gives it.
func (w *walker) isOutput(name string) bool {
	if strings.HasSuffix(name, ".cdx.json") {
		return true
	}
	ext := path.Ext(name)
	if ext != ".zip" && ext != ".tgz" {
		return false
	}
	for _, base := range w.outputs {
		if base == "" {
			continue
		}
		rest, ok := strings.CutPrefix(strings.TrimSuffix(name, ext), base)
		if ok && (rest == "" && ext == ".zip" || len(rest) > 1 && rest[0] == '-' && rest[1] >= '0' && rest[1] <= '9') {
			return true
		}
	}
	return false
}

// follow looks at where a link leads. nil means that it was refused.
func (w *walker) follow(disk, packed string) fs.FileInfo {
	info, err := w.root.Stat(disk)
	if err == nil {
		return info
	}
	target, readErr := w.root.Readlink(disk)
	switch {
	case readErr != nil:
		w.rep.error("PACK_LINK_OUTSIDE", packed, "the link cannot be followed")
	case path.IsAbs(target) || strings.Contains(target, ":"):
		w.rep.error("PACK_LINK_OUTSIDE", packed, "the link leads to an absolute path; only links inside the package are packed")
	case climbs(path.Dir(disk), target):
		w.rep.error("PACK_LINK_OUTSIDE", packed, "the link leads outside the package")
	default:
		if errors.Is(err, fs.ErrNotExist) {
			w.rep.error("PACK_LINK_BROKEN", packed, "the link leads nowhere")
		} else {
			w.rep.error("PACK_LINK_OUTSIDE", packed, "the link leads outside the package, or in a circle")
		}
	}
	return nil
}

// climbs reports whether a relative target leaves the root when read from dir.
func climbs(dir, target string) bool {
	joined := path.Join(dir, target)
	return joined == ".." || strings.HasPrefix(joined, "../")
}

// parseFiles reads the list `files`. nil means that everything is taken. As in
// npm the patterns start at the root, a folder takes all that is in it, "!"
// takes parts back, and a few files are always in.
func parseFiles(pkg []byte) *ignore.Matcher {
	var list []string
	raw, ok := object(pkg)["files"]
	if !ok || json.Unmarshal(raw, &list) != nil {
		return nil
	}
	var lines []string
	for _, pattern := range list {
		pattern, negated := strings.CutPrefix(strings.ReplaceAll(pattern, "\n", ""), "!")
		pattern = strings.TrimSuffix(rooted(pattern), "/")
		if pattern == "" {
			pattern = "*" // "." and "./" name the root itself
		}
		line := "/" + pattern
		if negated {
			line = "!" + line
		}
		lines = append(lines, line)
	}
	always := append([]string{packageJSON}, manifest.Locations[:]...)
	for _, name := range slices.Concat(always, []string{"[Rr][Ee][Aa][Dd][Mm][Ee]*", "[Ll][Ii][Cc][Ee][Nn][CcSs][Ee]*"}) {
		lines = append(lines, "/"+name)
	}
	m, err := ignore.Parse(strings.NewReader(strings.Join(lines, "\n")), "")
	if err != nil {
		return nil // a pattern of 64 KiB: taking everything shows it to the user
	}
	return m
}

// rooted drops what a pattern may start with to say "from the root".
func rooted(pattern string) string {
	if pattern == "." {
		return ""
	}
	return strings.TrimPrefix(strings.TrimPrefix(pattern, "./"), "/")
}
