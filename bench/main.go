// Command bench compares wuu with other programs, interleaved and in one run,
// and prints ratios: a benchmark is not a test, and absolute times say little
// on a shared machine (design: performance.md). It installs the rivals from npm
// once, into the user's cache folder. Exit 1 when a gate fails.
//
//	go run ./bench            everything
//	go run ./bench command    only the groups named: command, install, pack
//	go run ./bench install zod tmpfs    only what has one of these in its name
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(groups []string) error {
	dir, err := os.MkdirTemp("", "wuu-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	bin, err := build(dir)
	if err != nil {
		return err
	}
	if err := os.Setenv("WUU_HOME", filepath.Join(dir, "home")); err != nil {
		return err
	}
	t := new(table)
	var only filter
	groups, only = split(groups)
	wanted := func(group string) bool { return len(groups) == 0 || slices.Contains(groups, group) }
	if wanted("command") {
		err = errors.Join(err, commands(t, bin, dir))
	}
	if wanted("install") {
		err = errors.Join(err, installGroup(t, bin, dir, only))
	}
	if wanted("pack") {
		err = errors.Join(err, packGroup(t, bin, dir, only))
	}
	if t.failed > 0 {
		err = errors.Join(err, fmt.Errorf("%d gates failed", t.failed))
	}
	return err
}

// build makes wuu and the small programs that it is compared with.
func build(dir string) (map[string]string, error) {
	bin := map[string]string{"wuu": "./cmd/wuu"}
	for _, name := range []string{"card", "hello", "floor", "hash", "installshape", "serve"} {
		bin[name] = "./bench/" + name
	}
	for name, pkg := range bin {
		out := filepath.Join(dir, name)
		cmd := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", out, pkg)
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		if msg, err := cmd.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("build %s: %w\n%s", pkg, err, msg)
		}
		bin[name] = out
	}
	return bin, nil
}

func installGroup(t *table, bin map[string]string, dir string, only filter) error {
	cache, err := store()
	if err != nil {
		return err
	}
	rivals, err := fetchRivals(cache)
	if err != nil {
		return err
	}
	var tarballs []string
	for _, s := range shapes {
		file, err := fetchTarball(cache, s.spec)
		if err != nil {
			return err
		}
		tarballs = append(tarballs, file)
	}
	server, err := startRegistry(bin["serve"], tarballs)
	if err != nil {
		return err
	}
	defer server.stop()
	b := installs{t: t, registry: server, bin: rivals, ours: bin["installshape"], floor: bin["floor"], only: only}
	if memory, err := os.MkdirTemp("/dev/shm", "wuu-bench-"); err != nil {
		t.skip("I", "installs on tmpfs", "there is no /dev/shm here")
	} else {
		defer os.RemoveAll(memory)
		b.tmp, b.place = memory, "tmpfs"
		if err := b.run(tarballs); err != nil {
			return err
		}
	}
	var release func()
	b.tmp, b.place, release = ownDisk(dir)
	defer release()
	return b.run(tarballs)
}

func packGroup(t *table, bin map[string]string, dir string, only filter) error {
	cache, err := store()
	if err != nil {
		return err
	}
	rivals, err := fetchRivals(cache)
	if err != nil {
		return err
	}
	tmp := filepath.Join(dir, "packs")
	b := packs{t, rivals, bin["wuu"], bin["hash"], tmp, only}
	return b.run()
}

// filter is words of which a race must have one in its name; none means all.
type filter []string

func (f filter) wants(name string) bool {
	return len(f) == 0 || slices.ContainsFunc(f, func(word string) bool { return strings.Contains(name, word) })
}

// split tells the groups from the words of a filter.
func split(args []string) (groups []string, only filter) {
	for _, a := range args {
		if slices.Contains([]string{"command", "install", "pack"}, a) {
			groups = append(groups, a)
		} else {
			only = append(only, a)
		}
	}
	return groups, only
}
