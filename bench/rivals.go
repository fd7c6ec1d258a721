package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// rivals are the programs that wuu is compared with, from npm, at the versions
// that the published figures were measured with.
var rivals = []string{"pnpm@10.34.9", "bun@1.4.5", "@anthropic-ai/mcpb@2.1.2"}

// store is where rivals and tarballs stay between runs.
func store() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(cache, "wuu-bench")
	return dir, os.MkdirAll(dir, 0o755)
}

// fetchRivals installs the rivals once and returns the folder of their
// programs.
func fetchRivals(dir string) (string, error) {
	if _, err := exec.LookPath("npm"); err != nil {
		return "", errors.New("npm is not here")
	}
	home := filepath.Join(dir, "rivals")
	bin := filepath.Join(home, "node_modules", ".bin")
	done := filepath.Join(home, "done")
	want := strings.Join(rivals, "\n")
	if got, err := os.ReadFile(done); err == nil && string(got) == want {
		return bin, nil
	}
	progress("install %s", strings.Join(rivals, " "))
	if err := os.MkdirAll(home, 0o755); err != nil {
		return "", err
	}
	args := append([]string{"install", "--prefix", home, "--no-audit", "--no-fund", "--loglevel=error"}, rivals...)
	if out, err := exec.Command("npm", args...).CombinedOutput(); err != nil {
		return "", fmt.Errorf("npm install: %w\n%s", err, out)
	}
	return bin, os.WriteFile(done, []byte(want), 0o644)
}

// fetchTarball returns the path of a package's tarball as npm serves it.
func fetchTarball(dir, spec string) (string, error) {
	dir = filepath.Join(dir, "tarballs", strings.NewReplacer("/", "-", "@", "-").Replace(spec))
	find := func() string {
		all, _ := filepath.Glob(filepath.Join(dir, "*.tgz"))
		if len(all) == 0 {
			return ""
		}
		return all[0]
	}
	if file := find(); file != "" {
		return file, nil
	}
	progress("fetch %s", spec)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	cmd := exec.Command("npm", "pack", "--silent", spec)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("npm pack %s: %w\n%s", spec, err, out)
	}
	if file := find(); file != "" {
		return file, nil
	}
	return "", fmt.Errorf("npm pack %s made no tarball", spec)
}
