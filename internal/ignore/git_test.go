package ignore_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wuu-plugins/wuu/internal/ignore"

	"pgregory.net/rapid"
)

// TestAgainstGit compares random ignore files and paths with what git itself
// says. `git check-ignore --no-index` needs no files to exist: it takes the last
// part of a path for a file and the parts above it for folders.
func TestAgainstGit(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("skipped: git is not installed")
	}
	dir := t.TempDir()
	run(t, git, dir, "", "init", "-q", ".")
	part := rapid.SampledFrom([]string{"a", "b", "ab", "a.js", "b.js", "*", "**", "?", "*.js", "a*", "*b", "***", "[ab]", "[!a]", "[a-", `\a`, `\*`, "a b", "[[:alpha:]]", "a**", "**b", "[]-a]", "[^]a]", `[\a-b]`})
	line := rapid.Custom(func(t *rapid.T) string {
		s := strings.Join(rapid.SliceOfN(part, 1, 3).Draw(t, "parts"), "/")
		s = rapid.SampledFrom([]string{"", "", "!", "/", "!/", "#", `\`, " "}).Draw(t, "head") + s
		return s + rapid.SampledFrom([]string{"", "", "/", " ", `\ `, "\r", "//"}).Draw(t, "tail")
	})
	name := rapid.SampledFrom([]string{"a", "b", "ab", "a.js", "b.js", "c", "*", "a b", "a ", "aab", "]", "-", "[a-"})
	path := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(name, 1, 4).Draw(t, "names"), "/")
	})
	rapid.Check(t, func(t *rapid.T) {
		file := strings.Join(rapid.SliceOfN(line, 1, 5).Draw(t, "lines"), "\n")
		paths := rapid.SliceOfNDistinct(path, 40, 60, rapid.ID).Draw(t, "paths")
		if err := os.WriteFile(filepath.Join(dir, ".gitignore"), []byte(file), 0o644); err != nil {
			t.Fatal(err)
		}
		out := run(t, git, dir, strings.Join(paths, "\x00"), "check-ignore", "--no-index", "--stdin", "-z")
		ignored := map[string]bool{}
		for p := range strings.SplitSeq(out, "\x00") {
			ignored[p] = true
		}
		m := parseRapid(t, file)
		for _, p := range paths {
			if got := m.Match(p, false); got != ignored[p] {
				t.Fatalf("%q: Match(%q) = %v, git says %v", file, p, got, ignored[p])
			}
		}
	})
}

type failer interface{ Fatalf(string, ...any) }

func run(t failer, git, dir, stdin string, args ...string) string {
	cmd := exec.Command(git, args...)
	cmd.Dir = dir
	cmd.Stdin = strings.NewReader(stdin)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_DIR="+filepath.Join(dir, ".git"), "GIT_WORK_TREE="+dir)
	out, err := cmd.Output()
	if exit, ok := err.(*exec.ExitError); ok && exit.ExitCode() == 1 {
		err = nil // nothing is ignored
	}
	if err != nil {
		t.Fatalf("git %s: %v", strings.Join(args, " "), err)
	}
	return string(out)
}

func parseRapid(t failer, file string) *ignore.Matcher {
	m, err := ignore.Parse(strings.NewReader(file), "")
	if err != nil {
		t.Fatalf("parse %q: %v", file, err)
	}
	return m
}
