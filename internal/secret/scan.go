package secret

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"slices"
)

const (
	// BufferSize is the least size of a buffer for Scan.
	BufferSize = window + lookBack + lookAhead

	window    = 256 << 10
	lookBack  = 1 << 10  // how far before its trigger a find may start
	lookAhead = 32 << 10 // how far behind it may end; a longer one is cut there
	sniff     = 8 << 10  // a NUL in that many bytes makes a file binary, as in git
)

// Options say what to look for.
type Options struct {
	Visible bool // do not look for hidden characters
	Only    bool // look for hidden characters and nothing else
}

// Scan reads r to its end and returns the finds in order. name is the file's
// slash-separated path, which some rules go by. buf is reused between calls;
// a file of any size is read through it.
func Scan(name string, r io.Reader, buf []byte, o Options) ([]Hit, error) {
	s := &scanner{name: name, data: buf[:0], o: o}
	for first := true; ; first = false {
		n, err := fill(r, buf[len(s.data):BufferSize])
		s.data = buf[:len(s.data)+n]
		last := errors.Is(err, io.EOF)
		if err != nil && !last {
			return nil, err
		}
		if first {
			s.start(last)
		}
		to := len(s.data) - 1
		if !last {
			to = len(s.data) - lookAhead
		}
		s.run(to)
		if last || len(s.hits) >= MaxHits {
			slices.SortStableFunc(s.hits, func(a, b Hit) int { return cmp.Compare(a.Start, b.Start) })
			return s.hits, nil
		}
		s.shift(to)
	}
}

// Bytes is Scan of content that is at hand.
func Bytes(name string, content []byte, o Options) []Hit {
	hits, _ := Scan(name, bytes.NewReader(content), make([]byte, BufferSize), o) // such a reader has no errors
	return hits
}

func fill(r io.Reader, p []byte) (n int, err error) {
	for n < len(p) && err == nil {
		var m int
		m, err = r.Read(p[n:])
		n += m
	}
	return n, err
}

// scanner is one run over one file.
type scanner struct {
	name  string
	o     Options
	table *table
	data  []byte // the part of the file that is in memory
	base  int64  // offset of data in the file
	at    int    // where in data the search goes on
	done  int64  // offset behind the last hit
	hits  []Hit
}

// start looks at the beginning of the file.
func (s *scanner) start(whole bool) {
	s.table = tables().text
	if bytes.IndexByte(s.data[:min(len(s.data), sniff)], 0) >= 0 {
		s.table = tables().binary
	}
	if s.o.Only {
		return
	}
	if hit, ok := container(s.data); ok {
		s.hits = append(s.hits, hit)
	}
	if whole {
		s.hits = append(s.hits, credentials(s.name, s.data)...)
	}
}

func (s *scanner) run(to int) {
	for len(s.hits) < MaxHits {
		i := s.table.next(s.data, s.at, to)
		if i >= to {
			s.at = max(s.at, to+(to-s.at)&1)
			return
		}
		s.at = i + 2
		for _, p := range s.table.probes[s.table.bucket[pairOf(s.data[i], s.data[i+1])]] {
			s.try(p, i)
		}
	}
}

// try asks one rule about the pair at i.
func (s *scanner) try(p probe, i int) {
	hidden := p.rule.code == Hidden
	if hidden && s.o.Visible || !hidden && s.o.Only {
		return
	}
	at := i - p.before
	to := at + len(p.rule.literal)
	if at < 0 || to > len(s.data) || string(s.data[at:to]) != p.rule.literal {
		return
	}
	hit, ok := p.rule.match(s.data, at, s.base == 0)
	if !ok {
		return
	}
	start, end := s.base+int64(hit.start), s.base+int64(hit.end)
	if start < s.done || s.covered(start) {
		return
	}
	s.done = end
	s.hits = append(s.hits, Hit{Code: p.rule.code, Message: hit.what, Hint: p.rule.hint, Start: start, End: end})
}

// covered reports whether a rule about the file's name has found this place.
func (s *scanner) covered(start int64) bool {
	for _, h := range s.hits {
		if start >= h.Start && start < h.End {
			return true
		}
	}
	return false
}

// shift drops what was searched, but for the context of what comes.
func (s *scanner) shift(to int) {
	keep := max(min(to, s.at)-lookBack, 0)
	n := copy(s.data[:cap(s.data)], s.data[keep:])
	s.data = s.data[:n]
	s.base += int64(keep)
	s.at -= keep
}
