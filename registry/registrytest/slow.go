package registrytest

import (
	"net/http"
	"time"
)

// SlowBody sends n bytes at a time with a pause behind each, as a bad line does.
func SlowBody(n int, pause time.Duration) Fault {
	return Fault{wrap: func(w http.ResponseWriter, r *http.Request, closed <-chan struct{}) http.ResponseWriter {
		return &slowWriter{w, r, n, pause, closed}
	}}
}

type slowWriter struct {
	http.ResponseWriter
	request *http.Request
	n       int
	pause   time.Duration
	closed  <-chan struct{}
}

// Write sends p slowly.
func (s *slowWriter) Write(p []byte) (written int, err error) {
	for len(p) > 0 {
		n, err := s.ResponseWriter.Write(p[:min(s.n, len(p))])
		written += n
		if err != nil {
			return written, err
		}
		p = p[n:]
		_ = http.NewResponseController(s.ResponseWriter).Flush()
		select {
		case <-time.After(s.pause):
		case <-s.request.Context().Done():
			return written, http.ErrAbortHandler
		case <-s.closed:
			return written, http.ErrAbortHandler
		}
	}
	return written, nil
}
