package dev

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/wuu-plugins/wuu/internal/diag"
)

// CodeWatch is the finding of a wuu.dev.watch entry that cannot be.
const CodeWatch = "DEV_WATCH"

// maxExtra is the number of extra inputs that a plugin may name.
const maxExtra = 64

// watchSet is what a project wants watched.
type watchSet struct {
	roots  []string
	ignore func(path string, dir bool) bool
}

func (s watchSet) same(other watchSet) bool { return slices.Equal(s.roots, other.roots) }

// extraInputs reads wuu.dev.watch of root's package.json: at most 64 files or
// folders, relative to the plugin, none of them a folder that holds the plugin
// and none behind a symbolic link. root is a real path. A package.json that
// cannot be read is left to others.
func extraInputs(root string) (list []string, findings []diag.Finding) {
	src, err := os.ReadFile(filepath.Join(root, "package.json"))
	if err != nil {
		return nil, nil
	}
	var pkg struct {
		Wuu struct {
			Dev struct{ Watch json.RawMessage }
		}
	}
	if json.Unmarshal([]byte(strings.TrimPrefix(string(src), "\ufeff")), &pkg) != nil || len(pkg.Wuu.Dev.Watch) == 0 {
		return nil, nil
	}
	var entries []string
	if err := json.Unmarshal(pkg.Wuu.Dev.Watch, &entries); err != nil {
		return nil, []diag.Finding{watchFinding("", "wuu.dev.watch must be a list of paths")}
	}
	if len(entries) > maxExtra {
		return nil, []diag.Finding{watchFinding("", fmt.Sprintf("wuu.dev.watch names %d inputs; %d are allowed", len(entries), maxExtra))}
	}
	for i, entry := range entries {
		path, problem := extraInput(root, entry)
		if problem != "" {
			findings = append(findings, watchFinding(fmt.Sprintf("/%d", i), fmt.Sprintf("wuu.dev.watch: %q %s", entry, problem)))
			continue
		}
		list = append(list, path)
	}
	slices.Sort(list)
	return slices.Compact(list), findings
}

// extraInput resolves one entry, or says what is wrong with it.
func extraInput(root, entry string) (path, problem string) {
	local := filepath.FromSlash(entry)
	switch {
	case entry == "":
		return "", "is empty"
	case strings.HasPrefix(entry, "/") || filepath.IsAbs(local) || filepath.VolumeName(local) != "":
		return "", "is not relative to the plugin"
	case strings.Contains(entry, `\`):
		return "", "must use slashes"
	}
	path = filepath.Join(root, local)
	if path == root || inside(path, root) {
		return "", "holds the plugin itself"
	}
	// The way to it: up from the plugin, whose path is real, then down again.
	top := root
	for top != path && !inside(top, path) {
		top = filepath.Dir(top)
	}
	rel, err := filepath.Rel(top, path)
	if err != nil {
		return "", "is not relative to the plugin"
	}
	at := top
	for part := range strings.SplitSeq(rel, string(filepath.Separator)) {
		at = filepath.Join(at, part)
		info, err := os.Lstat(at)
		switch {
		case err != nil:
			return "", "does not exist"
		case info.Mode()&os.ModeSymlink != 0:
			return "", "leads through a symbolic link"
		case at == path && !info.IsDir() && !info.Mode().IsRegular():
			return "", "is neither file nor folder"
		}
	}
	return path, ""
}

func watchFinding(pointer, message string) diag.Finding {
	return diag.Finding{
		Code: CodeWatch, Severity: diag.Error, File: "package.json", Path: "/wuu/dev/watch" + pointer, Message: message,
		Hint: "name files or folders beside the plugin, like \"../shared/src\"",
	}
}

// inside reports whether path lies in dir.
func inside(dir, path string) bool {
	if !strings.HasSuffix(dir, string(filepath.Separator)) {
		dir += string(filepath.Separator)
	}
	return strings.HasPrefix(path, dir)
}
