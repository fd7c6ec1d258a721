package inflate

import (
	"encoding/binary"
	"io"
)

// symbols decodes the current block until it ends, the window is full or the
// input has to be read on.
func (r *Reader) symbols() error {
	if err := r.fill(turnInput); err != nil {
		return err
	}
	before := r.to
	err := r.decode()
	if r.overrun() || err == nil && r.step == stepSymbols && r.srcErr == io.EOF && r.pos > r.end+turnInput {
		r.to = before // some of it was made of the padding
		return io.ErrUnexpectedEOF
	}
	return err
}

// decode is the inner loop. One turn loads turnInput bytes of input and writes
// slack bytes at most, so there is one look at both for each turn.
func (r *Reader) decode() error {
	in, out := &r.in, &r.out
	pos, to := r.pos, r.to
	buf, count := r.bits, r.count
	literal, distance := &r.codes.literal, &r.codes.distance
	last := r.end - turnInput
	if r.srcErr == io.EOF {
		last = r.end + padding - turnInput
	}
	var err error
	if pos > last || to >= outSize-slack {
		return nil
	}
	buf |= binary.LittleEndian.Uint64(in[pos:pos+8]) << (count & 63)
	pos += int((63 - count) >> 3)
	count |= 56
	e := literal[buf&(1<<literalBits-1)]
	for {
		// 56 bits are there, and e is the entry of the first of them.
		if e&flagLiteral != 0 {
			buf >>= e & 63
			count -= uint(e & 63)
			out[to] = byte(e >> 16)
			to++
			e = literal[buf&(1<<literalBits-1)]
			if e&flagLiteral != 0 {
				buf >>= e & 63
				count -= uint(e & 63)
				out[to] = byte(e >> 16)
				to++
				e = literal[buf&(1<<literalBits-1)]
				if e&flagLiteral != 0 {
					buf >>= e & 63
					count -= uint(e & 63)
					out[to] = byte(e >> 16)
					to++
					goto next
				}
			}
		}
		// At most 22 are used.
		if e&flagSecond != 0 {
			e = literal[(uint(e>>16)+uint(buf>>literalBits)&(1<<(e>>8&15)-1))&(literalTable-1)]
			if e&flagLiteral != 0 {
				buf >>= e & 63
				count -= uint(e & 63)
				out[to] = byte(e >> 16)
				to++
				goto next
			}
		}
		if e&flagEnd != 0 || e == 0 {
			buf >>= e & 63
			count -= uint(e & 63)
			r.step = stepHeader
			if e == 0 {
				err = CorruptError(r.dropped + int64(min(pos, r.end)))
			}
			break
		}
		{
			code := e >> 8 & 15
			length := int(e>>16) + int(buf>>code&(1<<(e&63-code)-1))
			buf >>= e & 63
			count -= uint(e & 63)

			// A distance takes 28 bits at most.
			buf |= binary.LittleEndian.Uint64(in[pos:pos+8]) << (count & 63)
			pos += int((63 - count) >> 3)
			count |= 56
			d := distance[buf&(1<<distanceBits-1)]
			if d&flagSecond != 0 {
				d = distance[(uint(d>>16)+uint(buf>>distanceBits)&(1<<(d>>8&15)-1))&(distanceTable-1)]
			}
			code = d >> 8 & 15
			back := int(d>>16) + int(buf>>code&(1<<(d&63-code)-1))
			buf >>= d & 63
			count -= uint(d & 63)
			if d == 0 || back > to-r.start {
				err = CorruptError(r.dropped + int64(min(pos, r.end)))
				break
			}
			// The next entry is loaded while the match is copied.
			e = literal[buf&(1<<literalBits-1)]
			from := to - back
			if back < 8 || length > 24 {
				copyMatch(out, to, back, length)
			} else {
				binary.LittleEndian.PutUint64(out[to:to+8], binary.LittleEndian.Uint64(out[from:from+8]))
				if length > 8 {
					binary.LittleEndian.PutUint64(out[to+8:to+16], binary.LittleEndian.Uint64(out[from+8:from+16]))
					if length > 16 {
						binary.LittleEndian.PutUint64(out[to+16:to+24], binary.LittleEndian.Uint64(out[from+16:from+24]))
					}
				}
			}
			to += length
			if pos > last || to >= outSize-slack {
				break
			}
			buf |= binary.LittleEndian.Uint64(in[pos:pos+8]) << (count & 63)
			pos += int((63 - count) >> 3)
			count |= 56
			continue
		}
	next:
		if pos > last || to >= outSize-slack {
			break
		}
		buf |= binary.LittleEndian.Uint64(in[pos:pos+8]) << (count & 63)
		pos += int((63 - count) >> 3)
		count |= 56
		e = literal[buf&(1<<literalBits-1)]
	}
	r.pos, r.to, r.bits, r.count = pos, to, buf, count
	return err
}

// copyMatch repeats length bytes from back bytes before to: the matches that
// are long, or overlap themselves closely.
func copyMatch(out *[outSize]byte, to, back, length int) {
	from := to - back
	switch {
	case back >= length:
		copy(out[to:to+length], out[from:from+length])
	case back == 1:
		run := out[to : to+length]
		b := out[from]
		for i := range run {
			run[i] = b
		}
	default:
		// The period doubles with each copy.
		for done := 0; done < length; {
			done += copy(out[to+done:to+length], out[from:to+done])
		}
	}
}
