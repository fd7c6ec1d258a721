package pack_test

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/wuu-plugins/wuu/pack"
	"pgregory.net/rapid"
)

// TestIgnoreFilesAgainstGit packs random trees with .wuuignore files at several
// depths and asks git, told to go by the same files, what is left.
func TestIgnoreFilesAgainstGit(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("skipped: git is not installed")
	}
	base := t.TempDir()
	if out, err := exec.Command(git, "init", "-q", "--template=", filepath.Join(base, "repo")).CombinedOutput(); err != nil {
		t.Fatalf("git init: %v\n%s", err, out)
	}
	run, ignoredSome := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		run++
		dir := filepath.Join(base, fmt.Sprint(run))
		files := ignoreTree.Draw(t, "tree")
		for _, name := range slices.Sorted(maps.Keys(files)) {
			path := filepath.Join(dir, filepath.FromSlash(name))
			must(t, os.MkdirAll(filepath.Dir(path), 0o755))
			must(t, os.WriteFile(path, []byte(files[name]), 0o644))
		}
		p, findings := openForCheck(t, dir)
		if p == nil {
			t.Fatal(codes(findings))
		}
		got := paths(p)
		want := gitFiles(t, git, dir)
		if !slices.Equal(got, want) {
			rules := map[string]string{}
			for name, text := range files {
				if strings.HasSuffix(name, ".wuuignore") {
					rules[name] = text
				}
			}
			t.Fatalf("rules %q\npacked %q\ngit has %q", rules, got, want)
		}
		if len(got) < len(files)-strings.Count(fmt.Sprint(slices.Sorted(maps.Keys(files))), ".wuuignore") {
			ignoredSome++
		}
		must(t, os.RemoveAll(dir))
	})
	if ignoredSome == 0 {
		t.Error("no tree had an ignored file: nothing was tested")
	}
}

// ignoreTree draws files and the rules in some of their folders. The manifest
// is taken back at the end of the root's rules, since no package is without.
var ignoreTree = rapid.Custom(func(t *rapid.T) map[string]string {
	name := rapid.SampledFrom([]string{"a", "b", "c", "ab", "a.js", "b.js", "x y", "é", "dist"})
	line := rapid.Custom(func(t *rapid.T) string {
		part := rapid.SampledFrom([]string{"a", "b", "c", "*", "**", "?", "*.js", "a*", "[ab]", "[!a]", "x y", "é", "dist", `\a`, "?.js", "[[:alpha:]]"})
		s := strings.Join(rapid.SliceOfN(part, 1, 3).Draw(t, "parts"), "/")
		s = rapid.SampledFrom([]string{"", "", "", "!", "/", "!/", "#"}).Draw(t, "head") + s
		return s + rapid.SampledFrom([]string{"", "", "/", " ", "\r", "/**"}).Draw(t, "tail")
	})
	files := map[string]string{}
	folders := map[string]bool{}
	for range rapid.IntRange(3, 14).Draw(t, "files") {
		parts := rapid.SliceOfN(name, 1, 4).Draw(t, "path")
		path := strings.Join(parts, "/")
		if folders[path] {
			continue
		}
		ok := true
		for i := range parts[:len(parts)-1] {
			_, isFile := files[strings.Join(parts[:i+1], "/")]
			ok = ok && !isFile
		}
		if !ok {
			continue
		}
		for i := range parts[:len(parts)-1] {
			folders[strings.Join(parts[:i+1], "/")] = true
		}
		files[path] = "x"
	}
	for _, dir := range slices.Sorted(maps.Keys(folders)) {
		if rapid.IntRange(0, 2).Draw(t, "has rules") == 0 {
			files[dir+"/.wuuignore"] = strings.Join(rapid.SliceOfN(line, 1, 3).Draw(t, "rules of "+dir), "\n")
		}
	}
	files[".wuuignore"] = strings.Join(append(rapid.SliceOfN(line, 1, 5).Draw(t, "rules"), "!/plugin.json", "!/package.json"), "\n")
	files["plugin.json"], files["package.json"] = plugin, npm
	return files
})

// gitFiles is what git would add, were .wuuignore its ignore file.
func gitFiles(t *rapid.T, git, dir string) []string {
	list := exec.Command(git, "--git-dir", filepath.Join(filepath.Dir(dir), "repo", ".git"), "--work-tree", dir, "ls-files", "-z", "--others", "--exclude-per-directory=.wuuignore")
	list.Dir = dir
	list.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull)
	out, err := list.Output()
	if err != nil {
		t.Fatalf("git ls-files: %v", err)
	}
	var names []string
	for name := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		if filepath.Base(name) != ".wuuignore" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// TestFilesList is the meaning of `files`: a table in the terms of npm.
func TestFilesList(t *testing.T) {
	tree := []string{
		"a.js", "b.ts", "dist/a.js", "dist/a.js.map", "dist/deep/b.js", "docs/a.md", "lib/a.js", "lib/sub/a.js", "src/dist/x.js", "CHANGELOG.md", "LICENSE", "Readme.txt", "docs/README.md",
	}
	always := []string{"LICENSE", "Readme.txt", "package.json", "plugin.json"}
	tests := []struct {
		list string
		want []string // besides always
	}{
		{`[]`, nil},
		{`["dist"]`, []string{"dist/a.js", "dist/a.js.map", "dist/deep/b.js"}},
		{`["dist/"]`, []string{"dist/a.js", "dist/a.js.map", "dist/deep/b.js"}},
		{`["./dist"]`, []string{"dist/a.js", "dist/a.js.map", "dist/deep/b.js"}},
		{`["/dist"]`, []string{"dist/a.js", "dist/a.js.map", "dist/deep/b.js"}},
		{`["dist/*"]`, []string{"dist/a.js", "dist/a.js.map", "dist/deep/b.js"}},
		{`["dist/**"]`, []string{"dist/a.js", "dist/a.js.map", "dist/deep/b.js"}},
		{`["dist/**/*.js"]`, []string{"dist/a.js", "dist/deep/b.js"}},
		{`["dist/*.js"]`, []string{"dist/a.js"}},
		{`["*.js"]`, []string{"a.js"}},
		{`["**/*.js"]`, []string{"a.js", "dist/a.js", "dist/deep/b.js", "lib/a.js", "lib/sub/a.js", "src/dist/x.js"}},
		{`["**/dist"]`, []string{"dist/a.js", "dist/a.js.map", "dist/deep/b.js", "src/dist/x.js"}},
		{`["dist","!**/*.map"]`, []string{"dist/a.js", "dist/deep/b.js"}},
		{`["dist","!dist/deep"]`, []string{"dist/a.js", "dist/a.js.map"}},
		{`["!dist/deep","dist"]`, []string{"dist/a.js", "dist/a.js.map", "dist/deep/b.js"}},
		{`["lib","!lib/sub","lib/sub/a.js"]`, []string{"lib/a.js", "lib/sub/a.js"}},
		{`["!LICENSE","!plugin.json","!package.json","a.js"]`, []string{"a.js"}},
		{`["missing"]`, nil},
		{`["docs"]`, []string{"docs/README.md", "docs/a.md"}},
		{`["?.js"]`, []string{"a.js"}},
		{`["[ab].*"]`, []string{"a.js", "b.ts"}},
		{`["."]`, []string{"CHANGELOG.md", "a.js", "b.ts", "dist/a.js", "dist/a.js.map", "dist/deep/b.js", "docs/README.md", "docs/a.md", "lib/a.js", "lib/sub/a.js", "src/dist/x.js"}},
		{`["*"]`, []string{"CHANGELOG.md", "a.js", "b.ts", "dist/a.js", "dist/a.js.map", "dist/deep/b.js", "docs/README.md", "docs/a.md", "lib/a.js", "lib/sub/a.js", "src/dist/x.js"}},
	}
	for _, tt := range tests {
		files := map[string]string{"plugin.json": plugin, "package.json": `{"name":"wuu-hello","version":"1.0.0","files":` + tt.list + `}`}
		for _, name := range tree {
			files[name] = "x"
		}
		p, findings := openDir(t, folder(t, files), pack.Options{})
		if p == nil {
			t.Fatal(codes(findings))
		}
		want := slices.Concat(always, tt.want)
		slices.Sort(want)
		if got := paths(p); !slices.Equal(got, want) {
			t.Errorf("%s packs %q\nwant %q", tt.list, got, want)
		}
	}
}
