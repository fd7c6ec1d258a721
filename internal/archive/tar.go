package archive

import (
	"errors"
	"io"
)

// tgzReader walks a gzipped tarball.
type tgzReader struct {
	g        *gzipStream
	limits   Limits
	budget   *budget
	report   func(Problem)
	head     [block]byte
	entries  int
	extended int    // extension headers
	name     string // of the current entry, for reports
	left     int64  // bytes of the current body
	pad      int64  // bytes after it up to the next block
	cut      bool   // the current body is broken
	done     bool
}

// overhead is what a tarball may hold besides content: headers and padding of
// every entry, and the zeros at its end.
func overhead(entries int) int64 { return int64(entries)*8*block + 2<<20 }

func openTGZ(r io.ReaderAt, size int64, o Options) (Reader, error) {
	b := newBudget(size, o)
	g, err := openGzip(r, size, b.max+overhead(o.Limits.Entries), o.Report)
	if err != nil {
		return nil, err
	}
	return &tgzReader{g: g, limits: o.Limits, budget: b, report: o.Report}, nil
}

func (t *tgzReader) Format() Format  { return TGZ }
func (t *tgzReader) Names() []string { return nil }

func (t *tgzReader) Next() (*Entry, error) {
	if t.done {
		return nil, io.EOF
	}
	e, err := t.next()
	if err == nil {
		t.entries++
		if t.entries > t.limits.Entries {
			t.report(entriesProblem(t.limits.Entries))
			err = ErrRefused
		}
	}
	switch {
	case err == nil:
		t.name, t.left, t.pad, t.cut = e.Name, e.Size, -e.Size&(block-1), false
		return e, nil
	case errors.Is(err, ErrRefused), errors.Is(err, io.EOF):
		t.done = true
		return nil, io.EOF
	}
	return nil, err
}

// next returns ErrRefused when reading cannot go on, io.EOF at a sound end.
func (t *tgzReader) next() (*Entry, error) {
	if err := t.skipBody(); err != nil {
		return nil, err
	}
	ext := new(extensions)
	for {
		h, err := t.header(ext)
		if err != nil {
			return nil, err
		}
		if h.extends() {
			if t.extended++; t.extended > 4*t.limits.Entries {
				t.report(entriesProblem(t.limits.Entries))
				return nil, ErrRefused
			}
			if err := t.extension(h, ext); err != nil {
				return nil, err
			}
			continue
		}
		return t.apply(h, ext), nil
	}
}

// header reads the next header block. At the end marker it checks the rest.
func (t *tgzReader) header(ext *extensions) (tarHeader, error) {
	err := t.full(t.head[:])
	if err == io.EOF || err == nil && allZero(t.head[:]) {
		if ext.any() {
			t.report(Problem{Code: "TAR_PAX", Message: "an extension header stands at the end, without its entry"})
		}
		if err == io.EOF {
			t.report(Problem{Code: "TAR_END", Note: true, Message: "the tar has no end marker"})
			return tarHeader{}, io.EOF
		}
		return tarHeader{}, t.end()
	}
	if err != nil {
		return tarHeader{}, err
	}
	h, p := parseHeader(&t.head)
	if p != nil {
		t.report(*p)
		return tarHeader{}, t.drain(nil)
	}
	return h, nil
}

// extensions collects what stands before an entry.
type extensions struct {
	pax      paxRecords
	hasPAX   bool
	long     string
	hasLong  bool
	hasLink  bool
	reported bool
}

func (x *extensions) any() bool { return x.hasPAX || x.hasLong || x.hasLink }

// extension reads one PAX or GNU header. A bad one is reported and ignored:
// where its body ends is known, so checking goes on.
func (t *tgzReader) extension(h tarHeader, ext *extensions) error {
	code := "TAR_PAX"
	if h.flag == 'L' || h.flag == 'K' {
		code = "TAR_LONGNAME"
	}
	refuse := func(message string) {
		if !ext.reported {
			t.report(Problem{Code: code, Entry: h.name, Message: message})
			ext.reported = true
		}
	}
	pad := -h.size & (block - 1)
	if h.size > maxExtension {
		refuse(sizeMessage("an extension header has", h.size, maxExtension))
		return t.discard(h.size + pad)
	}
	body := make([]byte, h.size+pad)
	if err := t.full(body); err != nil {
		return t.truncated(err, h.name)
	}
	body = body[:h.size]
	var err error
	switch h.flag {
	case 'g':
		var rec paxRecords
		if ext.any() { // archive/tar forgets what came before it
			refuse("a global header stands between an entry and its extension")
		}
		if rec, err = parsePAX(body, true); err == nil && rec.sparse {
			err = errors.New("a global header makes every entry sparse")
		}
	case 'x':
		if ext.hasPAX {
			refuse("two extended headers stand before one entry")
		}
		ext.hasPAX = true
		ext.pax, err = parsePAX(body, false)
	case 'L':
		if ext.hasLong {
			refuse("two long names stand before one entry")
		}
		ext.hasLong = true
		ext.long, err = longName(body)
	case 'K':
		ext.hasLink = true // only links have one, and they are refused
	}
	if err != nil {
		refuse("the extension header is malformed: " + err.Error())
		ext.pax = paxRecords{}
	}
	return nil
}

// apply resolves the extensions of one entry.
func (t *tgzReader) apply(h tarHeader, ext *extensions) *Entry {
	if ext.hasLong && ext.pax.hasPath {
		t.report(Problem{Code: "TAR_PAX", Entry: h.name, Message: "the entry has a PAX path and a GNU long name"})
	}
	if ext.long != "" {
		h.name = ext.long
	}
	if ext.pax.hasPath {
		h.name = ext.pax.path
	}
	if ext.pax.hasSize && ext.pax.size != h.size {
		t.report(Problem{Code: "TAR_SIZE_CONFLICT", Entry: h.name, Message: "the sizes in the header and in its extension differ"})
		h.size = ext.pax.size
	}
	e := h.entry()
	if ext.pax.sparse {
		e.Kind = Sparse
	}
	return e
}

// Read reads the current body.
func (t *tgzReader) Read(p []byte) (int, error) {
	switch {
	case t.cut:
		return 0, ErrRefused
	case t.left == 0:
		return 0, io.EOF
	}
	n, err := t.g.Read(p[:min(int64(len(p)), t.left)])
	t.left -= int64(n)
	if n > 0 && !t.budget.take(t.name, n) {
		t.cut, t.done = true, true
		return 0, ErrRefused
	}
	if err != nil && n == 0 {
		t.cut, t.done = true, true
		return 0, t.truncated(err, t.name)
	}
	return n, nil
}

// skipBody reads what the caller left of the current entry.
func (t *tgzReader) skipBody() error {
	if t.left > 0 {
		if _, err := io.Copy(io.Discard, readerOnly{t}); err != nil {
			return err
		}
	}
	err := t.discard(t.pad)
	t.pad = 0
	return err
}

// readerOnly hides everything but Read from io.Copy.
type readerOnly struct{ io.Reader }
