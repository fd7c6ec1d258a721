package archive_test

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/wuu-plugins/wuu/internal/archive"
	"github.com/wuu-plugins/wuu/internal/archive/archivetest"
)

// The raw writers under short names: the tables below are full of them.
type (
	member = archivetest.Member
	zentry = archivetest.ZipEntry
)

var (
	file       = archivetest.File
	pax        = archivetest.PAX
	tarOf      = archivetest.Tar
	tgzOf      = archivetest.TGZ
	gz         = archivetest.Gzip
	gzStored   = archivetest.StoredGzip
	zipOf      = archivetest.Zip
	descriptor = archivetest.Descriptor
	endMarker  = archivetest.EndMarker()
)

// limits are small enough for tests and large enough for every fixture that
// is not about them.
var limits = archive.Limits{Archive: 4 << 20, Unpacked: 8 << 20, Entries: 100, Ratio: 200}

// got is what a reader made of an archive.
type got struct {
	codes   []string // refusals, then notes in parentheses, in order
	entries []archive.Entry
	content []string // of the entries that could be read to their end
}

func read(t testing.TB, data []byte, o archive.Options) got {
	t.Helper()
	var g got
	if o.Limits == (archive.Limits{}) {
		o.Limits = limits
	}
	o.Report = func(p archive.Problem) {
		if p.Code == "" || p.Message == "" {
			t.Errorf("empty report %+v", p)
		}
		code := p.Code
		if p.Note {
			code = "(" + code + ")"
		}
		g.codes = append(g.codes, code)
	}
	r, err := archive.Open(bytes.NewReader(data), int64(len(data)), o)
	if errors.Is(err, archive.ErrRefused) {
		return g
	}
	if err != nil {
		t.Fatal(err)
	}
	for {
		e, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(r)
		switch {
		case err == nil:
			g.content = append(g.content, string(body))
		case !errors.Is(err, archive.ErrRefused):
			t.Fatal(err)
		}
		g.entries = append(g.entries, *e)
	}
	if _, err := r.Next(); err != io.EOF {
		t.Errorf("Next after the end = %v", err)
	}
	return g
}
