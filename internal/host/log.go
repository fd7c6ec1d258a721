package host

import (
	"bytes"
	"io"
	"strings"
	"sync"
)

// log writes whole lines, each tagged with whom it is about.
type log struct {
	mu  sync.Mutex
	out io.Writer // nil discards
}

// note writes one line. What a message quotes of a plugin's stderr below its
// first line is left out: those lines are in the log already.
func (l *log) note(tag, text string) {
	if l.out == nil {
		return
	}
	if first, _, more := strings.Cut(text, "\n"); more {
		text, _, _ = strings.Cut(first, "; the last lines")
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
