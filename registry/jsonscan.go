package registry

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// jsonScanner reads a JSON text without keeping what is skipped: a value that
// nobody asked for costs neither memory nor checks beyond its brackets and
// strings.
type jsonScanner struct {
	r        io.Reader
	buf      []byte
	pos, end int
}

// maxScanned is the longest string that is read, in bytes as written.
const maxScanned = 4096

func newJSONScanner(r io.Reader) *jsonScanner {
	return &jsonScanner{r: r, buf: make([]byte, 64<<10)}
}

// byte returns the next byte.
func (s *jsonScanner) byte() (byte, error) {
	for s.pos == s.end {
		n, err := s.r.Read(s.buf)
		s.pos, s.end = 0, n
		if n == 0 && err != nil {
			return 0, err
		}
	}
	b := s.buf[s.pos]
	s.pos++
	return b, nil
}

// back gives the last byte back; only right after byte.
func (s *jsonScanner) back() { s.pos-- }

// token returns the next byte that is no white space; the end is an error.
func (s *jsonScanner) token() (byte, error) {
	for {
		b, err := s.byte()
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		if err != nil || b != ' ' && b != '\t' && b != '\r' && b != '\n' {
			return b, err
		}
	}
}

// finish demands that only white space follows.
func (s *jsonScanner) finish() error {
	b, err := s.token()
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil
	case err != nil:
		return err
	}
	return fmt.Errorf("%q stands behind the document", b)
}

// text reads the rest of a string whose opening quote was read.
func (s *jsonScanner) text() (string, error) {
	raw := []byte{'"'}
	for escaped := false; ; {
		b, err := s.byte()
		if err != nil {
			return "", unexpected(err)
		}
		if raw = append(raw, b); len(raw) > maxScanned {
			return "", fmt.Errorf("a name has more than %d bytes", maxScanned)
		}
		if b == '"' && !escaped {
			break
		}
		escaped = b == '\\' && !escaped
	}
	var out string
	err := json.Unmarshal(raw, &out)
	return out, err
}

// skipText passes the rest of a string whose opening quote was read.
func (s *jsonScanner) skipText() error {
	for {
		b, err := s.byte()
		if err != nil {
			return unexpected(err)
		}
		switch b {
		case '"':
			return nil
		case '\\':
			if _, err := s.byte(); err != nil {
				return unexpected(err)
			}
			continue
		}
		// Most of a packument is text: pass what is plain in it at once.
		at := s.pos
		for _, b := range s.buf[at:s.end] {
			if b == '"' || b == '\\' {
				break
			}
			at++
		}
		s.pos = at
	}
}

// skip passes a value.
func (s *jsonScanner) skip() error {
	for depth := 0; ; {
		b, err := s.token()
		if err != nil {
			return err
		}
		switch b {
		case '"':
			err = s.skipText()
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		case ',', ':':
			if depth == 0 {
				return fmt.Errorf("%q stands where a value is wanted", b)
			}
		default:
			err = s.skipWord()
		}
		switch {
		case err != nil:
			return err
		case depth < 0:
			return fmt.Errorf("%q stands where a value is wanted", b)
		case depth == 0:
			return nil
		}
	}
}

// skipWord passes the rest of a number, true, false or null.
func (s *jsonScanner) skipWord() error {
	for {
		b, err := s.byte()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		switch b {
		case ',', ':', '}', ']', '{', '[', '"', ' ', '\t', '\r', '\n':
			s.back()
			return nil
		}
	}
}

// object calls member for each member's key, with the scanner at its value,
// which member must read or skip. null is an object without members.
func (s *jsonScanner) object(member func(key string) error) error {
	b, err := s.token()
	if err != nil {
		return err
	}
	if b == 'n' {
		return s.skipWord()
	}
	if b != '{' {
		return fmt.Errorf("%q stands where an object is wanted", b)
	}
	for first := true; ; first = false {
		if b, err = s.token(); err != nil {
			return err
		}
		if first && b == '}' {
			return nil
		}
		if b != '"' {
			return fmt.Errorf("%q stands where a name is wanted", b)
		}
		key, err := s.text()
		if err != nil {
			return err
		}
		if b, err = s.token(); err != nil {
			return err
		}
		if b != ':' {
			return fmt.Errorf("%q stands where a colon is wanted", b)
		}
		if err := member(key); err != nil {
			return err
		}
		if b, err = s.token(); err != nil {
			return err
		}
		if b == '}' {
			return nil
		}
		if b != ',' {
			return fmt.Errorf("%q stands where a comma is wanted", b)
		}
	}
}

// value reads a string; any other value is skipped and gives "".
func (s *jsonScanner) value() (string, error) {
	b, err := s.token()
	if err != nil {
		return "", err
	}
	if b == '"' {
		return s.text()
	}
	s.back()
	return "", s.skip()
}

func unexpected(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
