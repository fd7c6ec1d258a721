package term

import (
	"context"
	"errors"
	"io"
	"sync/atomic"
	"syscall"
)

// output is standard output or standard error. It tells when its reader has
// gone: whatever writes for long must not go on for nobody.
type output struct {
	w    io.Writer
	gone *atomic.Pointer[func()]
}

// Write passes p on.
func (o output) Write(p []byte) (int, error) {
	n, err := o.w.Write(p)
	if errors.Is(err, syscall.EPIPE) {
		if gone := o.gone.Load(); gone != nil {
			(*gone)()
		}
	}
	return n, err
}

// OnReaderGone makes writes to a pipe whose other end is closed call gone, each
// time. The system ends the process before, unless SIGPIPE is caught.
func (t *IO) OnReaderGone(gone func()) { t.gone.Store(&gone) }

// Input is In with reads that the end of ctx ends, with its cause. What such a
// read would still have got is lost.
func (t *IO) Input(ctx context.Context) io.Reader { return input{ctx, t.In} }

type input struct {
	ctx context.Context
	r   io.Reader
}

func (i input) Read(p []byte) (int, error) {
	type answer struct {
		n   int
		err error
	}
	own := make([]byte, len(p)) // the caller may reuse p before the read ends
	answers := make(chan answer, 1)
	go func() {
		n, err := i.r.Read(own)
		answers <- answer{n, err}
	}()
	select {
	case a := <-answers:
		return copy(p, own[:a.n]), a.err
	case <-i.ctx.Done():
		return 0, context.Cause(i.ctx)
	}
}
