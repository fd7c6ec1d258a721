package contract

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/wuu-plugins/wuu/internal/protocol"
)

const (
	shownFrames = 20      // of a failure
	shownLog    = 20      // lines of stderr of a failure
	maxShown    = 1 << 10 // bytes of one frame or line
)

// recorder sees everything that goes between the host and the plugin.
type recorder struct {
	log io.Writer // nil discards

	mu       sync.Mutex
	frames   []Frame // the last ones
	dropped  int     // frames before them
	lines    []string
	requests map[string]string         // of the lifecycle: id → method
	answers  map[string]protocol.Frame // of the lifecycle: method → answer
}

func newRecorder(log io.Writer) *recorder {
	return &recorder{log: log, requests: map[string]string{}, answers: map[string]protocol.Frame{}}
}

// trace is the host's hook.
func (r *recorder) trace(_ string, toPlugin bool, line []byte) {
	direction := "to_host"
	if toPlugin {
		direction = "to_plugin"
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.frames = append(r.frames, Frame{direction, cut(line)})
	if len(r.frames) > 10*shownFrames {
		r.dropped += len(r.frames) - shownFrames
		r.frames = slices.Delete(r.frames, 0, len(r.frames)-shownFrames)
	}
	r.lifecycle(toPlugin, line)
}

// lifecycle keeps whole what initialize, prepare and activate were answered.
func (r *recorder) lifecycle(toPlugin bool, line []byte) {
	if toPlugin && len(r.requests) == 3 || !toPlugin && len(r.answers) == len(r.requests) {
		return
	}
	f, err := protocol.ParseFrame(line)
	if err != nil {
		return
	}
	if !toPlugin {
		if method, ok := r.requests[f.ID]; ok && !f.IsRequest() {
			r.answers[method] = f
		}
		return
	}
	switch f.Method {
	case protocol.MethodInitialize, protocol.MethodPrepare, protocol.MethodActivate:
		r.requests[f.ID] = f.Method
	}
}

// sent reports whether the host asked for method.
func (r *recorder) sent(method string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, m := range r.requests {
		if m == method {
			return true
		}
	}
	return false
}

// answer is what a lifecycle method was answered.
func (r *recorder) answer(method string) (protocol.Frame, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f, ok := r.answers[method]
	return f, ok
}

// Write takes the host's log, whole lines.
func (r *recorder) Write(p []byte) (int, error) {
	r.mu.Lock()
	for line := range bytes.Lines(p) {
		r.lines = append(r.lines, cut(bytes.TrimRight(line, "\r\n")))
	}
	r.lines = r.lines[max(0, len(r.lines)-shownLog):]
	r.mu.Unlock()
	if r.log == nil {
		return len(p), nil
	}
	return r.log.Write(p)
}

// mark is a point in time for since.
func (r *recorder) mark() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.dropped + len(r.frames)
}

// since gives the last frames after mark, and the last lines of the log.
func (r *recorder) since(mark int) ([]Frame, []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	from := max(0, mark-r.dropped, len(r.frames)-shownFrames)
	return slices.Clone(r.frames[from:]), slices.Clone(r.lines)
}

func cut(line []byte) string {
	text := strings.ToValidUTF8(string(line[:min(len(line), maxShown)]), "\ufffd")
	if len(line) > maxShown {
		text += fmt.Sprintf("… (%d bytes)", len(line))
	}
	return text
}
