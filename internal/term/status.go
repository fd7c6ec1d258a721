package term

import (
	"fmt"
	"sync"
)

// Status is one live line on a terminal; on anything else, and on a dumb
// terminal, it shows nothing.
type Status struct {
	mu    sync.Mutex
	t     *IO
	shown string // "" when there is no line
}

// Status returns the one status line of t.
func (t *IO) Status() *Status {
	if t.status == nil {
		t.status = &Status{t: t}
	}
	return t.status
}

func (s *Status) live() bool { return s.t.ErrTTY && !s.t.dumb }

// Show replaces the line, cut to the width of the terminal: a longer one would
// wrap and could not be taken away again.
func (s *Status) Show(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.show(text)
}

// show overwrites the line in place and erases only what is left of a longer
// one, so that nothing flickers.
func (s *Status) show(text string) {
	text = cut(Clean(text), s.t.columns()-1)
	if !s.live() || text == "" || text == s.shown {
		return
	}
	fmt.Fprintf(s.t.Err, "\r%s\x1b[K", text)
	s.shown = text
}

// replace is show for a line that is still there: after Clear it does nothing.
func (s *Status) replace(text string) (there bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.shown == "" {
		return false
	}
	s.show(text)
	return true
}

// Clear takes the line away, so that other output starts at column 1.
func (s *Status) Clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.shown != "" {
		fmt.Fprint(s.t.Err, "\r\x1b[K")
		s.shown = ""
	}
}

// cut keeps the first n characters.
func cut(text string, n int) string {
	for i := range text {
		if n--; n < 0 {
			return text[:i]
		}
	}
	return text
}
