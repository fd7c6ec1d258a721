package registrytest

import "net/http"

// CutBody declares the whole length, sends n bytes and drops the connection.
func CutBody(n int) Fault {
	return Fault{wrap: func(w http.ResponseWriter, _ *http.Request, _ <-chan struct{}) http.ResponseWriter {
		return &brokenWriter{ResponseWriter: w, left: n, end: func() { panic(http.ErrAbortHandler) }}
	}}
}

// StallBody sends n bytes and then nothing more, until the client or the
// server goes away.
func StallBody(n int) Fault {
	return Fault{wrap: func(w http.ResponseWriter, r *http.Request, closed <-chan struct{}) http.ResponseWriter {
		return &brokenWriter{ResponseWriter: w, left: n, end: func() {
			select {
			case <-r.Context().Done():
			case <-closed:
			}
			panic(http.ErrAbortHandler)
		}}
	}}
}

// CorruptBody flips one bit of the first byte.
func CorruptBody() Fault {
	return Fault{wrap: func(w http.ResponseWriter, _ *http.Request, _ <-chan struct{}) http.ResponseWriter {
		return &corruptWriter{ResponseWriter: w}
	}}
}

// brokenWriter passes on a number of bytes and then ends the answer.
type brokenWriter struct {
	http.ResponseWriter
	left int
	end  func()
}

func (b *brokenWriter) Write(p []byte) (int, error) {
	if len(p) < b.left {
		b.left -= len(p)
		return b.ResponseWriter.Write(p)
	}
	_, _ = b.ResponseWriter.Write(p[:b.left])
	_ = http.NewResponseController(b.ResponseWriter).Flush()
	b.end()
	return 0, http.ErrAbortHandler
}

// statusWriter answers 406 whatever is written.
type statusWriter struct{ http.ResponseWriter }

func (s *statusWriter) WriteHeader(int) {
	s.Header().Del("Content-Length")
	s.ResponseWriter.WriteHeader(http.StatusNotAcceptable)
}

func (s *statusWriter) Write(p []byte) (int, error) { return len(p), nil }

type corruptWriter struct {
	http.ResponseWriter
	done bool
}

func (c *corruptWriter) Write(p []byte) (int, error) {
	if c.done || len(p) == 0 {
		return c.ResponseWriter.Write(p)
	}
	c.done = true
	changed := append([]byte{p[0] ^ 1}, p[1:]...)
	return c.ResponseWriter.Write(changed)
}
