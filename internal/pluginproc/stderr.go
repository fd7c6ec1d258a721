package pluginproc

import (
	"bufio"
	"errors"
	"io"
	"strings"
	"sync"
)

const (
	maxStderrLine = 64 << 10 // bytes; the rest of a longer line is dropped
	tailSize      = 2 << 10  // bytes of stderr that an error shows
)

// readStderr passes whole lines on and remembers the last of them.
func (p *Proc) readStderr(stderr io.Reader) {
	src := bufio.NewReaderSize(stderr, maxStderrLine)
	for {
		line, err := src.ReadSlice('\n')
		cut := errors.Is(err, bufio.ErrBufferFull)
		line = []byte(strings.TrimRight(string(line), "\r\n"))
		if len(line) > 0 || err == nil {
			if cut {
				line = append(line, " … (line cut)"...)
			}
			p.stderrLine(append(line, '\n'))
		}
		for errors.Is(err, bufio.ErrBufferFull) {
			_, err = src.ReadSlice('\n')
		}
		if err != nil {
			return
		}
	}
}

func (p *Proc) stderrLine(line []byte) {
	p.tail.add(line)
	if p.spec.Stderr != nil {
		_, _ = p.spec.Stderr.Write(line) // a log that cannot be written must not end the plugin
	}
}

// tail is the end of a stream.
type tail struct {
	mu  sync.Mutex
	buf []byte
}

func (t *tail) add(b []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, b[max(0, len(b)-tailSize):]...)
	if len(t.buf) > 2*tailSize {
		t.buf = append(t.buf[:0], t.buf[len(t.buf)-tailSize:]...)
	}
}

// text is "" or a phrase that ends a message with the last lines.
func (t *tail) text() string {
	t.mu.Lock()
	last := string(t.buf[max(0, len(t.buf)-tailSize):])
	t.mu.Unlock()
	last = strings.TrimSpace(strings.ToValidUTF8(last, "\ufffd"))
	if last == "" {
		return ""
	}
	return "; the last lines of its stderr:\n" + last
}
