package jsonl

import (
	"context"
	"errors"
	"io"
	"slices"
	"sync"
)

// ErrClosed is returned for lines that come after Close.
var ErrClosed = errors.New("writer is closed")

// ErrBacklog is returned by Post when too much waits for a reader that does
// not read.
var ErrBacklog = errors.New("the other side does not read")

// maxBacklog bounds, in bytes, what Post may leave waiting.
const maxBacklog = 16 << 20

// Writer sends whole lines from any number of goroutines. One goroutine of its
// own does the writing, so that a reader that is stuck blocks nobody longer
// than their context allows, and lines never interleave.
type Writer struct {
	dst    io.Writer
	sent   func(line []byte)
	wake   chan struct{}
	done   chan struct{}
	mu     sync.Mutex
	queue  []*item
	posted int // bytes of posted lines in queue
	closed bool
	err    error
}

type item struct {
	line   []byte
	posted bool
	done   chan error // buffered, gets one value
}

// NewWriter starts a writer over dst. sent, when set, sees each line, without
// newline, just before it is written. The writer ends with Close, or with the
// first error of dst.
func NewWriter(dst io.Writer, sent func(line []byte)) *Writer {
	w := &Writer{dst: dst, sent: sent, wake: make(chan struct{}, 1), done: make(chan struct{})}
	go w.run()
	return w
}

// Write sends line, which holds no newline, and returns when dst has taken it.
// When ctx ends earlier it returns the cause at once: a line that still waits
// is dropped, one that is being written is written to its end.
func (w *Writer) Write(ctx context.Context, line []byte) error {
	it := &item{line: line, done: make(chan error, 1)}
	if err := w.enqueue(it); err != nil {
		return err
	}
	select {
	case err := <-it.done:
		return err
	case <-ctx.Done():
		w.drop(it)
		return context.Cause(ctx)
	}
}

// Post sends line without waiting. It fails with ErrBacklog when 16 MiB of
// posted lines wait already.
func (w *Writer) Post(line []byte) error {
	return w.enqueue(&item{line: line, posted: true, done: make(chan error, 1)})
}

// Close takes no more lines; those that wait are still written. Done tells
// when.
func (w *Writer) Close() {
	w.mu.Lock()
	w.closed = true
	w.mu.Unlock()
	w.signal()
}

// Done is closed when nothing will be written any more.
func (w *Writer) Done() <-chan struct{} { return w.done }

func (w *Writer) enqueue(it *item) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.err != nil:
		return w.err
	case w.closed:
		return ErrClosed
	case it.posted && w.posted > 0 && w.posted+len(it.line) > maxBacklog:
		return ErrBacklog
	}
	if it.posted {
		w.posted += len(it.line)
	}
	w.queue = append(w.queue, it)
	w.signal()
	return nil
}

func (w *Writer) signal() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

func (w *Writer) drop(it *item) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if i := slices.Index(w.queue, it); i >= 0 {
		w.queue = slices.Delete(w.queue, i, i+1)
	}
}

func (w *Writer) run() {
	defer close(w.done)
	for {
		it, end := w.next()
		if end {
			return
		}
		if it == nil {
			<-w.wake
			continue
		}
		if w.sent != nil {
			w.sent(it.line)
		}
		_, err := w.dst.Write(append(it.line[:len(it.line):len(it.line)], '\n'))
		it.done <- err
		if err != nil {
			w.fail(err)
			return
		}
	}
}

func (w *Writer) next() (it *item, end bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.queue) == 0 {
		return nil, w.closed
	}
	it = w.queue[0]
	w.queue = w.queue[1:]
	if it.posted {
		w.posted -= len(it.line)
	}
	return it, false
}

// fail gives err to everything that waits and will come.
func (w *Writer) fail(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.err = err
	for _, it := range w.queue {
		it.done <- err
	}
	w.queue = nil
}
