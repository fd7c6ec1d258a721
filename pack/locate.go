package pack

import (
	"bufio"
	"errors"
	"io"
	"slices"

	"github.com/wuu-plugins/wuu/internal/diag"
)

// locate finds lines and columns as diag.Locate does, for a file of any size.
func locate(r io.Reader, offsets []int64) (map[int64]diag.Pos, error) {
	slices.Sort(offsets)
	offsets = slices.Compact(offsets)
	places := make(map[int64]diag.Pos, len(offsets))
	c := newRuneCounter(r)
	for _, offset := range offsets {
		for c.pos.Offset < int(offset) {
			if err := c.next(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return nil, err
			}
		}
		places[offset] = c.pos
	}
	return places, nil
}

// runeCounter walks through text and knows the place it is at.
type runeCounter struct {
	r   *bufio.Reader
	pos diag.Pos
}

func newRuneCounter(r io.Reader) *runeCounter {
	return &runeCounter{bufio.NewReaderSize(r, chunkSize), diag.Pos{Line: 1, Col16: 1, ColChar: 1}}
}

// next steps over one character; bytes that are none count as one each. A byte
// order mark at the start takes no column.
func (c *runeCounter) next() error {
	r, size, err := c.r.ReadRune()
	if err != nil {
		return err
	}
	first := c.pos.Offset == 0
	c.pos.Offset += size
	switch {
	case r == '\n':
		c.pos.Line++
		c.pos.Col16, c.pos.ColChar = 1, 1
	case first && r == '\ufeff':
	default:
		c.pos.ColChar++
		c.pos.Col16++
		if r > 0xffff {
			c.pos.Col16++
		}
	}
	return nil
}
