package term

import (
	"fmt"
	"io"
	"sync"
)

// Status is one live line on a terminal; on anything else it shows nothing.
type Status struct {
	mu    sync.Mutex
	w     io.Writer
	live  bool
	shown bool
}

// Status returns the one status line of t.
func (t *IO) Status() *Status {
	if t.status == nil {
		t.status = &Status{w: t.Err, live: t.ErrTTY}
	}
	return t.status
}

// Show replaces the line.
func (s *Status) Show(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.live {
		return
	}
	fmt.Fprintf(s.w, "\r\x1b[2K%s", Clean(text))
	s.shown = true
}

// Clear takes the line away, so that other output starts at column 1.
func (s *Status) Clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.shown {
		fmt.Fprint(s.w, "\r\x1b[2K")
		s.shown = false
	}
}
