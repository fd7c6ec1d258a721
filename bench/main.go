// Command bench compares wuu with other programs, in pairs and in one run, and
// prints ratios: a benchmark is not a test, and absolute times say little on a
// shared machine (design: performance.md). Exit 1 when a gate fails.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"
)

// row compares two commands; the ratio is ours over theirs, or theirs over
// ours when more is better.
type row struct {
	id, what     string
	ours, theirs []string
	inverse      bool
	target, gate float64
	rounds       int
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run() error {
	dir, err := os.MkdirTemp("", "wuu-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	bin := map[string]string{"wuu": "./cmd/wuu", "card": "./bench/card", "hello": "./bench/hello"}
	for name, pkg := range bin {
		out := filepath.Join(dir, name)
		build := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", out, pkg)
		if msg, err := build.CombinedOutput(); err != nil {
			return fmt.Errorf("build %s: %w\n%s", pkg, err, msg)
		}
		bin[name] = out
	}
	if err := os.Setenv("WUU_HOME", filepath.Join(dir, "home")); err != nil {
		return err
	}
	plugin := filepath.Join(dir, "hi")
	for _, args := range [][]string{
		{"plugin", "create", "hi", "--output", plugin},
		{"plugin", "pack", plugin, "--output", dir + string(filepath.Separator)},
		{"plugin", "install", "--yes", filepath.Join(dir, "hi-0.1.0.zip")},
	} {
		if msg, err := exec.Command(bin["wuu"], args...).CombinedOutput(); err != nil {
			return fmt.Errorf("%v: %w\n%s", args, err, msg)
		}
	}
	// built is a plugin without sources: what a validator of manifests sees.
	built := filepath.Join(dir, "home", "plugins", "hi")
	if err := os.RemoveAll(filepath.Join(built, "src")); err != nil {
		return err
	}
	return printRows(rows(bin, plugin, built))
}

func rows(bin map[string]string, plugin, built string) []row {
	wuu := bin["wuu"]
	return []row{
		{"S1", "wuu --help / a program linking the card's five", []string{wuu, "--help"}, []string{bin["card"], "--help"}, false, 2.5, 2.5, 41},
		{"C1", "wuu --version / Go hello", []string{wuu, "--version"}, []string{bin["hello"]}, false, 2.5, 3.5, 41},
		{"C2", "npm --version / wuu --version", []string{wuu, "--version"}, []string{"npm", "--version"}, true, 25, 15, 11},
		{"V2", "validate a built plugin / wuu --version", []string{wuu, "plugin", "validate", built}, []string{wuu, "--version"}, false, 1.5, 2.0, 41},
		{"V3", "validate, building from source / node -e ''", []string{wuu, "plugin", "validate", plugin}, []string{"node", "-e", ""}, false, 1.0, 1.5, 21},
	}
}

func printRows(list []row) error {
	failed := 0
	fmt.Printf("%-4s %-48s %8s %8s %8s\n", "id", "goal (median of pairwise ratios)", "ratio", "target", "gate")
	for _, r := range list {
		if _, err := exec.LookPath(r.theirs[0]); err != nil {
			fmt.Printf("%-4s %-48s skipped: %s is not here\n", r.id, r.what, r.theirs[0])
			continue
		}
		ratio, err := compare(r)
		if err != nil {
			return err
		}
		word := "ok"
		if missed := r.inverse != (ratio > r.gate); missed {
			word = "FAIL"
			failed++
		} else if r.inverse != (ratio > r.target) {
			word = "below target"
		}
		fmt.Printf("%-4s %-48s %8.2f %8.2f %8.2f  %s\n", r.id, r.what, ratio, r.target, r.gate, word)
	}
	if failed > 0 {
		return fmt.Errorf("%d gates failed", failed)
	}
	return nil
}

// compare times the two commands in turn and returns the median ratio.
func compare(r row) (float64, error) {
	var ratios []float64
	for i := range r.rounds + 2 {
		ours, err := timed(r.ours)
		if err != nil {
			return 0, err
		}
		theirs, err := timed(r.theirs)
		if err != nil {
			return 0, err
		}
		if i < 2 {
			continue // warm-up
		}
		if r.inverse {
			ours, theirs = theirs, ours
		}
		ratios = append(ratios, float64(ours)/float64(theirs))
	}
	slices.Sort(ratios)
	return ratios[len(ratios)/2], nil
}

func timed(argv []string) (time.Duration, error) {
	cmd := exec.Command(argv[0], argv[1:]...)
	start := time.Now()
	if out, err := cmd.CombinedOutput(); err != nil {
		return 0, fmt.Errorf("%v: %w\n%s", argv, err, out)
	}
	return time.Since(start), nil
}
