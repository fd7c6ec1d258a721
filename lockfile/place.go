package lockfile

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// Place is what an error at one place of the file carries as its details.
type Place struct {
	Line   int `json:"line"`   // from 1
	Column int `json:"column"` // characters, from 1
}

// place is a Place that errors are marked with.
type place Place

// placeOf finds the place of a byte offset; the end of src is one.
func placeOf(src []byte, offset int) place {
	offset = min(max(offset, 0), len(src))
	before := src[:offset]
	line := 1 + bytes.Count(before, []byte("\n"))
	start := bytes.LastIndexByte(before, '\n') + 1
	return place{line, 1 + utf8.RuneCount(before[start:])}
}

// mark puts the place before the message and into the details.
func (p place) mark(e *Error) *Error {
	e.Err = fmt.Errorf("line %d, column %d: %w", p.Line, p.Column, e.Err)
	e.Details = Place(p)
	return e
}
