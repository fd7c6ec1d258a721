package archive

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/wuu-plugins/wuu/internal/inflate"
)

// gzipStream is the one member of a gzip file (RFC 1952). It is always read to
// the end of the file: the checksum stands in the last eight bytes, and what
// follows them is read by some tools and not by others.
type gzipStream struct {
	src    *source
	zr     *inflate.Reader
	sum    uint32 // CRC-32 of what came out
	size   uint32 // and its length, modulo 2^32
	left   int64  // bytes that may still come out
	report func(Problem)
	err    error // sticky; io.EOF after a sound end
}

const readBuffer = 64 << 10

// The errors of a gzip file besides those of its DEFLATE data.
var (
	errGzipHeader = errors.New("gzip header")
	errGzipSum    = errors.New("gzip checksum")
)

// openGzip fails with ErrRefused after a report, or with an I/O error.
func openGzip(r io.ReaderAt, size, limit int64, report func(Problem)) (*gzipStream, error) {
	g := &gzipStream{src: &source{r: io.NewSectionReader(r, 0, size)}, left: limit, report: report}
	head := bufio.NewReaderSize(g.src, 512) // larger reads go through it
	if err := gzipHeader(head); err != nil {
		return nil, g.broken(err)
	}
	g.zr = inflate.NewReader(head)
	return g, nil
}

// Read returns io.EOF only after checksum and trailing bytes were looked at.
func (g *gzipStream) Read(p []byte) (int, error) {
	if g.err != nil {
		return 0, g.err
	}
	n, err := g.zr.Read(p)
	g.left -= int64(n)
	g.sum = crc32.Update(g.sum, crc32.IEEETable, p[:n])
	g.size += uint32(n) //nolint:gosec // counts modulo 2^32, as the format does
	switch {
	case g.left < 0:
		g.report(Problem{Code: "LIMIT_UNPACKED", Message: "the tarball holds more padding and headers than any package needs; reading stopped"})
		g.err = ErrRefused
		return 0, g.err
	case err == io.EOF:
		g.err = g.close()
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
	var corrupt inflate.CorruptError
	switch {
	case errors.Is(err, errGzipHeader):
		p = Problem{Code: "GZIP_HEADER", Message: "the gzip header is damaged"}
	case errors.Is(err, errGzipSum):
		p = Problem{Code: "GZIP_CRC", Message: "checksum or length at the end of the gzip data differ from the content"}
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		p = Problem{Code: "ARCHIVE_TRUNCATED", Message: "the archive is cut off"}
	case errors.As(err, &corrupt):
		p.Message = fmt.Sprintf("the compressed data is damaged near byte %d", int64(corrupt))
	}
	g.report(p)
	return ErrRefused
}

// close checks the trailer and what follows it; io.EOF when all is well.
func (g *gzipStream) close() error {
	var tail [8]byte
	if _, err := io.ReadFull(rest{g.zr}, tail[:]); err != nil {
		return g.broken(err)
	}
	if binary.LittleEndian.Uint32(tail[:4]) != g.sum || binary.LittleEndian.Uint32(tail[4:]) != g.size {
		return g.broken(errGzipSum)
	}
	if err := g.trailing(); err != nil {
		return err
	}
	return io.EOF
}

// rest reads the bytes behind the DEFLATE data.
type rest struct{ r *inflate.Reader }

func (r rest) Read(p []byte) (int, error) { return r.r.Rest(p) }

// trailing looks at what follows the member. Zeros are padding of old tools;
// the archive's hash covers them.
func (g *gzipStream) trailing() error {
	block := make([]byte, 4096)
	n, err := io.ReadFull(rest{g.zr}, block)
	if n >= 2 && block[0] == 0x1f && block[1] == 0x8b {
		g.report(Problem{Code: "GZIP_MULTIMEMBER", Message: "a second gzip member follows the first; some readers stop before it"})
		return g.src.err
	}
	total, zero := int64(n), allZero(block[:n])
	for err == nil {
		n, err = g.zr.Rest(block)
		total += int64(n)
		zero = zero && allZero(block[:n])
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
