package pack_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/wuu-plugins/wuu/internal/archive/archivetest"
	"github.com/wuu-plugins/wuu/pack"
	"pgregory.net/rapid"
)

// goodPart draws one part of a path that every rule allows.
var goodPart = rapid.OneOf(
	rapid.SampledFrom([]string{"a", "src", "index.js", "é", "日本語", "x y", ".hidden", "🙂", "a+b", "(1)", "-x", "~", "@", "no'quote"}),
	rapid.StringMatching(`[a-z0-9_]{1,9}`),
	rapid.StringMatching(`[a-z]{60,120}`),
)

// drawSound draws files whose paths neither collide nor contradict each other.
func drawSound(t *rapid.T) map[string]string {
	files := map[string]string{"plugin.json": plugin, "package.json": npm}
	for i := range rapid.IntRange(0, 6).Draw(t, "files") {
		dirs := rapid.SliceOfN(goodPart, 0, 3).Draw(t, "dirs")
		for j := range dirs {
			dirs[j] = fmt.Sprintf("%d%s", i, dirs[j])
		}
		path := strings.Join(append(dirs, fmt.Sprintf("%d%s", i, goodPart.Draw(t, "name"))), "/")
		body := rapid.StringN(0, 40, -1).Draw(t, "body")
		if rapid.IntRange(0, 9).Draw(t, "large") == 0 {
			body = noise(rapid.IntRange(0, 300_000).Draw(t, "bytes"), i)
		}
		files[path] = body
	}
	return files
}

// TestReadersAgreeOnTarballs: a tarball of Go's writer, in each dialect, is
// the same files to this package and to every other reader.
func TestReadersAgreeOnTarballs(t *testing.T) {
	a := newAgreement(t)
	rapid.Check(t, func(t *rapid.T) {
		files := drawSound(t)
		var buf bytes.Buffer
		zw := gzip.NewWriter(&buf)
		tw := tar.NewWriter(zw)
		for path, body := range files {
			h := &tar.Header{Name: "package/" + path, Mode: 0o644, Size: int64(len(body)), Typeflag: tar.TypeReg, ModTime: time.Unix(1e9, 0)}
			h.Format = rapid.SampledFrom([]tar.Format{tar.FormatUnknown, tar.FormatPAX, tar.FormatGNU}).Draw(t, "format")
			if h.Format == tar.FormatPAX && rapid.Bool().Draw(t, "vendor") {
				h.PAXRecords = map[string]string{"VENDOR.key": "value"}
			}
			must(t, tw.WriteHeader(h))
			_, err := tw.Write([]byte(body))
			must(t, err)
		}
		must(t, tw.Close())
		must(t, zw.Close())
		a.check(t, buf.Bytes(), pack.TGZ, true)
	})
	a.done(t, "tgz")
}

// TestNoTarballIsTwoThings: whatever tarball is accepted, with parts that
// readers are known to understand differently and with changed header bytes,
// every other reader that accepts it finds the same files in it.
func TestNoTarballIsTwoThings(t *testing.T) {
	a := newAgreement(t)
	rapid.Check(t, func(t *rapid.T) {
		raw := archivetest.Tar(archivetest.File("package/plugin.json", plugin), archivetest.File("package/package.json", npm))
		for range rapid.IntRange(1, 4).Draw(t, "parts") {
			raw = append(raw, archivetest.Tar(drawTarPart(t))...)
		}
		raw = append(raw, archivetest.EndMarker()[:rapid.SampledFrom([]int{0, 512, 1024}).Draw(t, "end")]...)
		for range rapid.SampledFrom([]int{0, 0, 0, 1, 2}).Draw(t, "changes") {
			changeHeader(t, raw)
		}
		a.check(t, archivetest.Gzip(raw), pack.TGZ, false)
	})
	a.done(t, "tgz")
}

// changeHeader writes odd bytes somewhere into a header and mends its checksum.
func changeHeader(t *rapid.T, raw []byte) {
	var headers [][]byte
	for at := 0; at+512 <= len(raw); at += 512 {
		if string(raw[at+257:at+262]) == "ustar" {
			headers = append(headers, raw[at:at+512])
		}
	}
	h := headers[rapid.IntRange(0, len(headers)-1).Draw(t, "header")]
	at := rapid.OneOf(rapid.IntRange(0, 511), rapid.SampledFrom([]int{0, 99, 100, 107, 124, 125, 134, 135, 136, 147, 156, 157, 257, 262, 263, 264, 265, 345, 475, 476, 499, 500, 508, 511})).Draw(t, "at")
	odd := rapid.SampledFrom([]string{"\x00", " ", "0", "7", "8", "x", "/", "\n", "\xff", "\x80", "5", "tar\x00", "1 2", "ustar  \x00", "ustar\x0001"}).Draw(t, "odd")
	copy(h[at:], odd)
	if rapid.IntRange(0, 3).Draw(t, "mend") > 0 {
		archivetest.FixSum(h)
	}
}

// drawTarPart draws an entry with what may stand before it.
func drawTarPart(t *rapid.T) []archivetest.Member {
	n := rapid.IntRange(0, 1<<20).Draw(t, "number")
	m := archivetest.File(fmt.Sprintf("package/f%d", n), rapid.SampledFrom([]string{"", "x", strings.Repeat("y", 512), strings.Repeat("z", 700), hiddenMember}).Draw(t, "body"))
	var before []archivetest.Member
	switch rapid.SampledFrom([]string{"plain", "prefix", "pax", "long", "field", "flag", "name"}).Draw(t, "kind") {
	case "prefix":
		m.Name = strings.TrimPrefix(m.Name, "package/")
		m.Prefix = "package/" + rapid.SampledFrom([]string{"p", "p\x00", strings.Repeat("q", 122), strings.Repeat("q", 123), strings.Repeat("r", 130), "p\x00\n/x"}).Draw(t, "prefix")
		if rapid.Bool().Draw(t, "full") {
			m.Name = "package/" + m.Name
		}
		m.Magic = rapid.SampledFrom([]string{"", "", "ustar\x0000", "ustar  \x00", "ustar\x00  ", "ustar\x0001", "\x00\x00\x00\x00\x00\x00\x00\x00"}).Draw(t, "magic")
		m.Star = rapid.SampledFrom([]string{"", "", "tar\x00"}).Draw(t, "star")
		before = drawExtensions(t, n)
	case "pax", "long":
		before = drawExtensions(t, n)
	case "field":
		m.Size = rapid.SampledFrom([]string{"%011o ", "%012o", "%o", "%11o", " %010o ", "\x00%010o", "%06o\x00%03o", "%010o \x00", "0o%o", "+%o", "%o.0", "-%o", "%o_0"}).Draw(t, "size")
		m.Size = strings.ReplaceAll(fmt.Sprintf(m.Size+"%.0s", len(m.Body), len(m.Body)), "%!(EXTRA", "")
		m.Mode = rapid.SampledFrom([]string{"", "644 ", "\x00\x00644", "00100644", "0644\x00\x00\x009"}).Draw(t, "mode")
	case "flag":
		m.Flag = rapid.SampledFrom([]byte{0, '0', '7', '5', '1', 'S', 'V', 'x', 'A', '8'}).Draw(t, "flag")
		m.Name += rapid.SampledFrom([]string{"", "/"}).Draw(t, "slash")
	case "name":
		m.Name += rapid.SampledFrom([]string{"\x00junk", "\x00\n/two", "\x00\x00z", "\ny"}).Draw(t, "rest")
	}
	return append(before, m)
}

// hiddenMember is a whole entry inside the content of another one.
var hiddenMember = string(archivetest.Tar(archivetest.File("package/hidden", "x")))

// drawExtensions draws PAX and GNU headers for entry n.
func drawExtensions(t *rapid.T, n int) []archivetest.Member {
	other := fmt.Sprintf("package/o%d", n)
	record := rapid.SampledFrom([]string{
		archivetest.Record("path", other), archivetest.Record("path", other+"\x00x"), archivetest.Record("path", other+"/"),
		archivetest.Record("comment", "x\n"+archivetest.Record("path", "package/sly")), archivetest.Record("VENDOR.note", "two\nlines\n"),
		archivetest.Record("VENDOR.raw", "\x00\xff\n7 é=x"), archivetest.Record("size", "512"), archivetest.Record("size", "1"), archivetest.Record("size", "00"),
		archivetest.Record("SCHILY.realsize", "1"), archivetest.Record("GNU.sparse.realsize", "1"), archivetest.Record("GNU.sparse.name", "package/sparse"),
		archivetest.Record("GNU.volume.size", "1"), archivetest.Record("GNU.volume.offset", "1"), archivetest.Record("type", "Directory"), archivetest.Record("type", "5"),
		archivetest.Record("mode", "493"), archivetest.Record("linkpath", "package/l"), archivetest.Record("hdrcharset", "BINARY"), archivetest.Record("mtime", "1.5"),
		archivetest.Record("ignore", "true"), archivetest.Record("remain", "0"), archivetest.Record("PATH", other), archivetest.Record("path ", other),
		"0" + archivetest.Record("path", other), " " + archivetest.Record("path", other), archivetest.Record("path", other) + "\x00\x00",
	})
	var out []archivetest.Member
	for range rapid.IntRange(0, 2).Draw(t, "extensions") {
		switch rapid.SampledFrom([]string{"x", "x", "g", "L", "K"}).Draw(t, "extension") {
		case "x":
			out = append(out, archivetest.PAX('x', strings.Join(rapid.SliceOfN(record, 1, 2).Draw(t, "records"), "")))
		case "g":
			out = append(out, archivetest.PAX('g', record.Draw(t, "record")))
		case "L":
			m := archivetest.LongName(other + rapid.SampledFrom([]string{"", "\x00", "/", "\n"}).Draw(t, "end"))
			out = append(out, m)
		case "K":
			m := archivetest.LongName("package/link")
			m.Flag = 'K'
			out = append(out, m)
		}
	}
	return out
}
