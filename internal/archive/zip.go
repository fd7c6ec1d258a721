package archive

import (
	"bufio"
	"errors"
	"fmt"
	"hash"
	"hash/crc32"
	"io"

	"github.com/wuu-plugins/wuu/internal/inflate"
)

// zipReader walks a zip in the order of its data, front to back.
type zipReader struct {
	r      io.ReaderAt
	end    *zipEnd
	list   []*zipEntry
	next   int
	budget *budget
	report func(Problem)
	src    *source
	raw    *bufio.Reader // at pos
	pos    int64
	start  int64 // where src began

	cur     *zipEntry
	body    io.LimitedReader // the packed bytes of cur
	inflate *inflate.Reader  // over body
	content io.Reader
	sum     hash.Hash32
	read    int64
	state   bodyState
	done    bool
}

type bodyState uint8

const (
	bodyNone   bodyState = iota // no current entry
	bodyOpen                    // there may be more to read
	bodySound                   // read to its end and right
	bodyBroken                  // reported
)

func openZip(r io.ReaderAt, size int64, o Options) (Reader, error) {
	end, problem, err := findEnd(r, size)
	if err != nil {
		return nil, err
	}
	if end == nil {
		problem = &Problem{Code: "ZIP_EOCD", Message: "there is no end record: this is not a zip, or it is cut off"}
	}
	if problem == nil {
		problem = placeOfDir(r, end)
	}
	if problem != nil {
		o.Report(*problem)
		return nil, ErrRefused
	}
	list, err := readDir(r, end, o)
	if err != nil {
		return nil, err
	}
	z := &zipReader{r: r, end: end, list: list, budget: newBudget(size, o), report: o.Report, sum: crc32.NewIEEE()}
	if !z.precheck() {
		return nil, ErrRefused
	}
	if len(end.comment) > 0 {
		o.Report(Problem{Code: "ZIP_COMMENT", Note: true, Message: fmt.Sprintf("the zip carries the comment %.200q", end.comment)})
	}
	return z, nil
}

// placeOfDir checks that the central directory ends where the end record
// starts. When it does not, everything may have been moved by a prefix.
func placeOfDir(r io.ReaderAt, end *zipEnd) *Problem {
	if end.offset+end.size == end.at {
		return nil
	}
	if start := end.at - end.size; start > end.offset {
		var sig [4]byte
		if _, err := r.ReadAt(sig[:], start); err == nil && string(sig[:]) == string(dirSig) {
			return &Problem{Code: "ZIP_PREFIX", Message: "data stands in front of the zip"}
		}
		return &Problem{Code: "ZIP_GAP", Message: "data stands between the central directory and the end record"}
	}
	return &Problem{Code: "ZIP_EOCD", Message: "the end record points outside the zip"}
}

// precheck compares the places of all entries before the first one is read:
// they start at 0 and follow each other. False means that reading makes no
// sense; exact gaps show when the local headers are read.
func (z *zipReader) precheck() bool {
	at, ok := int64(0), true
	for i, e := range z.list {
		switch {
		case i == 0 && e.offset != 0:
			z.report(Problem{Code: "ZIP_PREFIX", Message: fmt.Sprintf("%d bytes of data stand in front of the first entry", e.offset)})
		case e.offset < at && ok:
			z.report(Problem{Code: "ZIP_OVERLAP", Entry: e.name, Message: "the entry shares bytes with the one before it"})
			ok = false
		}
		at = e.offset + localLen + e.packed // names come on top, but may differ
	}
	if at > z.end.offset && ok {
		z.report(Problem{Code: "ZIP_OVERLAP", Message: "the last entry reaches into the central directory"})
		ok = false
	}
	if len(z.list) == 0 && z.end.offset != 0 {
		z.report(Problem{Code: "ZIP_PREFIX", Message: "data stands in front of an empty zip"})
	}
	if len(z.list) > 0 {
		z.pos = z.list[0].offset
	}
	z.seek(z.pos)
	return ok
}

// seek moves the stream of raw bytes. What is buffered is not read again: a zip
// of ten thousand broken entries costs no more than a sound one.
func (z *zipReader) seek(to int64) {
	if z.raw != nil && z.pos == to {
		return
	}
	z.pos = to
	if z.raw != nil {
		skip := to - (z.start + z.src.n - int64(z.raw.Buffered()))
		if skip >= 0 && skip <= int64(z.raw.Buffered()) {
			_, _ = z.raw.Discard(int(skip))
			return
		}
	}
	z.start = to
	z.src = &source{r: io.NewSectionReader(z.r, to, z.end.offset-to)}
	if z.raw == nil {
		z.raw = bufio.NewReaderSize(z.src, 4*readBuffer)
	} else {
		z.raw.Reset(z.src)
	}
}

func (z *zipReader) Format() Format { return Zip }

func (z *zipReader) Names() []string {
	names := make([]string, len(z.list))
	for i, e := range z.list {
		names[i] = e.name
	}
	return names
}

func (z *zipReader) Next() (*Entry, error) {
	if err := z.finish(); err != nil {
		return nil, err
	}
	if z.done || z.next == len(z.list) {
		z.gap(z.end.offset, "")
		z.done = true
		return nil, io.EOF
	}
	e := z.list[z.next]
	z.next++
	z.gap(e.offset, e.name)
	z.seek(e.offset)
	z.cur, z.state = e, bodyOpen
	if err := z.local(e); err != nil && !errors.Is(err, ErrRefused) {
		return nil, err
	}
	return e.entry(), nil
}

// gap reports bytes between the end of one entry and the place of the next.
func (z *zipReader) gap(next int64, entry string) {
	if !z.done && z.pos < next {
		z.report(Problem{Code: "ZIP_GAP", Entry: entry, Message: fmt.Sprintf("%d bytes in front of it belong to no entry", next-z.pos)})
		z.pos = -1 // unknown: seek starts over
	}
}

// finish reads the rest of the current entry, so that every checksum counts.
func (z *zipReader) finish() error {
	if z.state == bodyOpen {
		if _, err := io.Copy(io.Discard, readerOnly{z}); err != nil && !errors.Is(err, ErrRefused) {
			return err
		}
	}
	z.state = bodyNone
	return nil
}

// breakBody reports a broken entry and returns ErrRefused. Where the next one
// starts is known from the directory, so checking goes on there.
func (z *zipReader) breakBody(code, message string) error {
	if !z.cur.bad {
		z.report(Problem{Code: code, Entry: z.cur.name, Message: message})
	}
	z.state, z.pos = bodyBroken, -1
	z.seek(z.nextOffset()) // what lies between was part of the report
	return ErrRefused
}

func (z *zipReader) nextOffset() int64 {
	if z.next < len(z.list) {
		return z.list[z.next].offset
	}
	return z.end.offset
}

// open prepares reading the packed bytes that start at pos.
func (z *zipReader) open(e *zipEntry) {
	z.body = io.LimitedReader{R: z.raw, N: e.packed}
	z.sum.Reset()
	z.read = 0
	z.content = &z.body
	if e.method != 8 {
		return
	}
	if z.inflate == nil {
		z.inflate = inflate.NewReader(&z.body)
	} else {
		z.inflate.Reset(&z.body)
	}
	z.content = z.inflate
}

// Read reads the current entry.
func (z *zipReader) Read(p []byte) (int, error) {
	switch z.state {
	case bodyBroken:
		return 0, ErrRefused
	case bodyNone, bodySound:
		return 0, io.EOF
	}
	n, err := z.content.Read(p)
	z.read += int64(n)
	switch {
	case z.src.err != nil:
		return 0, z.src.err
	case n > 0 && !z.budget.take(z.cur.name, n):
		z.state, z.done = bodyBroken, true
		return 0, ErrRefused
	case z.read > z.cur.size:
		return 0, z.breakBody("ZIP_SIZE", "the content is longer than declared")
	case err == io.EOF:
		z.sum.Write(p[:n])
		return z.complete(n)
	case err != nil:
		return 0, z.breakBody("ZIP_DATA", "the compressed data is damaged")
	}
	z.sum.Write(p[:n])
	return n, nil
}
