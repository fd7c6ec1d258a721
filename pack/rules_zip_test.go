package pack_test

import (
	"slices"
	"strings"

	"github.com/wuu-plugins/wuu/internal/archive/archivetest"
	"github.com/wuu-plugins/wuu/internal/diag"
)

// zipRules are those about the container of a zip, whose fixtures are raw
// bytes.
func zipRules() []ruleCase {
	type entry = archivetest.ZipEntry
	x := func(change func(*entry)) []byte {
		z := entry{Name: "x", Body: "abc"}
		change(&z)
		return rawZip(z, entry{Name: "y"})
	}
	patch := func(change func(local, central []byte)) []byte {
		return x(func(z *entry) { z.Patch = change })
	}
	end := func(change func(end []byte) []byte) []byte {
		return tailedZip(archivetest.PatchEnd(change), entry{Name: "x", Body: "abc"})
	}
	one := func(rule, code, entry string, data []byte) ruleCase {
		return ruleCase{rule: rule, code: code, entry: entry, zip: data}
	}
	return slices.Concat([]ruleCase{
		one("no end record", "ZIP_EOCD", "", rawZip()[:40]),
		one("two end records", "ZIP_EOCD", "", end(func(e []byte) []byte {
			second := slices.Clone(e)
			e[20] = 22
			return append(e, second...)
		})),
		one("comment with an end record", "ZIP_EOCD", "", tailedZip(archivetest.Comment("PK\x05\x06"+strings.Repeat("x", 30)))),
		one("wrong count", "ZIP_EOCD", "", end(func(e []byte) []byte { e[8], e[10] = 9, 9; return e })),
		one("several disks", "ZIP_EOCD", "", end(func(e []byte) []byte { e[4] = 1; return e })),
		one("data in front", "ZIP_PREFIX", "", append([]byte("#!/bin/sh\n"), rawZip()...)),
		one("data behind", "ZIP_TRAILING", "", append(rawZip(), "rest"...)),
		{rule: "comment", code: "ZIP_COMMENT", severity: diag.Info, zip: tailedZip(archivetest.Comment("hello"))},
		one("64-bit end", "ZIP_ZIP64", "", end(func(e []byte) []byte { copy(e[16:], "\xff\xff\xff\xff"); return e })),
		one("64-bit locator", "ZIP_ZIP64", "", tailedZip(func(dir, e []byte) ([]byte, []byte) {
			return append(dir, "PK\x06\x07"+strings.Repeat("\x00", 16)...), e
		})),
		one("bytes of no entry", "ZIP_GAP", "y", x(func(z *entry) { z.After = []byte("gap") })),
	}, []ruleCase{
		one("64-bit entry", "ZIP_ZIP64", "x", patch(func(_, c []byte) { copy(c[20:], "\xff\xff\xff\xff\xff\xff\xff\xff") })),
		one("encrypted", "ZIP_ENCRYPTED", "x", x(func(z *entry) { z.Flags = 1 })),
		one("strongly encrypted", "ZIP_ENCRYPTED", "x", x(func(z *entry) { z.Flags = 1 << 6 })),
		one("masked headers", "ZIP_ENCRYPTED", "x", x(func(z *entry) { z.Flags = 1 << 13 })),
		one("imploded", "ZIP_METHOD", "x", x(func(z *entry) { z.Method = 6 })),
		one("deflate64", "ZIP_METHOD", "x", x(func(z *entry) { z.Method = 9 })),
		one("LZMA", "ZIP_METHOD", "x", x(func(z *entry) { z.Method = 14 })),
		one("two names", "ZIP_HEADER_MISMATCH", "x", x(func(z *entry) { z.Local = "z" })),
		one("two methods", "ZIP_HEADER_MISMATCH", "x", patch(func(l, _ []byte) { l[8] = 8 })),
		one("two sizes", "ZIP_HEADER_MISMATCH", "x", patch(func(l, _ []byte) { l[22]++ })),
		one("two flags", "ZIP_HEADER_MISMATCH", "x", patch(func(l, _ []byte) { l[7] ^= 8 })),
		one("name in an extra field", "ZIP_EXTRA_NAME", "x", x(func(z *entry) { z.Extra = archivetest.UnicodePath("x", "z") })),
		one("second name in an extra field", "ZIP_EXTRA_NAME", "x", x(func(z *entry) {
			z.Extra = append(archivetest.UnicodePath("x", "x"), archivetest.UnicodePath("x", "z")...)
		})),
		one("overlap", "ZIP_OVERLAP", "y", rawZip(entry{Name: "x", Body: "abc"}, entry{Name: "y", Patch: func(_, c []byte) { copy(c[42:], "\x00\x00\x00\x00") }})),
		one("wrong checksum", "ZIP_CRC", "x", x(func(z *entry) { z.CRC = 7 })),
		one("stored with two sizes", "ZIP_SIZE", "x", x(func(z *entry) { z.Size = 9 })),
		one("content longer than declared", "ZIP_SIZE", "x", x(func(z *entry) { z.Body, z.Deflated, z.Size = strings.Repeat("a", 50), true, 10 })),
		one("damaged data", "ZIP_DATA", "x", x(func(z *entry) { z.Method, z.Packed = 8, []byte{7, 7, 7} })),
		one("descriptor lies", "ZIP_DESCRIPTOR", "x", x(func(z *entry) { z.Descriptor = archivetest.Descriptor(true, z.Body, 1) })),
		one("no descriptor", "ZIP_DESCRIPTOR", "x", x(func(z *entry) { z.Descriptor = []byte{} })),
		one("name in an old code page", "PATH_ENCODING", `\x82`, rawZip(entry{Name: "caf\x82", Bytes: true})),
	})
}
