package httpx

import (
	"context"
	"io"
	"time"
)

// guard ends a request that stays silent for IdleTimeout, or whose body trickles
// with less than SlowFloor bytes in SlowWindow. Its clock runs only while the
// network is waited for, not while the caller works.
type guard struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	timer  *time.Timer
	since  time.Time     // of the wait that goes on
	waited time.Duration // in this window
	bytes  int           // in this window
}

func newGuard(parent context.Context) (context.Context, *guard) {
	ctx, cancel := context.WithCancelCause(parent)
	g := &guard{ctx: ctx, cancel: cancel}
	g.timer = time.AfterFunc(IdleTimeout, func() { cancel(errSilent) })
	g.timer.Stop()
	return ctx, g
}

func (g *guard) start() {
	g.since = time.Now()
	g.timer.Reset(IdleTimeout)
}

func (g *guard) pause() { g.timer.Stop() }

// count adds what a read of the body brought.
func (g *guard) count(n int) {
	g.waited += time.Since(g.since)
	if g.bytes += n; g.bytes >= SlowFloor {
		g.waited, g.bytes = 0, 0
	}
	if g.waited >= SlowWindow {
		g.cancel(errSlow)
	}
}

func (g *guard) end() {
	g.timer.Stop()
	g.cancel(nil)
}

// explain returns why the request was ended, if it was, else err.
func (g *guard) explain(err error) error {
	if err != nil && err != io.EOF && g.ctx.Err() != nil {
		return context.Cause(g.ctx)
	}
	return err
}

// guardedBody runs the guard's clock during reads.
type guardedBody struct {
	io.ReadCloser
	g *guard
}

func (b *guardedBody) Read(p []byte) (int, error) {
	b.g.start()
	n, err := b.ReadCloser.Read(p)
	b.g.pause()
	b.g.count(n)
	if err == nil && b.g.ctx.Err() != nil {
		err = b.g.ctx.Err()
	}
	return n, b.g.explain(err)
}

func (b *guardedBody) Close() error {
	defer b.g.end()
	return b.ReadCloser.Close()
}
