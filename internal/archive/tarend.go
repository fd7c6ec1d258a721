package archive

import (
	"errors"
	"io"
)

// full reads all of p. io.EOF means that not one byte was there; a partial
// read is reported as a cut.
func (t *tgzReader) full(p []byte) error {
	for n := 0; n < len(p); {
		m, err := t.g.Read(p[n:])
		n += m
		if err == io.EOF && n == 0 {
			return io.EOF
		}
		if err != nil && n < len(p) {
			return t.truncated(err, "")
		}
	}
	return nil
}

// truncated reports an end that came too early; other errors were reported
// where they arose.
func (t *tgzReader) truncated(err error, entry string) error {
	if errors.Is(err, io.EOF) {
		t.report(Problem{Code: "ARCHIVE_TRUNCATED", Entry: entry, Message: "the tar ends in the middle of an entry"})
		return ErrRefused
	}
	return err
}

func (t *tgzReader) discard(n int64) error {
	if n <= 0 {
		return nil
	}
	m, err := io.CopyN(io.Discard, t.g, n)
	if err != nil && m < n {
		return t.truncated(err, t.name)
	}
	return nil
}

// end checks everything behind the first zero block: another zero block and
// nothing but zeros up to the end of the gzip data.
func (t *tgzReader) end() error {
	data := false
	err := t.drain(func(p []byte) {
		if !data && !allZero(p) {
			data = true
			t.report(Problem{Code: "TAR_AFTER_EOF", Message: "data follows the end marker of the tar; some readers go on and some stop"})
		}
	})
	if err == nil {
		err = io.EOF
	}
	return err
}

// drain reads the gzip data to its end, so that its checksum and what follows
// it are looked at even when the tar inside cannot be followed any more. With
// see == nil it returns ErrRefused unless reading failed.
func (t *tgzReader) drain(see func([]byte)) error {
	buf := make([]byte, 16<<10)
	for {
		n, err := t.g.Read(buf)
		if see != nil {
			see(buf[:n])
		}
		switch {
		case err == io.EOF && see != nil:
			return nil
		case err == io.EOF:
			return ErrRefused
		case err != nil:
			return err
		}
	}
}
