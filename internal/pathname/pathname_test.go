package pathname_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/wuu-plugins/wuu/internal/pathname"
	"pgregory.net/rapid"
)

func code(p *pathname.Problem) string {
	if p == nil {
		return ""
	}
	return p.Code
}

func TestCheck(t *testing.T) {
	deep := strings.Repeat("d/", pathname.MaxDepth-1) + "f"
	tests := []struct{ path, want string }{
		{"plugin.json", ""},
		{".codex-plugin/plugin.json", ""},
		{".gitignore", ""},
		{"a b/ü/日本.md", ""},
		{"console.js", ""},
		{"com.js", ""},
		{"com10.js", ""},
		{"notes~backup.txt", ""},
		{"averylongname~1.txt", ""},
		{deep, ""},
		{strings.Repeat("n", 255), ""},

		{"", "PATH_EMPTY"},
		{"a//b", "PATH_EMPTY"},
		{"a/", "PATH_EMPTY"},
		{"a\xffb", "PATH_ENCODING"},
		{"a\x00b", "PATH_CONTROL"},
		{"a\tb", "PATH_CONTROL"},
		{"a\x7f", "PATH_CONTROL"},
		{"a\u0085", "PATH_CONTROL"},
		{"x\u202egnp.js", "PATH_CONTROL"},
		{".g\u200dit/config", "PATH_CONTROL"},
		{"\ufeffa", "PATH_CONTROL"},
		{"a\u2028b", "PATH_CONTROL"},
		{"/etc/passwd", "PATH_ABSOLUTE"},
		{"//server/share", "PATH_UNC"},
		{`\\server\share\x`, "PATH_UNC"},
		{`a/\??\C:\x`, "PATH_UNC"},
		{"..", "PATH_TRAVERSAL"},
		{"a/../../b", "PATH_TRAVERSAL"},
		{"./a", "PATH_TRAVERSAL"},
		{strings.Repeat("a/", 200) + "..", "PATH_TRAVERSAL"},
		{"C:/Windows/x", "PATH_DRIVE"},
		{"a/c:x", "PATH_DRIVE"},
		{`..\..\x`, "PATH_BACKSLASH"},
		{"d/" + deep, "PATH_TOO_DEEP"},
		{strings.Repeat("d/", 2000) + "f", "PATH_TOO_DEEP"},
		{strings.Repeat("n", 256), "PATH_TOO_LONG"},
		{strings.Repeat(strings.Repeat("n", 204)+"/", 5) + "f", "PATH_TOO_LONG"},
		{"ab:c", "PATH_CHARACTER"},
		{"file.txt:stream", "PATH_CHARACTER"},
		{"what?", "PATH_CHARACTER"},
		{`a"b`, "PATH_CHARACTER"},
		{"a./b", "PATH_TRAILING"},
		{"a ", "PATH_TRAILING"},
		{"...", "PATH_TRAILING"},
		{"x/.git/config", "PATH_VCS"},
		{".GIT", "PATH_VCS"},
		{".g\u0131t", "PATH_VCS"},
		{".g\u034fit/config", "PATH_VCS"},
		{".ｇｉｔ", "PATH_VCS"},
		{"a/‥/b", "PATH_TRAVERSAL"},
		{"․", "PATH_TRAVERSAL"},
		{"\u3164", "PATH_CONTROL"},
		{strings.Repeat("\u0390", 86), "PATH_TOO_LONG"},
		{strings.Repeat("\u0390", 85), ""},
		{strings.Repeat("é", 127), ""},
		{"❤\ufe0f.md", ""},
		{"nul", "PATH_RESERVED"},
		{"x/AUX.js", "PATH_RESERVED"},
		{"com1.tar.gz", "PATH_RESERVED"},
		{"con .txt", "PATH_RESERVED"},
		{"COM¹", "PATH_RESERVED"},
		{"conout$", "PATH_RESERVED"},
		{"PROGRA~1", "PATH_SHORTNAME"},
		{"GIT~1.txt", "PATH_SHORTNAME"},
	}
	for _, tt := range tests {
		t.Run(pathname.Show(tt.path), func(t *testing.T) {
			if got := code(pathname.Check(tt.path)); got != tt.want {
				t.Errorf("Check(%q) = %q, want %q", tt.path, got, tt.want)
			}
		})
	}
}

func TestCheckID(t *testing.T) {
	tests := []struct{ id, want string }{
		{"hello", ""},
		{"com.example.tool", ""},
		{strings.Repeat("i", 128), ""},
		{strings.Repeat("i", 129), "PATH_TOO_LONG"},
		{"a/b", "PATH_CHARACTER"},
		{" a", "PATH_TRAILING"},
		{"a ", "PATH_TRAILING"},
		{"..", "PATH_TRAVERSAL"},
		{"nul", "PATH_RESERVED"},
		{"", "PATH_EMPTY"},
	}
	for _, tt := range tests {
		if got := code(pathname.CheckID(tt.id)); got != tt.want {
			t.Errorf("CheckID(%q) = %q, want %q", tt.id, got, tt.want)
		}
	}
}

func TestFold(t *testing.T) {
	same := [][2]string{
		{"README.md", "readme.MD"},
		{"caf\u00e9", "cafe\u0301"},
		{"CAF\u00c9", "cafe\u0301"},
		{"straße", "STRASSE"},
		{"ﬁle", "file"},
		{"Σας", "σασ"},
		{"Ꭰ", "ꭰ"},
		{"dıs", "DIS"},
		{"❤\ufe0f", "❤"},
		{"a\u034fb", "ab"},
		{"ｓｒｃ", "src"},
		{"Kelvin", "Kelvin"},
	}
	for _, p := range same {
		if pathname.Fold(p[0]) != pathname.Fold(p[1]) {
			t.Errorf("Fold(%q) = %q differs from Fold(%q) = %q", p[0], pathname.Fold(p[0]), p[1], pathname.Fold(p[1]))
		}
	}
	differ := [][2]string{{"a", "b"}, {"a/b", "ab"}, {"℀", "a/c"}, {"é", "e"}, {"ß", "s"}}
	for _, p := range differ {
		if pathname.Fold(p[0]) == pathname.Fold(p[1]) {
			t.Errorf("Fold(%q) = Fold(%q) = %q", p[0], p[1], pathname.Fold(p[0]))
		}
	}
}

// TestFoldCoversEverySystem: two characters that are one under any of the
// simple mappings that file systems use are one under Fold.
func TestFoldCoversEverySystem(t *testing.T) {
	for r := rune(0x21); r <= unicode.MaxRune; r++ {
		if r == '/' || !unicode.IsGraphic(r) {
			continue
		}
		key := pathname.Fold("x" + string(r))
		for name, same := range map[string]rune{"upper": unicode.ToUpper(r), "title": unicode.ToTitle(r), "orbit": unicode.SimpleFold(r)} {
			if got := pathname.Fold("x" + string(same)); got != key {
				t.Errorf("%q and its %s %q are kept apart: %q, %q", r, name, same, key, got)
			}
		}
		if lower := unicode.ToLower(r); r != 'İ' && pathname.Fold("x"+string(lower)) != key { // İ lowers to two characters in full
			t.Errorf("%q and its lower case %q are kept apart", r, lower)
		}
		if pathname.Fold(key) != key {
			t.Errorf("Fold(%q) = %q is not stable", r, key)
		}
	}
}

func TestFoldOfParts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.String().Draw(t, "a"), rapid.String().Draw(t, "b")
		if strings.Contains(a+b, "/") {
			t.Skip("parts hold no slash")
		}
		if got, want := pathname.Fold(a+"/"+b), pathname.Fold(a)+"/"+pathname.Fold(b); got != want {
			t.Fatalf("Fold of the path = %q, of its parts = %q", got, want)
		}
		if f := pathname.Fold(a); pathname.Fold(f) != f {
			t.Fatalf("Fold(%q) = %q is not stable", a, f)
		}
	})
}

func FuzzCheck(f *testing.F) {
	for _, s := range []string{"plugin.json", "a/../b", `C:\x`, "nul.txt", "\u202e", "\xff", "a~1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, path string) {
		p := pathname.Check(path)
		shown := pathname.Show(path)
		if !utf8.ValidString(shown) || strings.IndexFunc(shown, unicode.IsControl) >= 0 {
			t.Fatalf("Show(%q) = %q is not printable", path, shown)
		}
		if p != nil {
			if p.Code == "" || p.Message == "" || strings.IndexFunc(p.Message, unicode.IsControl) >= 0 {
				t.Fatalf("Check(%q) = %+v", path, p)
			}
			return
		}
		for part := range strings.SplitSeq(path, "/") {
			if part == "" || part == "." || part == ".." || strings.ContainsAny(part, `\:`) {
				t.Fatalf("Check accepted %q", path)
			}
		}
		if shown != path && len(path) <= 200 {
			// What is accepted may hold unusual spaces, never control characters.
			if strings.IndexFunc(path, unicode.IsControl) >= 0 {
				t.Fatalf("Check accepted the control character in %q", path)
			}
		}
	})
}

func TestShow(t *testing.T) {
	tests := []struct{ in, want string }{
		{"plain/ü.md", "plain/ü.md"},
		{"a\x1b[2J", `a\x1b[2J`},
		{"x\u202ey", `x\u202ey`},
		{"\xff", `\xff`},
		{"a\u034fb", `a\u034fb`},
	}
	for _, tt := range tests {
		if got := pathname.Show(tt.in); got != tt.want {
			t.Errorf("Show(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
	if got := pathname.Show(strings.Repeat("ü", 500)); len(got) > 210 || !strings.Contains(got, "…") || !utf8.ValidString(got) {
		t.Errorf("Show of a long name = %q", got)
	}
}
