package control

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"sync"
	"time"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/host"
	"github.com/wuu-plugins/wuu/internal/jsonl"
)

// flushLimit is how long the last answers may take to leave.
const flushLimit = time.Second

// errClientGone is the reason for cancelling what a client started.
var errClientGone = fault.New(fault.Plugin, host.CodeCancelled, "", "the client went away")

// conn is the host's end of one connection. Requests run at the same time and
// are answered in any order.
type conn struct {
	server *Server
	net    net.Conn
	out    *jsonl.Writer
	ctx    context.Context // ends with the connection
	cancel context.CancelCauseFunc
	close  sync.Once

	mu    sync.Mutex
	calls map[string]context.CancelCauseFunc // running tool/calls, by id
}

func newConn(s *Server, n net.Conn) *conn {
	c := &conn{server: s, net: n, out: jsonl.NewWriter(n, nil), calls: map[string]context.CancelCauseFunc{}}
	c.ctx, c.cancel = context.WithCancelCause(s.ctx)
	return c
}

// serve reads requests until the client goes.
func (c *conn) serve() {
	var running sync.WaitGroup
	in := jsonl.NewReader(c.net, maxLine)
	for {
		line, err := in.Next()
		if err != nil {
			if bad := (*jsonl.LineError)(nil); errors.As(err, &bad) {
				c.send(message{ID: json.RawMessage("null"), Error: &rpcError{Code: codeParse, Message: err.Error()}})
			}
			break
		}
		var m message
		if err := json.Unmarshal(line, &m); err != nil || m.Version != "2.0" || m.Method == "" {
			c.send(message{ID: json.RawMessage("null"), Error: &rpcError{Code: codeInvalidRequest, Message: "not a JSON-RPC 2.0 request"}})
			continue
		}
		if len(m.ID) == 0 {
			c.notified(m)
			continue
		}
		ctx := c.begin(m)
		running.Go(func() { c.answer(ctx, m) })
	}
	c.cancel(errClientGone)
	running.Wait()
	c.end()
	c.server.forget(c)
}

// begin makes the request's context; a tool/call is registered in the order of
// reading, so that a tool/cancel right behind it finds it.
func (c *conn) begin(m message) context.Context {
	ctx, cancel := context.WithCancelCause(c.ctx)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.calls[string(m.ID)] = cancel
	return ctx
}

func (c *conn) answer(ctx context.Context, m message) {
	defer func() {
		c.mu.Lock()
		cancel := c.calls[string(m.ID)]
		delete(c.calls, string(m.ID))
		c.mu.Unlock()
		if cancel != nil {
			cancel(nil)
		}
	}()
	result, rpcErr := c.dispatch(ctx, m)
	if rpcErr != nil {
		c.send(message{ID: m.ID, Error: rpcErr})
		return
	}
	b, err := raw(result)
	if err != nil {
		c.send(message{ID: m.ID, Error: failed(err)})
		return
	}
	c.send(message{ID: m.ID, Result: b})
	if m.Method == methodStop {
		go c.server.stop()
	}
}

// notified takes a notification; unknown ones are ignored, as JSON-RPC says.
func (c *conn) notified(m message) {
	if m.Method != methodCancel {
		return
	}
	var p cancelParams
	if json.Unmarshal(m.Params, &p) != nil {
		return
	}
	reason := p.Reason
	if reason == "" {
		reason = "cancelled by the client"
	}
	c.mu.Lock()
	cancel := c.calls[string(p.Call)]
	c.mu.Unlock()
	if cancel != nil {
		cancel(fault.New(fault.Interrupt, host.CodeCancelled, "", "%s", reason))
	}
}

// send queues a message. A client that does not read loses its connection,
// and with it everything it has started.
func (c *conn) send(m message) {
	b, err := encode(m)
	if err == nil {
		err = c.out.Post(b)
	}
	if errors.Is(err, jsonl.ErrBacklog) {
		_ = c.net.Close() // the reader sees it
	}
}

// end closes the connection after what is queued has left.
func (c *conn) end() {
	c.close.Do(func() {
		c.cancel(errClientGone)
		c.out.Close()
		timer := time.NewTimer(flushLimit)
		defer timer.Stop()
		select {
		case <-c.out.Done():
		case <-timer.C:
		}
		_ = c.net.Close() // nobody is left to tell
		<-c.out.Done()
	})
}

var _ io.Closer = (*Client)(nil)
