package procgroup

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/wuu-plugins/wuu/internal/fault"
)

// LookPath finds the executable that name means. A name with a separator is a
// path, relative to dir; any other is looked up in PATH of env. Relative
// entries of PATH, "." among them, never count: a program in the current folder
// must not pass for a system command. The error is a *fault.Error with code
// COMMAND_NOT_FOUND.
func LookPath(name, dir string, env []string) (string, error) {
	if filepath.IsAbs(name) || strings.ContainsAny(name, separators()) {
		path := name
		if !filepath.IsAbs(path) {
			path = filepath.Join(dir, path)
		}
		if found, ok := executable(path, env); ok {
			return found, nil
		}
		return "", notFound(name, "is no executable file").WithHint("check the path and its permissions: %s", path)
	}
	for _, folder := range filepath.SplitList(getenv(env, "PATH")) {
		if !filepath.IsAbs(folder) {
			continue
		}
		if found, ok := executable(filepath.Join(folder, name), env); ok {
			return found, nil
		}
	}
	return "", notFound(name, "command not found in PATH").WithHint("install %s, or put its folder into PATH", name)
}

func notFound(name, text string) *fault.Error {
	return fault.New(fault.Plugin, "COMMAND_NOT_FOUND", name, "%s", text)
}

func separators() string {
	if runtime.GOOS == "windows" {
		return `/\:`
	}
	return "/"
}

// executable reports whether path, on Windows with one of the extensions of
// PATHEXT, is a file that can be run.
func executable(path string, env []string) (string, bool) {
	if runtime.GOOS != "windows" {
		info, err := os.Stat(path)
		return path, err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
	}
	exts := getenv(env, "PATHEXT")
	if exts == "" {
		exts = ".com;.exe;.bat;.cmd"
	}
	list := strings.Split(strings.ToLower(exts), ";")
	if ext := strings.ToLower(filepath.Ext(path)); ext != "" {
		for _, e := range list {
			if e == ext {
				list = append([]string{""}, list...)
				break
			}
		}
	}
	for _, ext := range list {
		if info, err := os.Stat(path + ext); err == nil && info.Mode().IsRegular() {
			return path + ext, true
		}
	}
	return "", false
}

// getenv returns the last value of key, as exec does; keys of Windows know no
// case.
func getenv(env []string, key string) string {
	value := ""
	for _, kv := range env {
		k, v, ok := strings.Cut(kv, "=")
		if ok && (k == key || runtime.GOOS == "windows" && strings.EqualFold(k, key)) {
			value = v
		}
	}
	return value
}
