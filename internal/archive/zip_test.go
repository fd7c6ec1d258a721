package archive_test

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/wuu-plugins/wuu/internal/archive"
	"github.com/wuu-plugins/wuu/internal/archive/archivetest"
)

func unicodeExtra(name string) []byte {
	b := binary.LittleEndian.AppendUint16([]byte("up"), uint16(5+len(name)))
	return append(append(b, 1, 0, 0, 0, 0), name...)
}

func TestZip(t *testing.T) {
	a, b := zentry{Name: "a", Body: "one"}, zentry{Name: "b", Body: strings.Repeat("two", 100), Deflated: true}
	comment := func(text string) func(dir, end []byte) ([]byte, []byte) {
		return func(dir, end []byte) ([]byte, []byte) {
			end[20] = byte(len(text))
			return dir, append(end, text...)
		}
	}
	patchEnd := func(f func(end []byte) []byte) func(dir, end []byte) ([]byte, []byte) {
		return func(dir, end []byte) ([]byte, []byte) { return dir, f(end) }
	}
	with := func(z zentry, change func(*zentry)) zentry { change(&z); return z }
	nested := string(zipOf(nil, a))
	tests := []struct {
		name  string
		data  []byte
		codes []string
		read  int // entries whose content could be read
	}{
		{"sound", zipOf(nil, a, b), nil, 2},
		{"empty", zipOf(nil), nil, 0},
		{"folder", zipOf(nil, zentry{Name: "d/", Mode: 0o040755}, a), nil, 2},
		{"comment", zipOf(comment("hi"), a), []string{"(ZIP_COMMENT)"}, 1},
		{"signed descriptor", zipOf(nil, with(a, func(z *zentry) { z.Descriptor = descriptor(true, "one", 0) }), b), nil, 2},
		{"plain descriptor", zipOf(nil, b, with(a, func(z *zentry) { z.Descriptor = descriptor(false, "one", 0) })), nil, 2},
		{"Unicode extra, same name", zipOf(nil, with(a, func(z *zentry) { z.Extra = unicodeExtra("a") })), nil, 1},
		{"zip inside a zip", zipOf(nil, zentry{Name: "in.zip", Body: nested}), nil, 1},

		{"tgz instead", tgzOf(file("a", "")), []string{"ARCHIVE_TYPE"}, 0},
		{"tar instead", tarOf(file("a", ""), endMarker), []string{"ARCHIVE_TYPE"}, 0},
		{"text", []byte("hello"), []string{"ZIP_EOCD"}, 0},
		{"nothing", nil, []string{"ZIP_EOCD"}, 0},
		{"cut off", cut(zipOf(nil, a, b), 30), []string{"ZIP_EOCD"}, 0},
		{"cut in the comment", cut(zipOf(comment("hello"), a), 2), []string{"ARCHIVE_TRUNCATED"}, 0},
		{"data after the end", append(zipOf(nil, a), "signature"...), []string{"ZIP_TRAILING"}, 0},
		{"data in front", zipOf(nil, with(a, func(z *zentry) { z.Before = []byte("#!/bin/sh\n") }), b), []string{"ZIP_PREFIX"}, 2},
		{"data in front, offsets not moved", append([]byte("#!/bin/sh\n"), zipOf(nil, a, b)...), []string{"ZIP_PREFIX"}, 0},
		{"gap between entries", zipOf(nil, with(a, func(z *zentry) { z.After = []byte("gap") }), b), []string{"ZIP_GAP"}, 2},
		{"gap before the directory", zipOf(nil, a, with(b, func(z *zentry) { z.After = []byte("gap") })), []string{"ZIP_GAP"}, 2},
		{"gap after the directory", zipOf(func(dir, end []byte) ([]byte, []byte) { return append(dir, "gap"...), end }, a), []string{"ZIP_GAP"}, 0},
		{"two end records", zipOf(patchEnd(func(end []byte) []byte {
			end[20] = 22
			second := slices.Clone(end)
			second[20] = 0
			return append(end, second...)
		}), a), []string{"ZIP_EOCD"}, 0},
		{"end record in the comment", zipOf(comment("PK\x05\x06 and more than twenty-two bytes"), a), []string{"ZIP_EOCD"}, 0},
		{"count too high", zipOf(patchEnd(func(end []byte) []byte { end[8], end[10] = 3, 3; return end }), a, b), []string{"ZIP_EOCD"}, 0},
		{"count too low", zipOf(patchEnd(func(end []byte) []byte { end[8], end[10] = 1, 1; return end }), a, b), []string{"ZIP_EOCD"}, 0},
		{"second disk", zipOf(patchEnd(func(end []byte) []byte { end[4] = 1; return end }), a), []string{"ZIP_EOCD"}, 0},
		{"directory outside", zipOf(patchEnd(func(end []byte) []byte { end[16] += 50; return end }), a), []string{"ZIP_EOCD"}, 0},
		{"directory damaged", zipOf(func(dir, end []byte) ([]byte, []byte) { dir[0] = 'X'; return dir, end }, a), []string{"ZIP_EOCD"}, 0},
		{"64-bit end", zipOf(patchEnd(func(end []byte) []byte { copy(end[8:], "\xff\xff\xff\xff"); return end }), a), []string{"ZIP_ZIP64"}, 0},
		{"64-bit entry", zipOf(nil, with(a, func(z *zentry) {
			z.Patch = func(_, c []byte) { copy(c[24:], "\xff\xff\xff\xff") }
		})), []string{"ZIP_ZIP64"}, 0},
		{"encrypted", zipOf(nil, with(a, func(z *zentry) { z.Flags = 1 }), b), []string{"ZIP_ENCRYPTED"}, 1},
		{"method", zipOf(nil, with(a, func(z *zentry) { z.Method = 14 }), b), []string{"ZIP_METHOD"}, 1},
		{"method only central", zipOf(nil, with(a, func(z *zentry) { z.Patch = func(_, c []byte) { c[10] = 14 } }), b), []string{"ZIP_METHOD"}, 1},
		{"method differs", zipOf(nil, with(a, func(z *zentry) { z.Patch = func(l, _ []byte) { l[8] = 8 } }), b), []string{"ZIP_HEADER_MISMATCH"}, 1},
		{"name differs", zipOf(nil, with(a, func(z *zentry) { z.Local = "x" }), b), []string{"ZIP_HEADER_MISMATCH"}, 1},
		{"shorter name", zipOf(nil, with(zentry{Name: "longer", Body: "x"}, func(z *zentry) { z.Local = "x" }), b), []string{"ZIP_HEADER_MISMATCH"}, 1},
		{"size differs", zipOf(nil, with(b, func(z *zentry) { z.Patch = func(l, _ []byte) { l[22]++ } }), a), []string{"ZIP_HEADER_MISMATCH"}, 1},
		{"flags differ", zipOf(nil, with(a, func(z *zentry) { z.Patch = func(l, _ []byte) { l[6] = 8 } }), b), []string{"ZIP_HEADER_MISMATCH"}, 1},
		{"checksum differs", zipOf(nil, with(a, func(z *zentry) { z.Patch = func(l, _ []byte) { l[14]++ } }), b), []string{"ZIP_HEADER_MISMATCH"}, 1},
		{"no local header", zipOf(nil, with(a, func(z *zentry) { z.Patch = func(l, _ []byte) { l[0] = 'X' } }), b), []string{"ZIP_HEADER_MISMATCH"}, 1},
		{"wrong checksum", zipOf(nil, with(a, func(z *zentry) { z.CRC = 7 }), b), []string{"ZIP_CRC"}, 1},
		{"stored sizes differ", zipOf(nil, with(a, func(z *zentry) { z.Size = 9 }), b), []string{"ZIP_SIZE"}, 1},
		{"content shorter", zipOf(nil, with(b, func(z *zentry) { z.Size = 400 }), a), []string{"ZIP_SIZE"}, 1},
		{"content longer", zipOf(nil, with(b, func(z *zentry) { z.Size = 200 }), a), []string{"ZIP_SIZE"}, 1},
		{"data after the deflate end", zipOf(nil, zentry{Name: "x", Method: 8, Packed: append([]byte{3, 0}, "hidden"...)}, a), []string{"ZIP_SIZE"}, 1},
		{"damaged deflate", zipOf(nil, zentry{Name: "x", Method: 8, Packed: []byte{7, 7, 7}, Body: "x"}, a), []string{"ZIP_DATA"}, 1},
		{"cut deflate", zipOf(nil, zentry{Name: "x", Method: 8, Packed: []byte{}, Body: "x"}, a), []string{"ZIP_DATA"}, 1},
		{"descriptor lies", zipOf(nil, with(a, func(z *zentry) { z.Descriptor = descriptor(true, "one", 1) }), b), []string{"ZIP_DESCRIPTOR"}, 1},
		{"descriptor missing", zipOf(nil, with(a, func(z *zentry) { z.Descriptor = []byte{} }), b), []string{"ZIP_DESCRIPTOR"}, 1},
		{"descriptor of another length", zipOf(nil, with(a, func(z *zentry) { z.Descriptor = make([]byte, 24) }), b), []string{"ZIP_DESCRIPTOR"}, 1},
		{"overlap", zipOf(nil, a, with(b, func(z *zentry) { z.Patch = func(_, c []byte) { copy(c[42:], "\x00\x00\x00\x00") } })), []string{"ZIP_OVERLAP"}, 0},
		{"reaches into the directory", zipOf(nil, with(a, func(z *zentry) {
			z.Patch = func(l, c []byte) { l[18], l[22], c[20], c[24] = 90, 90, 90, 90 }
		})), []string{"ZIP_OVERLAP"}, 0},
		{"reaches into the next", zipOf(nil, with(a, func(z *zentry) {
			z.Patch = func(l, c []byte) { l[18], l[22], c[20], c[24] = 4, 4, 4, 4 }
		}), b), []string{"ZIP_OVERLAP"}, 1},
		{"Unicode extra, second of two", zipOf(nil, with(a, func(z *zentry) {
			z.Extra = append(archivetest.UnicodePath("a", "a"), archivetest.UnicodePath("a", "z")...)
		}), b), []string{"ZIP_EXTRA_NAME"}, 1},
		{"folder by its Unix mode alone", zipOf(nil, zentry{Name: "d", Mode: 0o040755}, a), []string{"ENTRY_FILE_DIR_CONFLICT"}, 1},
		{"folder by its DOS attribute alone", zipOf(nil, with(a, func(z *zentry) { z.Patch = func(_, c []byte) { c[38] = 0x10 } }), b), []string{"ENTRY_FILE_DIR_CONFLICT"}, 1},
		{"Unicode extra, other name", zipOf(nil, with(a, func(z *zentry) { z.Extra = unicodeExtra("plugin2.json") }), b), []string{"ZIP_EXTRA_NAME"}, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := read(t, tt.data, archive.Options{Format: archive.Zip})
			if !slices.Equal(g.codes, tt.codes) {
				t.Errorf("codes %v, want %v", g.codes, tt.codes)
			}
			if len(g.content) != tt.read {
				t.Errorf("%d entries were read, want %d", len(g.content), tt.read)
			}
		})
	}
}

func TestZipKindsAndModes(t *testing.T) {
	tests := []struct {
		name    string
		mode    uint32
		creator uint16
		want    archive.Kind
		hasMode bool
	}{
		{"f", 0o100755, 0, archive.File, true},
		{"f", 0o755, 0, archive.File, true},
		{"d/", 0o040755, 0, archive.Dir, true},
		{"d/", 0o100644, 0, archive.Dir, true},
		{"l", 0o120777, 0, archive.Link, true},
		{"l/", 0o120777, 0, archive.Link, true},
		{"c", 0o020644, 0, archive.Special, true},
		{"b", 0o060644, 0, archive.Special, true},
		{"p", 0o010644, 0, archive.Special, true},
		{"s", 0o140644, 0, archive.Special, true},
		{"u", 0o170644, 0, archive.Special, true},
		{"dos", 0o100755, 20, archive.File, false},
		{"dos", 0, 20, archive.File, false},
		{"a link of a system that unzip believes", 0o120777, 5<<8 | 20, archive.Link, false},
		{"a link made on DOS", 0o120777, 20, archive.Link, false},
		{"mac", 0o100755, 19<<8 | 20, archive.File, true},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%s %o", tt.name, tt.mode), func(t *testing.T) {
			g := read(t, zipOf(nil, zentry{Name: tt.name, Mode: tt.mode, Creator: tt.creator}), archive.Options{})
			if len(g.codes) != 0 || len(g.entries) != 1 {
				t.Fatalf("codes %v, entries %v", g.codes, g.entries)
			}
			e := g.entries[0]
			if e.Kind != tt.want || e.HasMode != tt.hasMode || e.HasMode && e.Mode != tt.mode&0o7777 {
				t.Errorf("entry %+v", e)
			}
		})
	}
}

func TestZipLabelIsNoFile(t *testing.T) {
	label := zentry{Name: "x", Body: "y", Creator: 20, Patch: func(_, c []byte) { c[38] = 0x08 }}
	g := read(t, zipOf(nil, label), archive.Options{})
	if len(g.entries) != 1 || g.entries[0].Kind != archive.Special || g.entries[0].Detail == "" {
		t.Errorf("entries %+v", g.entries)
	}
}

func TestZipLimits(t *testing.T) {
	big := strings.Repeat("x", 3<<20)
	many := make([]zentry, 101)
	for i := range many {
		many[i] = zentry{Name: fmt.Sprint(i)}
	}
	tests := []struct {
		name string
		data []byte
		l    archive.Limits
		want string
	}{
		{"archive", zipOf(nil, zentry{Name: "a"}), archive.Limits{Archive: 10, Unpacked: 1 << 20, Entries: 10, Ratio: 200}, "LIMIT_ARCHIVE"},
		{"ratio", zipOf(nil, zentry{Name: "a", Body: big, Deflated: true}), limits, "LIMIT_RATIO"},
		{"unpacked", zipOf(nil, zentry{Name: "a", Body: big, Deflated: true}), archive.Limits{Archive: 1 << 20, Unpacked: 2 << 20, Entries: 10, Ratio: 1 << 40}, "LIMIT_UNPACKED"},
		{"entries", zipOf(nil, many...), limits, "LIMIT_ENTRIES"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := read(t, tt.data, archive.Options{Limits: tt.l})
			if !slices.Equal(g.codes, []string{tt.want}) {
				t.Errorf("codes %v, want %s", g.codes, tt.want)
			}
		})
	}
}

func TestZipNames(t *testing.T) {
	long := strings.Repeat("n", 5000)
	g := read(t, zipOf(nil, zentry{Name: long, Body: "x"}, zentry{Name: "b"}), archive.Options{})
	if !slices.Equal(g.codes, []string{"PATH_TOO_LONG"}) || len(g.entries) != 2 || len(g.content) != 1 {
		t.Errorf("a name of 5,000 bytes: %v, %d entries, %d read", g.codes, len(g.entries), len(g.content))
	}
}
