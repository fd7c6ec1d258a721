package ignore_test

import (
	"strings"
	"testing"

	"github.com/wuu-plugins/wuu/internal/ignore"
)

func parse(t *testing.T, base, text string) *ignore.Matcher {
	t.Helper()
	m, err := ignore.Parse(strings.NewReader(text), base)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestMatch(t *testing.T) {
	tests := []struct {
		name, file string
		path       string // a trailing slash stands for a folder
		want       bool
	}{
		{"plain name", "a.log", "a.log", true},
		{"plain name deep", "a.log", "x/y/a.log", true},
		{"plain name is not a prefix", "a.log", "a.log2", false},
		{"anchored", "/a.log", "a.log", true},
		{"anchored deep", "/a.log", "x/a.log", false},
		{"slash inside anchors", "x/a.log", "y/x/a.log", false},
		{"folder only", "build/", "build/", true},
		{"folder only, file", "build/", "build", false},
		{"below ignored folder", "build/", "build/x/y.js", true},
		{"star stops at slash", "x/*.js", "x/y/a.js", false},
		{"star in last part", "*.js", "x/y/a.js", true},
		{"leading double star", "**/a.js", "a.js", true},
		{"leading double star deep", "**/a.js", "x/y/a.js", true},
		{"trailing double star", "x/**", "x/y/z", true},
		{"trailing double star not itself", "x/**", "x/", false},
		{"middle double star none", "x/**/z", "x/z", true},
		{"middle double star many", "x/**/z", "x/a/b/z", true},
		{"double star glued", "x**y", "xaby", true},
		{"double star glued stops", "/x**y", "xa/by", false},
		{"double star after a literal", "x**/y", "x/a/y", true},
		{"negation", "*.log\n!keep.log", "keep.log", false},
		{"last wins", "!keep.log\n*.log", "keep.log", true},
		{"no return below folder", "x/\n!x/keep", "x/keep", true},
		{"return of content", "x/*\n!x/keep", "x/keep", false},
		{"comment", "#a", "#a", false},
		{"escaped comment", `\#a`, "#a", true},
		{"escaped bang", `\!a`, "!a", true},
		{"trailing space dropped", "a  ", "a", true},
		{"trailing space kept", `a\ `, "a ", true},
		{"leading space kept", " a", "a", false},
		{"carriage return", "a\r\nb\r", "a", true},
		{"byte order mark", "\ufeffa", "a", true},
		{"question mark", "a?c", "abc", true},
		{"question mark and slash", "a?c", "a/c", false},
		{"bracket", "[a-c]x", "bx", true},
		{"bracket negated", "[!a-c]x", "bx", false},
		{"bracket caret", "[^a-c]x", "dx", true},
		{"bracket closing first", "[]x]", "]", true},
		{"bracket dash last", "[a-]", "-", true},
		{"bracket class", "[[:digit:]]", "7", true},
		{"bracket class and more", "[[:upper:]_]x", "_x", true},
		{"bracket open", "[ab", "a", false},
		{"bracket open literally", "[ab", "[ab", false},
		{"bracket escape", `[\]]`, "]", true},
		{"escaped star", `a\*`, "a*", true},
		{"escaped star only", `a\*`, "ab", false},
		{"trailing backslash", `a\`, `a\`, false},
		{"only slash", "/", "a", false},
		{"empty negation", "!", "a", false},
		{"everything", "*", "a/b", true},
		{"everything but", "*\n!a", "a", false},
		{"case counts", "Readme", "readme", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := parse(t, "", tt.file)
			path, isDir := strings.CutSuffix(tt.path, "/")
			if got := m.Match(path, isDir); got != tt.want {
				t.Errorf("%q: Match(%q) = %v, want %v", tt.file, tt.path, got, tt.want)
			}
		})
	}
}

func TestNestedFiles(t *testing.T) {
	m := parse(t, "", "*.log\n/x/only-root").With(parse(t, "x", "!keep.log\n/top\nsub/a"))
	tests := []struct {
		path string
		want bool
	}{
		{"keep.log", true},
		{"x/keep.log", false},
		{"x/y/keep.log", false},
		{"x/top", true},
		{"x/y/top", false},
		{"top", false},
		{"x/sub/a", true},
		{"x/y/sub/a", false},
		{"x/only-root", true},
		{"xtra/keep.log", true},
	}
	for _, tt := range tests {
		if got := m.Match(tt.path, false); got != tt.want {
			t.Errorf("Match(%q) = %v, want %v", tt.path, got, tt.want)
		}
	}
}

func TestEmptyMatchesNothing(t *testing.T) {
	var none *ignore.Matcher
	if none.Match("a", false) || none.Own("a", true) || none.Covers("a") || !none.Empty() {
		t.Error("a nil matcher matched")
	}
	one := parse(t, "", "a")
	if none.With(one) != one || one.With(none) != one {
		t.Error("With an empty matcher is not the other one")
	}
}

func TestCovers(t *testing.T) {
	m := parse(t, "", "/dist\n/lib/*.js\n!/dist/*.map\n/assets/*")
	tests := []struct {
		path string
		want bool
	}{
		{"dist/a.js", true},
		{"dist/sub/a.js", true},
		{"dist/a.map", false},
		{"src/dist/a.js", false},
		{"lib/a.js", true},
		{"lib/sub/a.js", false},
		{"assets/img/a.png", true},
		{"README.md", false},
	}
	for _, tt := range tests {
		if got := m.Covers(tt.path); got != tt.want {
			t.Errorf("Covers(%q) = %v, want %v", tt.path, got, tt.want)
		}
	}
}

func TestManyStarsEnd(t *testing.T) {
	m := parse(t, "", strings.Repeat("*a", 40)+"b")
	if m.Match(strings.Repeat("a", 1000), false) {
		t.Error("matched")
	}
}

func TestLongLineIsAnError(t *testing.T) {
	if _, err := ignore.Parse(strings.NewReader(strings.Repeat("a", 1<<17)), ""); err == nil {
		t.Error("a line of 128 KiB was read")
	}
}

func FuzzMatch(f *testing.F) {
	f.Add("*.log\n!a/**/b\n[a-z]/", "a/x/b")
	f.Add("/**/", "a")
	f.Add("[[:alpha:]-\\", "a")
	f.Fuzz(func(t *testing.T, file, path string) {
		m, err := ignore.Parse(strings.NewReader(file), "")
		if err != nil {
			return
		}
		own := m.Own(path, false)
		if own && !m.Match(path, false) {
			t.Fatalf("%q: Own(%q) but not Match", file, path)
		}
	})
}
