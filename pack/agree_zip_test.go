package pack_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/wuu-plugins/wuu/internal/archive/archivetest"
	"github.com/wuu-plugins/wuu/pack"
	"pgregory.net/rapid"
)

// TestReadersAgreeOnZips: a zip of Go's writer, stored or deflated, streamed
// or with sizes in its headers, is the same files to every reader.
func TestReadersAgreeOnZips(t *testing.T) {
	a := newAgreement(t)
	rapid.Check(t, func(t *rapid.T) {
		var buf bytes.Buffer
		zw := zip.NewWriter(&buf)
		for path, body := range drawSound(t) {
			h := &zip.FileHeader{Name: path, Method: rapid.SampledFrom([]uint16{zip.Store, zip.Deflate}).Draw(t, "method")}
			h.SetMode(0o644)
			if rapid.Bool().Draw(t, "raw") {
				h.Method = zip.Store
				z := archivetest.ZipEntry{Name: path, Body: body}
				h.CRC32, h.UncompressedSize64, h.CompressedSize64 = z.Sum(), uint64(len(body)), uint64(len(body))
				w, err := zw.CreateRaw(h)
				must(t, err)
				_, err = w.Write([]byte(body))
				must(t, err)
				continue
			}
			w, err := zw.CreateHeader(h)
			must(t, err)
			_, err = w.Write([]byte(body))
			must(t, err)
		}
		must(t, zw.Close())
		a.check(t, buf.Bytes(), pack.Zip, true)
	})
	a.done(t, "zip")
}

// TestNoZipIsTwoThings: whatever zip is accepted, with parts that readers are
// known to understand differently and with changed bytes, every other reader
// that accepts it finds the same files in it.
func TestNoZipIsTwoThings(t *testing.T) {
	a := newAgreement(t)
	rapid.Check(t, func(t *rapid.T) {
		entries := []archivetest.ZipEntry{{Name: "plugin.json", Body: plugin}, {Name: "package.json", Body: npm, Deflated: true}}
		for range rapid.IntRange(1, 4).Draw(t, "parts") {
			entries = append(entries, drawZipPart(t))
		}
		data := archivetest.Zip(drawZipTail(t), entries...)
		for range rapid.SampledFrom([]int{0, 0, 0, 1, 2}).Draw(t, "changes") {
			changeZip(t, data)
		}
		a.check(t, data, pack.Zip, false)
	})
	a.done(t, "zip")
}

// drawZipTail draws what stands at the end of a zip.
func drawZipTail(t *rapid.T) func(dir, end []byte) ([]byte, []byte) {
	inner := string(archivetest.Zip(nil, archivetest.ZipEntry{Name: "inner", Body: "x"}))
	switch rapid.SampledFrom([]string{"", "", "", "", "comment", "zip", "end", "locator", "trailing"}).Draw(t, "tail") {
	case "comment":
		return archivetest.Comment("a comment")
	case "zip":
		return archivetest.Comment(inner)
	case "end":
		return archivetest.Comment(inner[len(inner)-22:])
	case "locator":
		return func(dir, end []byte) ([]byte, []byte) {
			return append(dir, "PK\x06\x07"+strings.Repeat("\x00", 16)...), end
		}
	case "trailing":
		return archivetest.PatchEnd(func(end []byte) []byte { return append(end, "\x00\n"...) })
	}
	return nil
}

// changeZip writes odd bytes into a header or the end record.
func changeZip(t *rapid.T, data []byte) {
	var places []int
	for at := 0; at+4 <= len(data); at++ {
		switch string(data[at : at+4]) {
		case "PK\x01\x02", "PK\x03\x04", "PK\x05\x06":
			places = append(places, at)
		}
	}
	at := places[rapid.IntRange(0, len(places)-1).Draw(t, "record")] + rapid.IntRange(4, 48).Draw(t, "at")
	odd := rapid.SampledFrom([]string{"\x00", "\x01", "\x08", "\x10", "\x20", "\x40", "\x03", "\xff", "\xff\xff\xff\xff", "/", "\xa0", "\x41"}).Draw(t, "odd")
	if at < len(data) {
		copy(data[at:], odd)
	}
}

// drawZipPart draws an entry.
func drawZipPart(t *rapid.T) archivetest.ZipEntry {
	n := rapid.IntRange(0, 1<<20).Draw(t, "number")
	z := archivetest.ZipEntry{Name: fmt.Sprintf("f%d", n), Deflated: rapid.Bool().Draw(t, "deflated")}
	z.Body = rapid.SampledFrom([]string{"", "x", strings.Repeat("yes ", 300), string(archivetest.Zip(nil, archivetest.ZipEntry{Name: "hidden", Body: "h"}))}).Draw(t, "body")
	other := fmt.Sprintf("o%d", n)
	switch rapid.SampledFrom([]string{"plain", "extra", "kind", "streamed", "name", "local"}).Draw(t, "kind") {
	case "extra":
		extra := rapid.SampledFrom([][]byte{
			archivetest.UnicodePath(z.Name, z.Name), archivetest.UnicodePath(z.Name, other), archivetest.UnicodePath("x", other),
			archivetest.Extra(1, make([]byte, 16)), archivetest.Extra(1, bytes.Repeat([]byte{1}, 28)), archivetest.Extra(0x5455, []byte("\x01\x00\x00\x00\x00")),
			archivetest.Extra(0x756e, []byte("\x00\x00\x00\x00\xff\xa1\x00\x00\x00\x00\x00\x00\x00\x00")), archivetest.Extra(0x9901, []byte("\x02\x00AE\x03\x00\x00")),
			archivetest.Extra(0x0008, []byte(other)), archivetest.Extra(0x6375, []byte("x")), {1, 0, 200, 0}, {9},
		})
		z.Extra = bytes.Join(rapid.SliceOfN(extra, 1, 3).Draw(t, "extras"), nil)
	case "kind":
		z.Creator = rapid.SampledFrom([]uint16{20, 3<<8 | 20, 5<<8 | 20, 7<<8 | 20, 10<<8 | 20, 11<<8 | 63, 14<<8 | 20, 16<<8 | 20, 19<<8 | 20, 30<<8 | 20}).Draw(t, "creator")
		z.Mode = rapid.SampledFrom([]uint32{0o100644, 0o040755, 0o120777, 0o020644, 0o010644, 0o644, 0o170000}).Draw(t, "mode")
		z.Name += rapid.SampledFrom([]string{"", "", "/"}).Draw(t, "slash")
		attr := rapid.SampledFrom([]byte{0, 0x10, 0x20, 0x08, 0x01}).Draw(t, "attr")
		z.Patch = func(_, central []byte) { central[38] = attr }
		if rapid.Bool().Draw(t, "empty") {
			z.Body = ""
		}
	case "streamed":
		z.Deflated = false
		z.Descriptor = rapid.SampledFrom([][]byte{
			archivetest.Descriptor(true, z.Body, 0), archivetest.Descriptor(false, z.Body, 0), archivetest.Descriptor(true, z.Body, 1),
			append([]byte("PK\x07\x08"), archivetest.Descriptor(true, z.Body, 0)...), {},
		}).Draw(t, "descriptor")
	case "name":
		z.Name += rapid.SampledFrom([]string{"\x00x", "é", "\xe9", "\n", ":x", "\\x"}).Draw(t, "rest")
		z.Bytes = rapid.Bool().Draw(t, "bytes")
	case "local":
		z.Local = other
	}
	return z
}
