package archive_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/wuu-plugins/wuu/internal/archive"
)

// fuzzLimits bound what one input may cost.
var fuzzLimits = archive.Limits{Archive: 1 << 20, Unpacked: 2 << 20, Entries: 64, Ratio: 200}

// FuzzTar feeds raw tars. A run stays within its budget of bytes read and
// memory (withinBudget), as in the other targets. What is accepted must be what the standard library
// reads from the same bytes, wherever it accepts them at all.
func FuzzTar(f *testing.F) {
	f.Add(tarOf(file("package/a", "one"), endMarker))
	f.Add(tarOf(pax('x', "18 path=package/z\n"), file("a", "x"), endMarker))
	f.Add(tarOf(member{Name: "l", Flag: 'L', Body: "long\x00"}, file("a", "x"), member{Name: "d/", Flag: '5'}, endMarker))
	f.Add(tarOf(member{Name: "x", Prefix: "p", Star: "tar\x00", Flag: '0'}, member{Name: "v7", Magic: "        "}))
	f.Add(tarOf(pax('g', "15 comment=abc\n"), pax('x', "9 size=3\n"), file("a", "abc"), endMarker))
	f.Fuzz(func(t *testing.T, data []byte) {
		data = fixSums(data)
		withinBudget(t, gzStored(data), archive.Options{Format: archive.TGZ, Limits: fuzzLimits})
		g := read(t, gzStored(data), archive.Options{Format: archive.TGZ, Limits: fuzzLimits})
		if refused(g) {
			return
		}
		r := tar.NewReader(bytes.NewReader(data))
		for i := 0; ; i++ {
			h, err := r.Next()
			if err == io.EOF {
				if i != len(g.entries) {
					t.Fatalf("%d entries, archive/tar reads %d", len(g.entries), i)
				}
				return
			}
			if err != nil {
				return // it looks at fields that do not matter here
			}
			if h.Typeflag == tar.TypeXGlobalHeader {
				i--
				continue
			}
			if i >= len(g.entries) {
				t.Fatalf("archive/tar reads one more: %q", h.Name)
			}
			e := g.entries[i]
			if e.Kind > archive.Dir {
				return // bodies of special entries are skipped differently; pack refuses them
			}
			if e.Kind == archive.Dir {
				if e.Size > 0 {
					return
				}
				h.Name = strings.TrimSuffix(h.Name, "/")
			}
			body, err := io.ReadAll(r)
			if err != nil || e.Name != h.Name || g.content[i] != string(body) {
				t.Fatalf("entry %d is %q with %q, archive/tar reads %q with %q (%v)", i, e.Name, g.content[i], h.Name, body, err)
			}
		}
	})
}

// fixSums gives every block that looks like a header a right checksum, so that
// mutations reach what is behind it.
func fixSums(data []byte) []byte {
	data = bytes.Clone(data)
	for at := 0; at+512 <= len(data); at += 512 {
		b := data[at : at+512]
		if string(b[257:262]) != "ustar" {
			continue
		}
		copy(b[148:156], "        ")
		sum := 0
		for _, c := range b {
			sum += int(c)
		}
		copy(b[148:], fmt.Sprintf("%06o\x00 ", sum))
	}
	return data
}

// FuzzTGZ feeds raw gzip files: nothing may panic or hang, and what is
// accepted must decompress with the standard library.
func FuzzTGZ(f *testing.F) {
	f.Add(tgzOf(file("package/a", "one")))
	f.Add(append(tgzOf(file("a", "x")), 0, 0, 0))
	f.Add(slices.Concat(tgzOf(), tgzOf()))
	f.Fuzz(func(t *testing.T, data []byte) {
		withinBudget(t, data, archive.Options{Format: archive.TGZ, Limits: fuzzLimits})
		g := read(t, data, archive.Options{Format: archive.TGZ, Limits: fuzzLimits})
		if refused(g) {
			return
		}
		zr, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		zr.Multistream(false)
		if _, err := io.Copy(io.Discard, zr); err != nil {
			t.Fatalf("accepted, but compress/gzip says %v", err)
		}
	})
}

// FuzzZip compares what is accepted with archive/zip.
func FuzzZip(f *testing.F) {
	f.Add(zipOf(nil, zentry{Name: "a", Body: "one"}, zentry{Name: "b", Body: strings.Repeat("two", 40), Deflated: true}))
	f.Add(zipOf(nil, zentry{Name: "d/", Mode: 0o040755}, zentry{Name: "d/s", Body: "x", Descriptor: descriptor(true, "x", 0)}))
	f.Add(zipOf(nil, zentry{Name: "e", Extra: unicodeExtra("e")}))
	f.Add(zipOf(nil))
	f.Fuzz(func(t *testing.T, data []byte) {
		withinBudget(t, data, archive.Options{Format: archive.Zip, Limits: fuzzLimits})
		g := read(t, data, archive.Options{Format: archive.Zip, Limits: fuzzLimits})
		if refused(g) {
			return
		}
		zr, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
		if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
			t.Fatalf("accepted, but archive/zip says %v", err)
		}
		if len(zr.File) != len(g.entries) {
			t.Fatalf("%d entries, archive/zip reads %d", len(g.entries), len(zr.File))
		}
		want := map[string][]string{}
		for _, zf := range zr.File {
			name := strings.TrimSuffix(zf.Name, "/")
			if strings.HasSuffix(zf.Name, "/") && zf.UncompressedSize64 > 0 {
				return // pack refuses it
			}
			rc, err := zf.Open()
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(rc)
			if err != nil {
				t.Fatalf("%q is accepted, but archive/zip says %v", zf.Name, err)
			}
			want[name] = append(want[name], string(body))
		}
		for i, e := range g.entries {
			if !slices.Contains(want[strings.TrimSuffix(e.Name, "/")], g.content[i]) {
				t.Fatalf("entry %q has %q, archive/zip reads %q", e.Name, g.content[i], want[e.Name])
			}
		}
	})
}

func refused(g got) bool {
	return slices.ContainsFunc(g.codes, func(c string) bool { return c[0] != '(' })
}

// failing is a reader whose disk breaks after some bytes.
type failing struct {
	data []byte
	at   int64
}

var errDisk = errors.New("disk broke")

func (f failing) ReadAt(p []byte, off int64) (int, error) {
	if off+int64(len(p)) > f.at {
		return 0, errDisk
	}
	return bytes.NewReader(f.data).ReadAt(p, off)
}

// TestReadErrorIsNoRefusal makes every read position fail: the error of the
// disk must come out, and no report blame the archive.
func TestReadErrorIsNoRefusal(t *testing.T) {
	body := strings.Repeat("some text that is long enough ", 40)
	for name, data := range map[string][]byte{
		"tgz": tgzOf(file("a", body), file("b", body)),
		"zip": zipOf(nil, zentry{Name: "a", Body: body, Deflated: true}, zentry{Name: "b", Body: body}),
	} {
		for at := range len(data) {
			r, err := archive.Open(failing{data, int64(at)}, int64(len(data)), archive.Options{Limits: limits, Report: func(p archive.Problem) {
				t.Errorf("%s broken at %d: report %+v", name, at, p)
			}})
			for err == nil {
				if _, err = r.Next(); err == nil {
					_, err = io.Copy(io.Discard, r)
				}
			}
			if !errors.Is(err, errDisk) {
				t.Errorf("%s broken at %d: error %v", name, at, err)
			}
		}
	}
}
