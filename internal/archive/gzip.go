package archive

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
)

// gzipStream is the one member of a gzip file. It is always read to the end of
// the file: the checksum stands in the last eight bytes, and what follows them
// is read by some tools and not by others.
type gzipStream struct {
	src    *source
	buf    *bufio.Reader
	zr     *gzip.Reader
	left   int64 // bytes that may still come out
	report func(Problem)
	err    error // sticky; io.EOF after a sound end
}

const readBuffer = 64 << 10

// openGzip fails with ErrRefused after a report, or with an I/O error.
func openGzip(r io.ReaderAt, size, limit int64, report func(Problem)) (*gzipStream, error) {
	g := &gzipStream{src: &source{r: io.NewSectionReader(r, 0, size)}, left: limit, report: report}
	g.buf = bufio.NewReaderSize(g.src, readBuffer)
	zr, err := gzip.NewReader(g.buf)
	if err != nil {
		return nil, g.broken(err)
	}
	zr.Multistream(false)
	g.zr = zr
	return g, nil
}

// Read returns io.EOF only after checksum and trailing bytes were looked at.
func (g *gzipStream) Read(p []byte) (int, error) {
	if g.err != nil {
		return 0, g.err
	}
	n, err := g.zr.Read(p)
	g.left -= int64(n)
	switch {
	case g.left < 0:
		g.report(Problem{Code: "LIMIT_UNPACKED", Message: "the tarball holds more padding and headers than any package needs; reading stopped"})
		g.err = ErrRefused
		return 0, g.err
	case err == io.EOF:
		if g.err = g.trailing(); g.err == nil {
			g.err = io.EOF
		}
	case err != nil:
		g.err = g.broken(err)
	}
	if n > 0 {
		return n, nil
	}
	return 0, g.err
}

// broken turns a decoding error into a report; I/O errors stay what they are.
func (g *gzipStream) broken(err error) error {
	if g.src.err != nil {
		return g.src.err
	}
	p := Problem{Code: "GZIP_DATA", Message: "the compressed data is damaged"}
	var corrupt flate.CorruptInputError
	switch {
	case errors.Is(err, gzip.ErrHeader):
		p = Problem{Code: "GZIP_HEADER", Message: "the gzip header is damaged"}
	case errors.Is(err, gzip.ErrChecksum):
		p = Problem{Code: "GZIP_CRC", Message: "checksum or length at the end of the gzip data differ from the content"}
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		p = Problem{Code: "ARCHIVE_TRUNCATED", Message: "the archive is cut off"}
	case errors.As(err, &corrupt):
		p.Message = fmt.Sprintf("the compressed data is damaged near byte %d", int64(corrupt))
	}
	g.report(p)
	return ErrRefused
}

// trailing looks at what follows the member. Zeros are padding of old tools;
// the archive's hash covers them.
func (g *gzipStream) trailing() error {
	head, _ := g.buf.Peek(2)
	if len(head) == 2 && head[0] == 0x1f && head[1] == 0x8b {
		g.report(Problem{Code: "GZIP_MULTIMEMBER", Message: "a second gzip member follows the first; some readers stop before it"})
		return g.src.err
	}
	var total int64
	zero := true
	block := make([]byte, 4096)
	for {
		n, err := g.buf.Read(block)
		total += int64(n)
		zero = zero && allZero(block[:n])
		if err != nil {
			break
		}
	}
	switch {
	case g.src.err != nil:
		return g.src.err
	case !zero:
		g.report(Problem{Code: "GZIP_TRAILING", Message: fmt.Sprintf("%d bytes of other data follow the gzip data", total)})
	case total > 0:
		g.report(Problem{Code: "GZIP_TRAILING", Note: true, Message: fmt.Sprintf("%d zero bytes follow the gzip data", total)})
	}
	return nil
}

func allZero(p []byte) bool {
	for _, b := range p {
		if b != 0 {
			return false
		}
	}
	return true
}
