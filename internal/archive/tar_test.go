package archive_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/wuu-plugins/wuu/internal/archive"
	"github.com/wuu-plugins/wuu/internal/archive/archivetest"
)

func TestTarball(t *testing.T) {
	a, b := file("package/a", "one"), file("package/b", "two")
	long := "package/" + strings.Repeat("n", 120)
	tests := []struct {
		name  string
		data  []byte
		codes []string
		names []string
	}{
		{"sound", tgzOf(a, b), nil, []string{"package/a", "package/b"}},
		{"folder", tgzOf(member{Name: "package/", Flag: '5'}, a), nil, []string{"package", "package/a"}},
		{"old folder", tgzOf(member{Name: "package/x/"}), nil, []string{"package/x"}},
		{"old file", tgzOf(member{Name: "package/x"}), nil, []string{"package/x"}},
		{"contiguous file", tgzOf(member{Name: "package/x", Flag: '7'}), nil, []string{"package/x"}},
		{"ustar prefix", tgzOf(member{Name: "x", Prefix: "package/p", Flag: '0'}), nil, []string{"package/p/x"}},
		{"star prefix", tgzOf(member{Name: "x", Prefix: "package/p", Star: "tar\x00", Flag: '0'}), nil, []string{"package/p/x"}},
		{"GNU without prefix", tgzOf(member{Name: "x", Magic: "ustar  \x00", Flag: '0'}), nil, []string{"x"}},
		{"V7 without prefix", tgzOf(member{Name: "x", Magic: "\x00\x00\x00\x00\x00\x00\x00\x00"}), nil, []string{"x"}},
		{"prefix with times behind it", tgzOf(member{Name: "x", Flag: '0', Patch: func(b []byte) { copy(b[345:], "p"); copy(b[476:], "15303434223\x00") }}), nil, []string{"p/x"}},
		{"time before 1970", tgzOf(member{Name: "x", Flag: '0', Patch: func(b []byte) { copy(b[136:], strings.Repeat("\xff", 12)) }}), nil, []string{"x"}},
		{"owner in 53 bits", tgzOf(member{Name: "x", Flag: '0', Patch: func(b []byte) { copy(b[108:], "\x80\x1f\xff\xff\xff\xff\xff\xff") }}), nil, []string{"x"}},
		{"owner in binary", tgzOf(member{Name: "x", Flag: '0', Patch: func(b []byte) { copy(b[108:], "\x80\x00\x00\x00\x7f\xff\xff\xff") }}), nil, []string{"x"}},
		{"value of several lines", tgzOf(pax('x', archivetest.Record("VENDOR.note", "two\nlines = 1\n")), a), nil, []string{"package/a"}},
		{"PAX path", tgzOf(pax('x', "18 path=package/z\n"), a), nil, []string{"package/z"}},
		{"PAX vendor keys", tgzOf(pax('x', "19 NODETAR.depth=2\n16 SCHILY.dev=0\n"), a), nil, []string{"package/a"}},
		{"PAX global comment", tgzOf(pax('g', "15 comment=abc\n"), a), nil, []string{"package/a"}},
		{"PAX equal size", tgzOf(pax('x', "9 size=3\n"), a), nil, []string{"package/a"}},
		{"GNU long name", tgzOf(member{Name: "././@LongLink", Flag: 'L', Body: long + "\x00"}, a), nil, []string{long}},
		{"no end marker", gz(tarOf(a)), []string{"(TAR_END)"}, []string{"package/a"}},
		{"one end block", gz(tarOf(a, endMarker[:512])), nil, []string{"package/a"}},
		{"padded end", gz(tarOf(a, make([]byte, 10240))), nil, []string{"package/a"}},
		{"zero padding after gzip", append(tgzOf(a), make([]byte, 700)...), []string{"(GZIP_TRAILING)"}, []string{"package/a"}},

		{"uncompressed", tarOf(a, endMarker), []string{"GZIP_HEADER"}, nil},
		{"not gzip", []byte("hello, this is text"), []string{"GZIP_HEADER"}, nil},
		{"empty", nil, []string{"GZIP_HEADER"}, nil},
		{"bad gzip header", []byte("\x1f\x8b\x07aaaaaaaaaaaa"), []string{"GZIP_HEADER"}, nil},
		{"cut gzip header", []byte("\x1f\x8b\x08"), []string{"ARCHIVE_TRUNCATED"}, nil},
		{"zip instead", zipOf(nil, zentry{Name: "a"}), []string{"ARCHIVE_TYPE"}, nil},
		{"cut off", cut(tgzOf(a, b), 12), []string{"ARCHIVE_TRUNCATED"}, []string{"package/a", "package/b"}},
		{"cut in the trailer", cut(tgzOf(a), 3), []string{"ARCHIVE_TRUNCATED"}, []string{"package/a"}},
		{"wrong checksum", flip(tgzOf(a), -8), []string{"GZIP_CRC"}, []string{"package/a"}},
		{"wrong length", flip(tgzOf(a), -4), []string{"GZIP_CRC"}, []string{"package/a"}},
		{"second member", slices.Concat(tgzOf(a), tgzOf(b)), []string{"GZIP_MULTIMEMBER"}, []string{"package/a"}},
		{"tar over two members", slices.Concat(gz(tarOf(a)), gz(tarOf(b, endMarker))), []string{"GZIP_MULTIMEMBER", "(TAR_END)"}, []string{"package/a"}},
		{"garbage after gzip", append(tgzOf(a), "garbage"...), []string{"GZIP_TRAILING"}, []string{"package/a"}},
		{"garbage after zeros", append(append(tgzOf(a), 0, 0, 0), tgzOf(b)...), []string{"GZIP_TRAILING"}, []string{"package/a"}},
		{"tar cut in a body", gz(tarOf(a)[:514]), []string{"ARCHIVE_TRUNCATED"}, []string{"package/a"}},
		{"tar cut in a header", gz(tarOf(a, b)[:1100]), []string{"ARCHIVE_TRUNCATED"}, []string{"package/a"}},
		{"tar cut in padding", gz(tarOf(a)[:600]), []string{"ARCHIVE_TRUNCATED"}, []string{"package/a"}},
		{"entry after end", gz(tarOf(a, endMarker, b, endMarker)), []string{"TAR_AFTER_EOF"}, []string{"package/a"}},
		{"entry after one zero block", gz(tarOf(a, endMarker[:512], b, endMarker)), []string{"TAR_AFTER_EOF"}, []string{"package/a"}},
		{"header checksum", tgzOf(a, member{Name: "x", Flag: '0', BadSum: true}, b), []string{"TAR_CHECKSUM"}, []string{"package/a"}},
		{"header checksum and gzip", append(tgzOf(member{Name: "x", BadSum: true}), "x"...), []string{"TAR_CHECKSUM", "GZIP_TRAILING"}, nil},
		{"binary size", tgzOf(member{Name: "x", Flag: '0', Size: "\x80\x00\x00\x00\x7f\xff\xff\xff\xff\xff\xff\xff"}), []string{"TAR_SIZE"}, nil},
		{"size is text", tgzOf(member{Name: "x", Flag: '0', Size: "hello"}), []string{"TAR_SIZE"}, nil},
		{"negative size", tgzOf(member{Name: "x", Flag: '0', Size: "-0000000001"}), []string{"TAR_SIZE"}, nil},
		{"mode is text", tgzOf(member{Name: "x", Flag: '0', Mode: "rw-r--r"}), []string{"TAR_HEADER"}, nil},
		{"prefix in GNU", tgzOf(member{Name: "x", Prefix: "12345", Magic: "ustar  \x00", Flag: '0'}), []string{"TAR_HEADER"}, nil},
		{"prefix in V7", tgzOf(member{Name: "x", Prefix: "12345", Magic: "\x00\x00\x00\x00\x00\x00\x00\x00"}), []string{"TAR_HEADER"}, nil},
		{"prefix of another version", tgzOf(member{Name: "x", Prefix: "p", Magic: "ustar\x0001", Flag: '0'}), []string{"TAR_HEADER"}, nil},
		{"prefix into the times of star", tgzOf(member{Name: "x", Prefix: strings.Repeat("p", 131), Star: "tar\x00", Flag: '0'}), []string{"TAR_HEADER"}, nil},
		{"prefix without a start", tgzOf(member{Name: "x", Flag: '0', Patch: func(b []byte) { b[475] = 'p' }}), []string{"TAR_HEADER"}, nil},
		{"name after its end", tgzOf(member{Name: "x\x00\n/y", Flag: '0'}), []string{"TAR_HEADER"}, nil},
		{"prefix after its end", tgzOf(member{Name: "x", Prefix: "p\x00\n/y", Flag: '0'}), []string{"TAR_HEADER"}, nil},
		{"target of no link", tgzOf(member{Name: "x", Flag: '0', Patch: func(b []byte) { b[157] = 'y' }}), []string{"TAR_HEADER"}, nil},
		{"target of no link, behind a NUL", tgzOf(member{Name: "x", Flag: '0', Patch: func(b []byte) { b[158] = '\n' }}), []string{"TAR_HEADER"}, nil},
		{"extension without a name", tgzOf(member{Flag: 'x', Body: archivetest.Record("path", "y")}, a), []string{"TAR_HEADER"}, nil},
		{"owner is text", tgzOf(member{Name: "x", Flag: '0', Patch: func(b []byte) { copy(b[108:], "root") }}), []string{"TAR_HEADER"}, nil},
		{"owner in too many bits", tgzOf(member{Name: "x", Flag: '0', Patch: func(b []byte) { copy(b[108:], "\x80\x20\x00\x00\x00\x00\x00\x00") }}), []string{"TAR_HEADER"}, nil},
		{"time in too many bits", tgzOf(member{Name: "x", Flag: '0', Patch: func(b []byte) { copy(b[136:], "\xff00000000000") }}), []string{"TAR_HEADER"}, nil},
		{"time of access in too many bits", tgzOf(member{Name: "x", Flag: '0', Patch: func(b []byte) { b[476] = 0xff }}), []string{"TAR_HEADER"}, nil},
		{"time of change is text", tgzOf(member{Name: "x", Flag: '0', Patch: func(b []byte) { copy(b[488:], "today") }}), []string{"TAR_HEADER"}, nil},
		{"time is text", tgzOf(member{Name: "x", Flag: '0', Patch: func(b []byte) { copy(b[136:], "today") }}), []string{"TAR_HEADER"}, nil},
		{"size after a NUL", tgzOf(member{Name: "x", Flag: '0', Size: "\x000000000003", Body: "abc"}), []string{"TAR_SIZE"}, nil},
		{"checksum without end", tgzOf(member{Name: "x", Flag: '0', Patch: nil}, rawSum(member{Name: "y"}, "%08o"), b), []string{"TAR_CHECKSUM"}, []string{"x"}},
		{"value that hides a record", tgzOf(pax('x', archivetest.Record("comment", "x\n18 path=package/z\n")), a), []string{"TAR_PAX"}, []string{"package/a"}},
		{"key with an invisible start", tgzOf(pax('x', archivetest.Record("comment", "x\n \ufeff+18 path=package/z\n")), a), []string{"TAR_PAX"}, []string{"package/a"}},
		{"several volumes", tgzOf(pax('x', archivetest.Record("GNU.volume.offset", "512")), a), []string{"TAR_PAX"}, []string{"package/a"}},
		{"PAX size differs", tgzOf(pax('x', "13 size=1024\n"), member{Name: "c", Flag: '0'}, file("package/hidden", "x")), []string{"TAR_SIZE_CONFLICT"}, []string{"c"}},
		{"PAX size is text", tgzOf(pax('x', "10 size=x\n"), a), []string{"TAR_PAX"}, []string{"package/a"}},
		{"PAX size signed", tgzOf(pax('x', "11 size=+3\n"), a), []string{"TAR_PAX"}, []string{"package/a"}},
		{"PAX length lies", tgzOf(pax('x', "99 path=package/zz\n"), a), []string{"TAR_PAX"}, []string{"package/a"}},
		{"PAX length short", tgzOf(pax('x', "10 path=package/zz\n"), a), []string{"TAR_PAX"}, []string{"package/a"}},
		{"PAX without length", tgzOf(pax('x', "path=x\n"), a), []string{"TAR_PAX"}, []string{"package/a"}},
		{"PAX without key", tgzOf(pax('x', "5 =x\n"), a), []string{"TAR_PAX"}, []string{"package/a"}},
		{"PAX path twice", tgzOf(pax('x', "10 path=x\n10 path=y\n"), a), []string{"TAR_PAX"}, []string{"package/a"}},
		{"PAX empty path", tgzOf(pax('x', "8 path=\n"), a), []string{"TAR_PAX"}, []string{"package/a"}},
		{"PAX global path", tgzOf(pax('g', "18 path=package/z\n"), a), []string{"TAR_PAX"}, []string{"package/a"}},
		{"PAX global size", tgzOf(pax('g', "10 size=9\n"), a), []string{"TAR_PAX"}, []string{"package/a"}},
		{"PAX global header before its entry", tgzOf(pax('x', "10 path=x\n"), pax('g', "15 comment=abc\n"), a), []string{"TAR_PAX"}, []string{"x"}},
		{"PAX header too large", tgzOf(pax('x', paxComment(70_000)), a), []string{"TAR_PAX"}, []string{"package/a"}},
		{"two PAX headers", tgzOf(pax('x', "10 path=x\n"), pax('x', "10 path=y\n"), a), []string{"TAR_PAX"}, []string{"y"}},
		{"PAX header at the end", tgzOf(a, pax('x', "10 path=x\n")), []string{"TAR_PAX"}, []string{"package/a"}},
		{"PAX path and long name", tgzOf(pax('x', "10 path=x\n"), member{Name: "l", Flag: 'L', Body: "y\x00"}, a), []string{"TAR_PAX"}, []string{"x"}},
		{"long name with NUL", tgzOf(member{Name: "l", Flag: 'L', Body: "y\x00z"}, a), []string{"TAR_LONGNAME"}, []string{"package/a"}},
		{"two long names", tgzOf(member{Name: "l", Flag: 'L', Body: "y"}, member{Name: "l", Flag: 'L', Body: "z"}, a), []string{"TAR_LONGNAME"}, []string{"z"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := read(t, tt.data, archive.Options{Format: archive.TGZ})
			if !slices.Equal(g.codes, tt.codes) {
				t.Errorf("codes %v, want %v", g.codes, tt.codes)
			}
			var names []string
			for _, e := range g.entries {
				names = append(names, e.Name)
			}
			if !slices.Equal(names, tt.names) {
				t.Errorf("entries %q, want %q", names, tt.names)
			}
		})
	}
}

func TestTarKinds(t *testing.T) {
	tests := []struct {
		flag byte
		want archive.Kind
	}{
		{'0', archive.File}, {0, archive.File}, {'7', archive.File}, {'5', archive.Dir}, {'1', archive.Link}, {'2', archive.Link},
		{'3', archive.Special}, {'4', archive.Special}, {'6', archive.Special}, {'S', archive.Sparse}, {'M', archive.Special},
		{'V', archive.Special}, {'D', archive.Special}, {'X', archive.Special}, {'Q', archive.Special},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%q", tt.flag), func(t *testing.T) {
			g := read(t, tgzOf(member{Name: "x", Flag: tt.flag, Body: "data", Mode: "0004755\x00"}, file("next", "")), archive.Options{})
			if len(g.entries) != 2 || g.entries[0].Kind != tt.want || g.entries[0].Mode != 0o4755 || !g.entries[0].HasMode {
				t.Fatalf("entries %+v, codes %v", g.entries, g.codes)
			}
			if tt.want >= archive.Link && tt.want != archive.Sparse && g.entries[0].Detail == "" {
				t.Error("no detail")
			}
		})
	}
	for _, key := range []string{"GNU.sparse.major", "GNU.sparse.name", "SCHILY.realsize"} {
		g := read(t, tgzOf(pax('x', archivetest.Record(key, "1")), file("x", "")), archive.Options{})
		if len(g.entries) != 1 || g.entries[0].Kind != archive.Sparse {
			t.Errorf("%s: %+v %v", key, g.entries, g.codes)
		}
	}
}

func TestTarLimits(t *testing.T) {
	big := strings.Repeat("x", 3<<20)
	many := make([]any, 101)
	for i := range many {
		many[i] = file(fmt.Sprintf("package/%d", i), "")
	}
	tests := []struct {
		name string
		data []byte
		l    archive.Limits
		want string
	}{
		{"archive", tgzOf(file("a", "x")), archive.Limits{Archive: 10, Unpacked: 1 << 20, Entries: 10, Ratio: 200}, "LIMIT_ARCHIVE"},
		{"ratio", tgzOf(file("a", big)), limits, "LIMIT_RATIO"},
		{"unpacked", tgzOf(file("a", big)), archive.Limits{Archive: 1 << 20, Unpacked: 2 << 20, Entries: 10, Ratio: 1 << 40}, "LIMIT_UNPACKED"},
		{"entries", tgzOf(many...), limits, "LIMIT_ENTRIES"},
		{"zeros at the end", gz(tarOf(file("a", "x"), make([]byte, 40<<20))), limits, "LIMIT_UNPACKED"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := read(t, tt.data, archive.Options{Limits: tt.l})
			if !slices.Equal(g.codes, []string{tt.want}) {
				t.Errorf("codes %v, want %s", g.codes, tt.want)
			}
		})
	}
	below := strings.Repeat("x", archive.RatioFrom)
	if g := read(t, tgzOf(file("a", below)), archive.Options{}); len(g.codes) != 0 || g.content[0] != below {
		t.Errorf("1 MiB of one byte: %v", g.codes)
	}
}

// rawSum is a header whose checksum field is filled to its end.
func rawSum(m member, format string) []byte {
	b := tarOf(m)
	sum := 0
	for i, c := range b[:512] {
		if i >= 148 && i < 156 {
			c = ' '
		}
		sum += int(c)
	}
	copy(b[148:156], fmt.Sprintf(format, sum))
	return b
}

func cut(b []byte, n int) []byte { return b[:len(b)-n] }

func flip(b []byte, at int) []byte {
	b = bytes.Clone(b)
	b[len(b)+at] ^= 1
	return b
}

func paxComment(n int) string {
	body := " comment=" + strings.Repeat("c", n) + "\n"
	return fmt.Sprint(len(body)+len(fmt.Sprint(len(body)))) + body
}
