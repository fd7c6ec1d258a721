package pack_test

import (
	"bytes"
	"slices"
	"strings"

	"github.com/wuu-plugins/wuu/internal/archive/archivetest"
	"github.com/wuu-plugins/wuu/internal/diag"
)

// tarRules are those about gzip and tar, whose fixtures are raw bytes.
func tarRules() []ruleCase {
	file, pax, record := archivetest.File, archivetest.PAX, archivetest.Record
	x := file("package/x", "abc")
	sound := rawTGZ()
	odd := func(change func(h []byte)) []byte {
		return rawTGZ(archivetest.Member{Name: "package/x", Flag: '0', Patch: change})
	}
	flip := func(data []byte, at int) []byte {
		data = bytes.Clone(data)
		data[len(data)+at] ^= 0xff
		return data
	}
	noEnd := archivetest.Gzip(archivetest.Tar(soundTar(x)...))
	damaged := slices.Concat(sound[:10], []byte{0x07}, sound[11:])
	one := func(rule, code, entry string, data []byte) ruleCase {
		return ruleCase{rule: rule, code: code, entry: entry, tgz: data}
	}
	return []ruleCase{
		one("not gzip", "GZIP_HEADER", "", []byte("hello")),
		one("a tar that nobody compressed", "GZIP_HEADER", "", archivetest.Tar(soundTar(archivetest.EndMarker())...)),
		one("damaged data", "GZIP_DATA", "", damaged),
		one("wrong checksum", "GZIP_CRC", "", flip(sound, -8)),
		one("wrong length", "GZIP_CRC", "", flip(sound, -1)),
		one("second member", "GZIP_MULTIMEMBER", "", slices.Concat(sound, sound)),
		one("data behind the member", "GZIP_TRAILING", "", slices.Concat(sound, []byte("\x00rest"))),
		{rule: "zeros behind the member", code: "GZIP_TRAILING", severity: diag.Info, tgz: slices.Concat(sound, make([]byte, 600))},
		one("header checksum", "TAR_CHECKSUM", "", rawTGZ(archivetest.Member{Name: "package/x", Flag: '0', BadSum: true})),
		one("binary size", "TAR_SIZE", "x", rawTGZ(archivetest.Member{Name: "package/x", Flag: '0', Size: "\x80\x00\x00\x00\x7f\xff\xff\xff\xff\xff\xff\xff"})),
		one("negative size", "TAR_SIZE", "x", rawTGZ(archivetest.Member{Name: "package/x", Flag: '0', Size: "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"})),
		one("mode is text", "TAR_HEADER", "x", rawTGZ(archivetest.Member{Name: "package/x", Flag: '0', Mode: "rw-r--r-"})),
		one("owner is text", "TAR_HEADER", "x", odd(func(h []byte) { copy(h[108:], "root") })),
		one("target of no link", "TAR_HEADER", "x", odd(func(h []byte) { h[157] = 'y' })),
		one("prefix in another dialect", "TAR_HEADER", "x", rawTGZ(archivetest.Member{Name: "package/x", Flag: '0', Prefix: "y", Magic: "ustar  \x00"})),
		one("two sizes", "TAR_SIZE_CONFLICT", "x", rawTGZ(pax('x', record("size", "1024")), file("package/x", ""), file("package/hidden", "x"))),
		one("PAX length lies", "TAR_PAX", "", rawTGZ(pax('x', "99 path=package/y\n"), x)),
		one("PAX value hides a record", "TAR_PAX", "", rawTGZ(pax('x', record("comment", "\n"+record("path", "package/y"))), x)),
		one("PAX name for every entry", "TAR_PAX", "", rawTGZ(pax('g', record("path", "package/y")), x)),
		one("PAX header over 64 KiB", "TAR_PAX", "", rawTGZ(pax('x', record("comment", strings.Repeat("c", 64<<10))), x)),
		one("PAX header without its entry", "TAR_PAX", "", rawTGZ(pax('x', record("comment", "c")))),
		one("part of a multi-volume archive", "TAR_PAX", "", rawTGZ(pax('x', record("GNU.volume.size", "1")), x)),
		one("long name with a NUL", "TAR_LONGNAME", "", rawTGZ(archivetest.LongName("package/y\x00z"), x)),
		one(".. in a PAX record", "PATH_TRAVERSAL", "../y", rawTGZ(pax('x', record("path", "package/../y")), x)),
		one(".. in a GNU long name", "PATH_TRAVERSAL", "../y", rawTGZ(archivetest.LongName("package/../y"), x)),
		one("entry behind the end", "TAR_AFTER_EOF", "", archivetest.Gzip(archivetest.Tar(soundTar(archivetest.EndMarker(), x, archivetest.EndMarker())...))),
		{rule: "no end marker", code: "TAR_END", severity: diag.Info, tgz: noEnd},
		one("cut in an entry", "ARCHIVE_TRUNCATED", "x", archivetest.Gzip(archivetest.Tar(soundTar(x)...)[:2561])),
	}
}
