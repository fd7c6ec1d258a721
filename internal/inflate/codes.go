package inflate

import "math/bits"

const (
	literalBits   = 11 // of the main table; longer codes have a second one
	distanceBits  = 8
	maxLengthBits = 7
	maxBits       = 15
	endOfBlock    = 256
	// The sizes of both tables with their second ones are powers of two, so
	// that a masked index needs no check. 2,342 and 402 would do (the worst
	// cases of zlib's enough.c for 288 and 32 symbols).
	literalTable  = 4096
	distanceTable = 512
)

// An entry of a decoding table says what the next bits mean:
//
//	bits 0–5    how many bits to drop: the code and, of a length or distance, its extra bits
//	bits 8–11   how many of them are the code itself (of a length or distance)
//	bits 12–15  flags
//	bits 16–31  the literal, the base of the length or distance, or the place of the second table
//
// In the entry of a second table bits 8–11 hold the number of its index bits.
// A zero entry is a code that does not exist.
const (
	flagLiteral = 1 << 15
	flagSecond  = 1 << 14
	flagEnd     = 1 << 13
)

// codes holds the decoding tables of a block.
type codes struct {
	literal  [literalTable]uint32
	distance [distanceTable]uint32
	lengths  [1 << maxLengthBits]uint16 // symbol<<4 | bits
	isFixed  bool                       // the tables are those of fixed blocks

	second [1 << literalBits]uint8 // scratch
}

// The base values and extra bits of lengths and distances (RFC 1951, 3.2.5).
var (
	lengthBase = [29]uint16{3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258}
	lengthMore = [29]uint8{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0}

	distanceBase = [30]uint16{1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577}
	distanceMore = [30]uint8{0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13}
)

// literalEntry is the entry of a literal, length or end symbol without its
// code's bits; 0 for symbols that must not be used.
func literalEntry(symbol int) uint32 {
	switch {
	case symbol < endOfBlock:
		return uint32(symbol)<<16 | flagLiteral
	case symbol == endOfBlock:
		return flagEnd
	case symbol-257 < len(lengthBase):
		i := symbol - 257
		return uint32(lengthBase[i])<<16 | uint32(lengthMore[i])
	}
	return 0
}

func distanceEntry(symbol int) uint32 {
	if symbol >= len(distanceBase) {
		return 0
	}
	return uint32(distanceBase[symbol])<<16 | uint32(distanceMore[symbol])
}

// set builds the tables of a dynamic block; false when the lengths make no
// code, or there is none for the end of the block.
func (c *codes) set(literals, distances []uint8) bool {
	c.isFixed = false
	return literals[endOfBlock] != 0 &&
		c.build(c.literal[:], literalBits, literals, literalEntry) &&
		c.build(c.distance[:], distanceBits, distances, distanceEntry)
}

// fixed builds the tables of a block with the fixed codes (RFC 1951, 3.2.6).
func (c *codes) fixed() error {
	if c.isFixed {
		return nil
	}
	var literals [288]uint8
	for i := range literals {
		switch {
		case i < 144:
			literals[i] = 8
		case i < 256:
			literals[i] = 9
		case i < 280:
			literals[i] = 7
		default:
			literals[i] = 8
		}
	}
	var distances [32]uint8
	for i := range distances {
		distances[i] = 5
	}
	c.set(literals[:], distances[:])
	c.isFixed = true
	return nil
}

// setLengths builds the table of the code length code.
func (c *codes) setLengths(lengths *[19]uint8) bool {
	next, ok := firstCodes(lengths[:])
	if !ok {
		return false
	}
	clear(c.lengths[:])
	for symbol, n := range lengths {
		if n == 0 {
			continue
		}
		code := reverse(next[n], n)
		next[n]++
		for i := int(code); i < len(c.lengths); i += 1 << n {
			c.lengths[i] = uint16(symbol)<<4 | uint16(n)
		}
	}
	return true
}

// firstCodes returns the first code of each length (RFC 1951, 3.2.2). The
// lengths must fill the space of codes exactly; as in compress/flate, a single
// code of one bit will do, and no code at all, which is of no use.
func firstCodes(lengths []uint8) (next [maxBits + 1]uint16, ok bool) {
	var counts [maxBits + 1]int
	most := 0
	for _, n := range lengths {
		if n > 0 {
			counts[n]++
			most = max(most, int(n))
		}
	}
	code := 0
	for n := 1; n <= most; n++ {
		code <<= 1
		next[n] = uint16(code)
		if code += counts[n]; code > 1<<n {
			return next, false
		}
	}
	return next, most == 0 || code == 1<<most || most == 1 && code == 1
}

func reverse(code uint16, n uint8) uint16 { return bits.Reverse16(code) >> (16 - n) }

// build fills a decoding table: the main one at its start, the second ones of
// longer codes behind it.
func (c *codes) build(table []uint32, width uint8, lengths []uint8, entry func(symbol int) uint32) bool {
	next, ok := firstCodes(lengths)
	if !ok {
		return false
	}
	main := 1 << width
	clear(table[:main])
	second := c.second[:main]
	clear(second)
	// The width of a second table is that of its longest code.
	long := false
	starts := next
	for _, n := range lengths {
		if n > width {
			prefix := reverse(starts[n], n) & uint16(main-1)
			second[prefix] = max(second[prefix], n-width)
			long = true
		}
		starts[n&maxBits]++
	}
	if long {
		at := main
		for prefix, n := range second {
			if n > 0 {
				table[prefix] = uint32(at)<<16 | flagSecond | uint32(n)<<8 | uint32(width)
				clear(table[at : at+1<<n])
				at += 1 << n
			}
		}
	}
	for symbol, n := range lengths {
		if n == 0 {
			continue
		}
		code := int(reverse(next[n], n))
		next[n]++
		e := entry(symbol)
		if e != 0 { // symbols that must not be used leave zeros
			e += uint32(n)<<8 | uint32(n)
		}
		if n <= width {
			place(table[:main], code, n, e)
			continue
		}
		to := table[code&(main-1)]
		at := int(to >> 16)
		place(table[at:at+1<<(to>>8&15)], code>>width, n-width, e)
	}
	return true
}

// place writes e to every index whose lowest n bits are the code.
func place(table []uint32, code int, n uint8, e uint32) {
	for i := code; i < len(table); i += 1 << n {
		table[i] = e
	}
}
