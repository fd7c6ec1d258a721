package pack_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/wuu-plugins/wuu/internal/archive/archivetest"
	"github.com/wuu-plugins/wuu/pack"
)

// TestTarballsOfNPM holds what npm and its node-tar make of odd tarballs beside
// what install makes of them. The archives are ours. npm extracts what it
// understands and drops the rest with a warning; install takes an archive as a
// whole or not at all.
func TestTarballsOfNPM(t *testing.T) {
	type m = archivetest.Member
	file, pax, record := archivetest.File, archivetest.PAX, archivetest.Record
	long := strings.Repeat("directory/", 15) + "file-with-a-name-of-some-length.js"
	tests := []struct {
		name  string
		npm   string // what npm does
		parts []any
		want  string // our code, "" when it is taken
		files []string
	}{
		{"first part is stripped", "installs x", []any{file("package/x", "")}, "", []string{"x"}},
		{"dot in front of the root", "strips the dot, installs package/x", []any{file("./package/x", "")}, "", []string{"x"}},
		{"root of another name", "strips it, installs x", []any{file("other/x", "")}, "LAYOUT_MULTI_ROOT", nil},
		{"file beside the root", "drops it: nothing is left of its name", []any{file("x", "")}, "LAYOUT_MULTI_ROOT", nil},
		{"absolute path", "makes it relative", []any{file("/package/x", "")}, "PATH_ABSOLUTE", nil},
		{"double slash", "makes it one", []any{file("package/a//x", "")}, "PATH_EMPTY", nil},
		{"dots that stay inside", "drops every path with ..", []any{file("package/a/../x", "")}, "PATH_TRAVERSAL", nil},
		{"dots that leave", "drops every path with ..", []any{file("package/../../x", "")}, "PATH_TRAVERSAL", nil},
		{"drive", "strips the drive on Windows", []any{file("package/c:/x", "")}, "PATH_DRIVE", nil},
		{"backslashes", "takes them for slashes on Windows alone", []any{file(`package\x`, "")}, "PATH_BACKSLASH", nil},
		{"old regular file", "a file", []any{m{Name: "package/x"}}, "", []string{"x"}},
		{"contiguous file", "a file", []any{m{Name: "package/x", Flag: '7'}}, "", []string{"x"}},
		{"old folder", "a folder", []any{m{Name: "package/d/"}, file("package/d/x", "")}, "", []string{"d/x"}},
		{"folder with a size", "forgets the size, reads the content as headers", []any{m{Name: "package/d/", Flag: '5', Body: hiddenMember}}, "ENTRY_FILE_DIR_CONFLICT", nil},
		{"symbolic link", "drops it", []any{m{Name: "package/l", Flag: '2'}}, "ENTRY_LINK", nil},
		{"hard link", "drops it", []any{m{Name: "package/l", Flag: '1'}}, "ENTRY_LINK", nil},
		{"target of a file", "skips the header, reads the content as headers", []any{m{Name: "package/x", Flag: '0', Body: hiddenMember, Patch: func(h []byte) { h[157] = 'y' }}}, "TAR_HEADER", nil},
		{"long name in the prefix", "joins both parts", []any{m{Name: "file.js", Flag: '0', Prefix: "package/" + strings.Repeat("d", 140)}}, "", []string{strings.Repeat("d", 140) + "/file.js"}},
		{"long name by PAX", "takes the record", []any{pax('x', record("path", "package/"+long)), file("package/x", "")}, "", []string{long}},
		{"long name by GNU", "takes the header", []any{archivetest.LongName("package/" + long), file("package/x", "")}, "", []string{long}},
		{"PAX and prefix together", "takes the record", []any{pax('x', record("path", "package/y")), m{Name: "x", Prefix: "package", Flag: '0'}}, "", []string{"y"}},
		{"UTF-8 in a header", "a file", []any{file("package/é.js", "")}, "", []string{"é.js"}},
		{"emoji by PAX", "a file", []any{pax('x', record("path", "package/🌟.txt")), file("package/x", "")}, "", []string{"🌟.txt"}},
		{"record with the wrong length", "ignores the record", []any{pax('x', "19 path=package/y\n"), file("package/x", "")}, "TAR_PAX", nil},
		{"record in a record", "takes the inner one", []any{pax('x', record("comment", "\n"+record("path", "package/y"))), file("package/x", "")}, "TAR_PAX", nil},
		{"global path", "ignores it", []any{pax('g', record("path", "package/y")), file("package/x", "")}, "TAR_PAX", nil},
		{"global comment, as git archive writes it", "ignores it", []any{pax('g', record("comment", strings.Repeat("a", 40))), file("package/x", "")}, "", []string{"x"}},
		{"size by PAX", "takes the record", []any{pax('x', record("size", "5")), m{Name: "package/x", Flag: '0'}, "hello", make([]byte, 507)}, "TAR_SIZE_CONFLICT", nil},
		{"binary size", "takes it", []any{m{Name: "package/x", Flag: '0', Size: "\x80\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x05", Body: "hello"}}, "TAR_SIZE", nil},
		{"negative size", "takes it for none", []any{m{Name: "package/x", Flag: '0', Size: strings.Repeat("\xff", 12)}}, "TAR_SIZE", nil},
		{"binary owner", "takes it", []any{m{Name: "package/x", Flag: '0', Patch: func(h []byte) { copy(h[108:], "\x80\x00\x00\x00\xff\xff\xff\xff") }}}, "", []string{"x"}},
		{"sparse file of old GNU", "drops it", []any{m{Name: "package/x", Flag: 'S'}}, "ENTRY_SPARSE", nil},
		{"sparse file by PAX", "writes the map into the file", []any{pax('x', record("GNU.sparse.major", "1")), file("package/x", "")}, "ENTRY_SPARSE", nil},
		{"wrong checksum", "skips the header and goes on", []any{m{Name: "package/x", Flag: '0', BadSum: true}, file("package/y", "")}, "TAR_CHECKSUM", nil},
		{"empty name", "skips the header", []any{m{Flag: '0'}}, "PATH_EMPTY", nil},
		{"one zero block in the middle", "goes on", []any{make([]byte, 512), file("package/x", "")}, "TAR_AFTER_EOF", nil},
		{"Solaris extension", "takes it", []any{m{Name: "x", Flag: 'X', Body: record("path", "package/y")}, file("package/x", "")}, "ENTRY_SPECIAL", nil},
		{"volume label", "drops it", []any{m{Name: "package/label", Flag: 'V'}}, "ENTRY_SPECIAL", nil},
		{"mode of nobody", "reads and writes for the owner", []any{m{Name: "package/x", Flag: '0', Mode: "0000000\x00"}}, "", []string{"x"}},
		{"two files in two cases", "the last one wins where case does not count", []any{file("package/X", "1"), file("package/x", "2")}, "ENTRY_CASE_COLLISION", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, findings := open(t, rawTGZ(tt.parts...), pack.Options{Format: pack.TGZ})
			if tt.want != "" {
				if !slices.Contains(errorCodes(findings), tt.want) {
					t.Errorf("npm %s; want %s, got %s", tt.npm, tt.want, codes(findings))
				}
				return
			}
			want := append([]string{"package.json", "plugin.json"}, tt.files...)
			slices.Sort(want)
			if p == nil {
				t.Fatalf("npm %s; refused here: %s", tt.npm, codes(findings))
			}
			if got := paths(p); !slices.Equal(got, want) {
				t.Errorf("npm %s; here are %q, want %q", tt.npm, got, want)
			}
		})
	}
}
