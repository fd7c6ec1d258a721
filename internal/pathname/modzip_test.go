package pathname_test

import (
	"strings"
	"testing"

	"github.com/wuu-plugins/wuu/internal/pathname"
)

// TestNamesOfGoModules compares with what golang.org/x/mod takes for the name
// of a file in a module (module.CheckFilePath and the checks of package zip);
// the names are ours. go says whether it takes one. Where the answers differ,
// why says so.
func TestNamesOfGoModules(t *testing.T) {
	const (
		shell     = "Go refuses what shells treat specially; a file system stores it"
		letters   = "Go takes letters only; documentation has symbols and emoji in names"
		shortName = "Go looks for short names in import paths only"
		windows   = "Go keeps to a shorter list of devices, and does not strip spaces"
		invisible = "Go checks letters one by one, not what they are together"
		length    = "Go has no such limit on parts of a path"
	)
	tests := []struct {
		name, why string
		go_       bool
		want      string // our code, "" when we take it
	}{
		{"go.mod", "", true, ""},
		{"a/b/c.go", "", true, ""},
		{".gitignore", "", true, ""},
		{"a b.txt", "", true, ""},
		{"ü/日本.md", "", true, ""},
		{"!#$%&()+,-.=@[]^_{}~", "", true, ""},
		{"x~y", "", true, ""},

		{"", "", false, "PATH_EMPTY"},
		{"/a", "", false, "PATH_ABSOLUTE"},
		{"a/", "", false, "PATH_EMPTY"},
		{"a//b", "", false, "PATH_EMPTY"},
		{".", "", false, "PATH_TRAVERSAL"},
		{"a/../b", "", false, "PATH_TRAVERSAL"},
		{"./a", "", false, "PATH_TRAVERSAL"},
		{"...", "", false, "PATH_TRAILING"},
		{"a.", "", false, "PATH_TRAILING"},
		{"a./b", "", false, "PATH_TRAILING"},
		{`a\b`, "", false, "PATH_BACKSLASH"},
		{"a:b", "", false, "PATH_DRIVE"},
		{"file:stream", "", false, "PATH_CHARACTER"},
		{"a*", "", false, "PATH_CHARACTER"},
		{"a<b>", "", false, "PATH_CHARACTER"},
		{"a?", "", false, "PATH_CHARACTER"},
		{"a|b", "", false, "PATH_CHARACTER"},
		{`a"b`, "", false, "PATH_CHARACTER"},
		{"a\x00b", "", false, "PATH_CONTROL"},
		{"a\nb", "", false, "PATH_CONTROL"},
		{"a\xffb", "", false, "PATH_ENCODING"},
		{"a\u200bb", "", false, "PATH_CONTROL"},
		{"con", "", false, "PATH_RESERVED"},
		{"AUX.go", "", false, "PATH_RESERVED"},
		{"a/nul.tar.gz", "", false, "PATH_RESERVED"},
		{"prn", "", false, "PATH_RESERVED"},
		{"com1", "", false, "PATH_RESERVED"},
		{"LPT9.txt", "", false, "PATH_RESERVED"},

		{"a'b", shell, false, ""},
		{"a`b", shell, false, ""},
		{"a;b", shell, false, ""},
		{"❤.md", letters, false, ""},
		{"cafe\u0301", letters, false, ""},
		{"a²", letters, false, ""},

		{"PROGRA~1", shortName, true, "PATH_SHORTNAME"},
		{"a ", windows, true, "PATH_TRAILING"},
		{"con .txt", windows, true, "PATH_RESERVED"},
		{"conin$", windows, true, "PATH_RESERVED"},
		{"com0", windows, true, "PATH_RESERVED"},
		{".git/config", "Go leaves repositories out when it packs", true, "PATH_VCS"},
		{"\u3164", invisible, true, "PATH_CONTROL"},
		{strings.Repeat("n", 256), length, true, "PATH_TOO_LONG"},
		{strings.Repeat("d/", 40) + "f", length, true, "PATH_TOO_DEEP"},
	}
	for _, tt := range tests {
		got := code(pathname.Check(tt.name))
		if got != tt.want {
			t.Errorf("Check(%q) = %q, want %q", tt.name, got, tt.want)
		}
		if differ := tt.go_ != (tt.want == ""); differ != (tt.why != "") {
			t.Errorf("%q: the answers differ: %v, the reason is %q", tt.name, differ, tt.why)
		}
	}
}
