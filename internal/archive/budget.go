package archive

import (
	"fmt"
	"io"
)

// budget counts content bytes as they are read; declared sizes count nothing.
type budget struct {
	max    int64
	code   string
	size   int64 // of the archive
	used   int64
	ratio  int64
	report func(Problem)
}

func newBudget(size int64, o Options) *budget {
	limit, code := o.Limits.Content(size)
	return &budget{max: limit, code: code, size: size, ratio: o.Limits.Ratio, report: o.Report}
}

// take counts n bytes of the named entry; false means that the limit is
// passed, which is reported once by the caller stopping.
func (b *budget) take(entry string, n int) bool {
	b.used += int64(n)
	if b.used <= b.max {
		return true
	}
	message := sizeMessage("the content is larger than allowed:", b.used, b.max)
	if b.code == "LIMIT_RATIO" {
		message = fmt.Sprintf("the content is more than %d times as large as the archive of %d bytes", b.ratio, b.size)
	}
	b.report(Problem{Code: b.code, Entry: entry, Message: message})
	return false
}

func sizeMessage(what string, got, limit int64) string {
	return fmt.Sprintf("%s %d bytes, at most %d are allowed", what, got, limit)
}

func entriesProblem(limit int) Problem {
	return Problem{Code: "LIMIT_ENTRIES", Message: fmt.Sprintf("the archive has more than %d entries; reading stopped there", limit)}
}

// source remembers an error of the underlying reader, so that it is not taken
// for a broken archive, and counts what was read.
type source struct {
	r   io.Reader
	n   int64
	err error
}

func (s *source) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	s.n += int64(n)
	if err != nil && err != io.EOF {
		s.err = err
	}
	return n, err
}
