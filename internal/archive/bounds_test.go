package archive_test

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/wuu-plugins/wuu/internal/archive"
	"github.com/wuu-plugins/wuu/internal/archive/archivetest"
)

// The bounds of one run. An archive may be read three times over (its end, its
// directory, its content) and a little; everything else grows with the bytes
// that come out of it, of which the limits allow only so many.
const (
	readsPerByte  = 3
	readsBase     = 512 << 10
	allocsPerByte = 8
	allocsBase    = 2 << 20
)

// counted counts what is read of an archive.
type counted struct {
	data  []byte
	bytes int64
}

func (c *counted) ReadAt(p []byte, off int64) (int, error) {
	n, err := bytes.NewReader(c.data).ReadAt(p, off)
	c.bytes += int64(n)
	return n, err
}

// run is what one pass over an archive cost.
type run struct {
	reads, content    int64
	allocated         uint64
	problems, entries int
}

// measure reads an archive to its end with one small buffer.
func measure(t testing.TB, data []byte, o archive.Options) run {
	t.Helper()
	var r run
	in := &counted{data: data}
	buf := make([]byte, 32<<10)
	o.Report = func(archive.Problem) { r.problems++ }
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	ar, err := archive.Open(in, int64(len(data)), o)
	for err == nil {
		if _, err = ar.Next(); err != nil {
			break
		}
		r.entries++
		for err == nil {
			var n int
			n, err = ar.Read(buf)
			r.content += int64(n)
		}
		if err == io.EOF || errors.Is(err, archive.ErrRefused) {
			err = nil
		}
	}
	runtime.ReadMemStats(&after)
	if err != io.EOF && !errors.Is(err, archive.ErrRefused) {
		t.Fatal(err)
	}
	r.reads, r.allocated = in.bytes, after.TotalAlloc-before.TotalAlloc
	return r
}

// withinBudget fails when a run reads, allocates or returns more than an
// archive of that size may cost.
func withinBudget(t testing.TB, data []byte, o archive.Options) run {
	t.Helper()
	r := measure(t, data, o)
	size := int64(len(data))
	content, _ := o.Limits.Content(size)
	if most := readsPerByte*size + readsBase; r.reads > most {
		t.Errorf("%d bytes were read of an archive of %d, at most %d may be", r.reads, size, most)
	}
	// A tarball also holds headers and padding: bounded, but not content.
	out := content
	if unpacked := int64(o.Limits.Entries)*8*512 + 2<<20; o.Format != archive.Zip {
		out += unpacked
	}
	if most := uint64(allocsBase + allocsPerByte*min(out, 1100*size)); r.allocated > most { // DEFLATE makes at most 1,032 bytes of one
		t.Errorf("%d bytes were allocated for an archive of %d, at most %d may be", r.allocated, size, most)
	}
	if r.content > content || r.entries > o.Limits.Entries {
		t.Errorf("%d bytes in %d entries came out; the limits are %d and %d", r.content, r.entries, content, o.Limits.Entries)
	}
	if r.problems > 4*(r.entries+2)+int(min(size/40, int64(o.Limits.Entries))) {
		t.Errorf("%d problems with %d entries", r.problems, r.entries)
	}
	return r
}

// TestHostileCosts: archives made to be dear cost no more than their size
// allows. The content of a file is never opened as an archive.
func TestHostileCosts(t *testing.T) {
	wide := archive.Limits{Archive: 128 << 20, Unpacked: 512 << 20, Entries: 10_000, Ratio: 200}
	tests := []struct {
		name    string
		data    []byte
		refused bool
		entries int // that come out; -1 does not matter
	}{
		{"zips inside zips", nestedZips(6), false, 16},
		{"zip of a zip of zeros", zipOf(nil, zentry{Name: "a.zip", Body: string(zipOf(nil, zentry{Name: "0", Body: strings.Repeat("\x00", 40<<20), Deflated: true}))}), false, 1},
		{"zeros in a zip", zipOf(nil, zentry{Name: "0", Body: strings.Repeat("\x00", 40<<20), Deflated: true}), true, -1},
		{"zeros in a tarball", tgzOf(file("package/0", strings.Repeat("\x00", 40<<20))), true, -1},
		{"zeros behind the end of a tar", gz(make([]byte, 200<<20)), true, -1},
		{"10,001 entries in a zip", zipOf(nil, manyEntries(10_001)...), true, 0},
		{"10,001 entries in a tarball", tgzOf(manyMembers(10_001)), true, 10_000},
		{"a hundred thousand PAX headers", tgzOf(bytes.Repeat(tarOf(pax('g', "15 comment=abc\n")), 100_000), file("package/x", "")), true, 0},
		{"two extensions for each of many entries", tgzOf(bytes.Repeat(tarOf(pax('x', archivetest.Record("comment", strings.Repeat("c", 60<<10))), file("package/x", "")), 2_000)), true, -1},
		{"broken local headers", zipOf(nil, brokenEntries(9_000)...), true, 9_000},
		{"local names of 64 KiB", zipOf(nil, longLocals(5_000)...), true, 5_000},
		{"names of 64 KiB", zipOf(nil, longNames(200)...), true, 200},
		{"descriptors everywhere", zipOf(nil, streamedEntries(5_000)...), false, 5_000},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := withinBudget(t, tt.data, archive.Options{Limits: wide})
			if (r.problems > 0) != tt.refused || tt.entries >= 0 && r.entries != tt.entries {
				t.Errorf("%+v", r)
			}
		})
	}
}

// nestedZips is like 42.zip: sixteen copies of a zip of sixteen copies of a
// zip, and so on.
func nestedZips(levels int) []byte {
	inner := string(zipOf(nil, zentry{Name: "0", Body: strings.Repeat("\x00", 1<<20), Deflated: true}))
	for range levels {
		entries := make([]zentry, 16)
		for i := range entries {
			entries[i] = zentry{Name: fmt.Sprint(i), Body: inner, Deflated: true}
		}
		inner = string(zipOf(nil, entries...))
	}
	return []byte(inner)
}

func manyEntries(n int) []zentry {
	out := make([]zentry, n)
	for i := range out {
		out[i].Name = fmt.Sprint("f", i)
	}
	return out
}

func manyMembers(n int) []byte {
	var buf bytes.Buffer
	tw := tar.NewWriter(&buf)
	for i := range n {
		_ = tw.WriteHeader(&tar.Header{Name: fmt.Sprint("package/f", i), Mode: 0o644})
	}
	_ = tw.Flush()
	return buf.Bytes()
}

func brokenEntries(n int) []zentry {
	out := manyEntries(n)
	for i := range out {
		out[i].Patch = func(l, _ []byte) { l[0] = 'X' }
	}
	return out
}

func longLocals(n int) []zentry {
	out := manyEntries(n)
	for i := range out {
		out[i].Patch = func(l, _ []byte) { copy(l[26:], "\xff\xff\xff\xff") }
	}
	return out
}

func longNames(n int) []zentry {
	out := manyEntries(n)
	for i := range out {
		out[i].Name = fmt.Sprint(i, strings.Repeat("n", 65_000))
	}
	return out
}

func streamedEntries(n int) []zentry {
	out := manyEntries(n)
	for i := range out {
		out[i].Body, out[i].Descriptor = "x", descriptor(i%2 == 0, "x", 0)
	}
	return out
}
