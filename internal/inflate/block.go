package inflate

import "io"

// header reads the header of the next block.
func (r *Reader) header() error {
	if r.final {
		r.step = stepEnd
		return nil
	}
	if err := r.need(3); err != nil {
		return err
	}
	r.final = r.take(1) == 1
	switch r.take(2) {
	case 0:
		return r.storedHeader()
	case 1:
		r.step = stepSymbols
		return r.codes.fixed()
	case 2:
		r.step = stepSymbols
		return r.dynamic()
	}
	return r.corrupt()
}

// storedHeader reads the length of a stored block, from the next whole byte.
func (r *Reader) storedHeader() error {
	r.unread()
	r.bits, r.count = 0, 0
	if err := r.fill(4); err != nil {
		return err
	}
	if r.end-r.pos < 4 {
		return io.ErrUnexpectedEOF
	}
	b := r.in[r.pos : r.pos+4]
	size, not := int(b[0])|int(b[1])<<8, int(b[2])|int(b[3])<<8
	if size != not^0xffff {
		return r.corrupt()
	}
	r.pos += 4
	r.step, r.left = stepStored, size
	if size == 0 {
		r.step = stepHeader
	}
	return nil
}

// stored copies what is there of a stored block.
func (r *Reader) stored() error {
	if err := r.fill(1); err != nil {
		return err
	}
	if r.pos == r.end {
		return io.ErrUnexpectedEOF
	}
	n := min(r.left, outSize-slack-r.to)
	n = copy(r.out[r.to:r.to+n], r.in[r.pos:r.end])
	r.pos += n
	r.to += n
	if r.left -= n; r.left == 0 {
		r.step = stepHeader
	}
	return nil
}

// codeOrder is the order in which the lengths of the code length code stand
// (RFC 1951, 3.2.7).
var codeOrder = [19]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// dynamic reads the codes of a block (RFC 1951, 3.2.7).
func (r *Reader) dynamic() error {
	if err := r.need(14); err != nil {
		return err
	}
	literals, distances, lengths := r.take(5)+257, r.take(5)+1, r.take(4)+4
	if literals > 286 || distances > 30 {
		return r.corrupt()
	}
	var order [19]uint8
	for i := range lengths {
		if err := r.need(3); err != nil {
			return err
		}
		order[codeOrder[i]] = uint8(r.take(3))
	}
	if !r.codes.setLengths(&order) {
		return r.corrupt()
	}
	var all [286 + 30]uint8
	if err := r.codeLengths(all[:literals+distances]); err != nil {
		return err
	}
	if !r.codes.set(all[:literals], all[literals:literals+distances]) {
		return r.corrupt()
	}
	return nil
}

// codeLengths reads the run-length coded lengths of both codes.
func (r *Reader) codeLengths(all []uint8) error {
	for i := 0; i < len(all); {
		symbol, err := r.lengthSymbol()
		if err != nil {
			return err
		}
		if symbol < 16 {
			all[i] = symbol
			i++
			continue
		}
		var value uint8
		var run, extra uint
		switch symbol {
		case 16:
			if i == 0 {
				return r.corrupt()
			}
			value, run, extra = all[i-1], 3, 2
		case 17:
			run, extra = 3, 3
		default:
			run, extra = 11, 7
		}
		if err := r.need(extra); err != nil {
			return err
		}
		run += r.take(extra)
		if i+int(run) > len(all) {
			return r.corrupt()
		}
		for range run {
			all[i] = value
			i++
		}
	}
	return nil
}

// lengthSymbol reads a symbol of the code length code. Its last bits may be
// the last of the source, so only what it uses must be there.
func (r *Reader) lengthSymbol() (uint8, error) {
	if r.count < maxLengthBits {
		if err := r.more(); err != nil {
			return 0, err
		}
	}
	e := r.codes.lengths[r.bits&(1<<maxLengthBits-1)]
	if e == 0 {
		return 0, r.corrupt()
	}
	r.take(uint(e & 15))
	if r.overrun() {
		return 0, io.ErrUnexpectedEOF
	}
	return uint8(e >> 4), nil
}
