package archive

import (
	"bufio"
	"hash/crc32"
	"io"
)

// The flags of a gzip header (RFC 1952, 2.3.1). The three highest bits are
// reserved: a reader must give up on them.
const (
	gzipSum      = 1 << 1
	gzipExtra    = 1 << 2
	gzipName     = 1 << 3
	gzipComment  = 1 << 4
	gzipReserved = 0xe0
)

// gzipHeader skips the header of a member. What it says of names and times is
// no part of a package. The error is errGzipHeader, io.EOF or
// io.ErrUnexpectedEOF for a cut, or that of the source.
func gzipHeader(r *bufio.Reader) error {
	h := headReader{r: r}
	head := h.bytes(10)
	if h.err != nil {
		return h.err
	}
	if head[0] != 0x1f || head[1] != 0x8b || head[2] != 8 || head[3]&gzipReserved != 0 {
		return errGzipHeader
	}
	flags := head[3]
	if flags&gzipExtra != 0 {
		if n := h.bytes(2); h.err == nil {
			h.bytes(int(n[0]) | int(n[1])<<8)
		}
	}
	for _, flag := range []byte{gzipName, gzipComment} {
		if flags&flag != 0 {
			h.text()
		}
	}
	if flags&gzipSum != 0 {
		sum := uint16(h.sum) //nolint:gosec // its lower half, as RFC 1952 says
		if got := h.bytes(2); h.err == nil && uint16(got[0])|uint16(got[1])<<8 != sum {
			return errGzipHeader
		}
	}
	return h.err
}

// headReader sums up what it reads; the first error stays.
type headReader struct {
	r   *bufio.Reader
	sum uint32
	err error
}

func (h *headReader) bytes(n int) []byte {
	b := make([]byte, n)
	if h.err == nil {
		_, h.err = io.ReadFull(h.r, b)
		h.sum = crc32.Update(h.sum, crc32.IEEETable, b)
	}
	return b
}

// maxGzipText bounds the name and the comment, in bytes.
const maxGzipText = 64 << 10

// text skips a text that ends with a zero byte.
func (h *headReader) text() {
	for range maxGzipText {
		b := h.bytes(1)
		if h.err != nil || b[0] == 0 {
			return
		}
	}
	h.err = errGzipHeader
}
