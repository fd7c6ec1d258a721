// Package jsonl reads and writes JSON values, one a line: the framing of
// wuu-plugin-v1 (design/protocol.md, "Frames").
package jsonl

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// headSize is how much of a bad line an error shows.
const headSize = 200

// Reason says why a line was refused.
type Reason string

// The reasons.
const (
	NotJSON   Reason = "not JSON"
	NotUTF8   Reason = "not UTF-8"
	TooLong   Reason = "too long"
	Truncated Reason = "cut off" // the stream ended inside a line that is no JSON value
)

// LineError is a line that is no JSON value. Head is its first 200 bytes.
type LineError struct {
	Reason Reason
	Head   []byte
	Limit  int // bytes, newline included; set for TooLong
}

// Error shows the head quoted, so that control characters stay harmless.
func (e *LineError) Error() string {
	switch {
	case e.Reason == TooLong:
		return fmt.Sprintf("line exceeds %d bytes: %s", e.Limit, e.Shown())
	case len(e.Head) == 0:
		return "empty line where a JSON value was expected"
	}
	return fmt.Sprintf("line is %s: %s", e.Reason, e.Shown())
}

// Shown is the head, quoted, with a mark when the line was longer.
func (e *LineError) Shown() string {
	head, more := e.Head, ""
	if len(head) >= headSize {
		more = "…"
	}
	return fmt.Sprintf("%q", strings.ToValidUTF8(string(head), "\ufffd")) + more
}

// Reader splits a stream into lines that each hold one JSON value.
type Reader struct {
	src   *bufio.Reader
	limit int
	err   error
}

// NewReader reads from r; limit bounds one line in bytes, newline included.
func NewReader(r io.Reader, limit int) *Reader {
	return &Reader{src: bufio.NewReaderSize(r, 64<<10), limit: limit}
}

// Next returns the next line without its newline (\n or \r\n), valid UTF-8 and
// valid JSON. A last line without newline counts. The end is io.EOF; a bad line
// is a *LineError, after which the reader gives the same error for ever. The
// slice belongs to the caller.
func (r *Reader) Next() ([]byte, error) {
	if r.err != nil {
		return nil, r.err
	}
	line, err := r.line()
	if err == nil {
		err = check(line)
	}
	if err != nil {
		r.err = err
		return nil, err
	}
	return line, nil
}

// line reads up to a newline without ever holding more than limit bytes.
func (r *Reader) line() ([]byte, error) {
	var buf []byte
	for {
		part, err := r.src.ReadSlice('\n')
		if len(buf)+len(part) > r.limit {
			return nil, &LineError{Reason: TooLong, Head: head(append(buf, part...)), Limit: r.limit}
		}
		buf = append(buf, part...)
		switch {
		case err == nil:
			return bytes.TrimSuffix(buf[:len(buf)-1], []byte{'\r'}), nil
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF) && len(buf) > 0:
			if check(buf) != nil {
				return nil, &LineError{Reason: Truncated, Head: head(buf)}
			}
			return buf, nil
		default:
			return nil, err
		}
	}
}

func check(line []byte) error {
	switch {
	case !utf8.Valid(line):
		return &LineError{Reason: NotUTF8, Head: head(line)}
	case !json.Valid(line):
		return &LineError{Reason: NotJSON, Head: head(line)}
	}
	return nil
}

func head(line []byte) []byte {
	return bytes.Clone(line[:min(len(line), headSize)])
}
