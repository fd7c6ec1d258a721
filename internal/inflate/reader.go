// Package inflate decompresses DEFLATE data (RFC 1951). Inflating is most of
// what an install costs, and this reader is about twice as fast as the general
// ones: it decodes into a window that is larger than the history it needs, so
// that its inner loop checks for room once a symbol and not once a byte. It
// uses no unsafe code: every access is bounds-checked.
//
// It accepts exactly what compress/flate accepts; tests and fuzzing hold it to
// that.
package inflate

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

const (
	history  = 32 << 10 // the furthest that a match may reach back
	maxMatch = 258
	// slack is what one turn of the inner loop may write past the point where
	// it stops: a few literals, a match, and the rest of an eight-byte copy.
	slack     = maxMatch + 32
	chunkSize = 128 << 10 // decoded at most before the history is moved
	outSize   = history + chunkSize + slack
	inSize    = 64 << 10
	// turnInput is what one turn of the inner loop may load: twice eight bytes.
	turnInput = 16
	// padding lets the inner loop go on behind the last byte until it has used
	// up the bits that it had loaded; what it makes of zeros is no result.
	padding = 2 * turnInput
)

// CorruptError says that the data is no DEFLATE stream; its value is the
// number of input bytes before the place where that showed.
type CorruptError int64

func (e CorruptError) Error() string {
	return fmt.Sprintf("corrupt deflate data near byte %d", int64(e))
}

// Reader decompresses one stream. It reads ahead in its source: what follows
// the stream is read with Rest.
type Reader struct {
	src     io.Reader
	srcErr  error // sticky, from src
	in      [inSize + padding]byte
	pos     int   // the next byte of in
	end     int   // of what src gave
	dropped int64 // input bytes before in[0]
	bits    uint64
	count   uint // valid bits; the ones above them repeat in[pos:]

	out   [outSize]byte
	from  int // the next byte to hand out
	to    int // end of what is decoded
	start int // bytes below it are of no stream: a match must not reach them

	step  step
	final bool // the current block is the last one
	left  int  // bytes of a stored block
	err   error
	codes codes
}

type step uint8

const (
	stepHeader step = iota
	stepStored
	stepSymbols
	stepEnd
)

// NewReader returns a reader of the stream at the start of src.
func NewReader(src io.Reader) *Reader {
	r := new(Reader)
	r.Reset(src)
	return r
}

// Reset starts over with another source and keeps the buffers.
func (r *Reader) Reset(src io.Reader) {
	r.src, r.srcErr, r.err = src, nil, nil
	r.pos, r.end, r.dropped = 0, 0, 0
	r.bits, r.count = 0, 0
	r.from, r.to, r.start = history, history, history
	r.step, r.final, r.left = stepHeader, false, 0
}

// Read returns io.EOF after the last byte of the stream, a CorruptError, or
// io.ErrUnexpectedEOF where the source ended too early; errors of the source
// come as they are.
func (r *Reader) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	for r.from == r.to {
		if r.err != nil {
			return 0, r.err
		}
		r.advance()
	}
	n := copy(p, r.out[r.from:r.to])
	r.from += n
	return n, nil
}

// advance decodes until there is something to hand out, or sets err.
func (r *Reader) advance() {
	if r.to >= outSize-slack {
		kept := copy(r.out[:history], r.out[r.to-history:r.to])
		r.start = max(0, r.start-(r.to-kept))
		r.from, r.to = kept, kept
	}
	for r.from == r.to && r.err == nil {
		switch r.step {
		case stepHeader:
			r.err = r.header()
		case stepStored:
			r.err = r.stored()
		case stepSymbols:
			r.err = r.symbols()
		case stepEnd:
			r.unread()
			r.bits, r.count = 0, 0
			r.err = io.EOF
		}
	}
}

// fill makes at least want bytes of input available, counted from pos; fewer
// only at the end of the source, where zeros follow.
func (r *Reader) fill(want int) error {
	if r.end-r.pos >= want || r.srcErr == io.EOF {
		return nil
	}
	if r.srcErr != nil {
		return r.srcErr
	}
	r.unread() // the bytes of these bits would be gone
	r.dropped += int64(r.pos)
	r.end = copy(r.in[:], r.in[r.pos:r.end])
	r.pos = 0
	for r.end < want || r.end == 0 {
		n, err := r.src.Read(r.in[r.end:inSize])
		r.end += n
		if err != nil {
			r.srcErr = err
			break
		}
	}
	clear(r.in[r.end : r.end+padding])
	if r.srcErr != nil && r.srcErr != io.EOF {
		return r.srcErr
	}
	return nil
}

// overrun reports whether more bits were used than the source had.
func (r *Reader) overrun() bool { return r.pos-int(r.count>>3) > r.end }

// need makes n bits available, at most 32. It is for headers; the inner loop
// has its own way.
func (r *Reader) need(n uint) error {
	if r.count < n {
		if err := r.more(); err != nil {
			return err
		}
	}
	if r.pos-int((r.count-n)>>3) > r.end {
		return io.ErrUnexpectedEOF
	}
	return nil
}

// more loads bits; zeros behind the end of the source.
func (r *Reader) more() error {
	if err := r.fill(8); err != nil {
		return err
	}
	if r.pos > r.end {
		return io.ErrUnexpectedEOF
	}
	r.refill()
	return nil
}

// refill tops the bits up to 56 at least.
func (r *Reader) refill() {
	r.bits |= binary.LittleEndian.Uint64(r.in[r.pos:]) << (r.count & 63)
	r.pos += int((63 - r.count) >> 3)
	r.count |= 56
}

// take returns the next n bits, which need has made available.
func (r *Reader) take(n uint) uint {
	v := uint(r.bits) & (1<<n - 1)
	r.bits >>= n
	r.count -= n
	return v
}

// unread gives whole bytes back to the input.
func (r *Reader) unread() {
	r.pos -= int(r.count >> 3)
	r.count &= 7
	r.bits &= 1<<r.count - 1
}

func (r *Reader) corrupt() error { return CorruptError(r.dropped + int64(min(r.pos, r.end))) }

// Rest reads what follows the stream in the source, once Read has returned
// io.EOF.
func (r *Reader) Rest(p []byte) (int, error) {
	if r.step != stepEnd || !errors.Is(r.err, io.EOF) {
		return 0, errors.New("inflate: the stream is not at its end")
	}
	if r.pos < r.end {
		n := copy(p, r.in[r.pos:r.end])
		r.pos += n
		return n, nil
	}
	if r.srcErr != nil {
		return 0, r.srcErr
	}
	return r.src.Read(p)
}

// Buffered is the number of bytes that were read from the source and follow
// the stream. It is meaningful once Read has returned io.EOF.
func (r *Reader) Buffered() int { return r.end - r.pos }
