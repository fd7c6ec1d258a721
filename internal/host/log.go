package host

import (
	"bytes"
	"io"
	"sync"
)

// log writes whole lines, each tagged with whom it is about.
type log struct {
	mu  sync.Mutex
	out io.Writer // nil discards
}

func (l *log) note(tag, text string) {
	if l.out == nil {
		return
	}
	line := append([]byte("["+tag+"] "), text...)
	l.mu.Lock()
	defer l.mu.Unlock()
	_, _ = l.out.Write(append(line, '\n')) // a host works on without its log
}

// tagged is where the stderr of a plugin goes: whole lines come in.
func (l *log) tagged(tag string) io.Writer { return tagged{l, tag} }

type tagged struct {
	log *log
	tag string
}

func (t tagged) Write(p []byte) (int, error) {
	for line := range bytes.Lines(p) {
		t.log.note(t.tag, string(bytes.TrimRight(line, "\r\n")))
	}
	return len(p), nil
}
