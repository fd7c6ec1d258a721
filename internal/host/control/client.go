package control

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"strconv"
	"sync"
	"time"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/host"
	"github.com/wuu-plugins/wuu/internal/jsonl"
	"github.com/wuu-plugins/wuu/internal/paths"
)

// answerWithin is how long a host may take to answer DialAll's question.
const answerWithin = 2 * time.Second

// Client talks to one live host. Its methods may be called at the same time.
type Client struct {
	entry Entry
	net   net.Conn
	out   *jsonl.Writer
	done  chan struct{} // closed when nothing is read any more
	close sync.Once

	mu      sync.Mutex
	last    uint64
	pending map[string]*request
	ended   bool
}

var (
	_ host.Controller = (*Client)(nil)
	_ host.Discarder  = (*Client)(nil)
)

// request waits for its answer.
type request struct {
	answer chan message // buffered

	mu     sync.Mutex
	over   bool
	update func(host.Update)
}

func (r *request) updated(u host.Update) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.over && r.update != nil {
		r.update(u)
	}
}

// Dial connects to one host.
func Dial(ctx context.Context, e Entry) (*Client, error) {
	var d net.Dialer
	n, err := d.DialContext(ctx, "unix", e.Socket)
	if err != nil {
		if cause := context.Cause(ctx); cause != nil {
			return nil, cause
		}
		return nil, fault.New(fault.Plugin, host.CodeHostGone, e.ID, "connect to the host: %w", err)
	}
	return newClient(e, n), nil
}

func newClient(e Entry, n net.Conn) *Client {
	c := &Client{entry: e, net: n, out: jsonl.NewWriter(n, nil), done: make(chan struct{}), pending: map[string]*request{}}
	go c.read()
	return c
}

// DialAll connects to every live host; a host that does not answer within 2 s
// is named in the error list and left out.
func DialAll(ctx context.Context, home paths.Home) ([]*Client, []error) {
	return dialAll(ctx, home, answerWithin)
}

func dialAll(ctx context.Context, home paths.Home, limit time.Duration) ([]*Client, []error) {
	entries, err := List(home)
	if err != nil {
		return nil, []error{err}
	}
	clients := make([]*Client, len(entries))
	errs := make([]error, len(entries))
	var wait sync.WaitGroup
	for n, e := range entries {
		wait.Go(func() { clients[n], errs[n] = dialAnswering(ctx, e, limit) })
	}
	wait.Wait()
	var live []*Client
	var missing []error
	for n := range entries {
		if errs[n] != nil {
			missing = append(missing, errs[n])
			continue
		}
		live = append(live, clients[n])
	}
	return live, missing
}

// dialAnswering also asks the host something: the system accepts connections
// for a process that is stopped or stuck.
func dialAnswering(ctx context.Context, e Entry, limit time.Duration) (*Client, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, limit, silent(e, limit))
	defer cancel()
	c, err := Dial(ctx, e)
	if err != nil {
		return nil, err
	}
	if _, err := c.Status(ctx); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// Entry is the registration the client was dialled from.
func (c *Client) Entry() Entry { return c.entry }

// ID is the host's id.
func (c *Client) ID() string { return c.entry.ID }

// Close ends the connection; the host cancels what the client has started.
func (c *Client) Close() error {
	c.close.Do(func() {
		_ = c.net.Close() // ends both directions
		c.out.Close()
		<-c.out.Done()
	})
	<-c.done
	return nil
}

// read hands every message to whom it is for, in order.
func (c *Client) read() {
	in := jsonl.NewReader(c.net, maxLine)
	for {
		line, err := in.Next()
		if err != nil {
			break
		}
		var m message
		if json.Unmarshal(line, &m) != nil {
			break
		}
		if m.Method == methodUpdate {
			var p updateParams
			if json.Unmarshal(m.Params, &p) == nil {
				if r := c.find(string(p.Call)); r != nil {
					r.updated(p.Update)
				}
			}
			continue
		}
		if r := c.find(string(m.ID)); r != nil && m.Method == "" {
			select {
			case r.answer <- m:
			default: // a second answer
			}
		}
	}
	c.mu.Lock()
	c.ended = true
	pending := c.pending
	c.pending = nil
	c.mu.Unlock()
	for _, r := range pending {
		close(r.answer)
	}
	close(c.done)
}

func (c *Client) find(id string) *request {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.pending[id]
}

// call is exchange with a host that must go on answering.
func (c *Client) call(ctx context.Context, method string, params, into any, update func(host.Update), abandoned func(id json.RawMessage, why error)) error {
	ctx, stop := c.watched(ctx)
	defer stop()
	return c.exchange(ctx, method, params, into, update, abandoned)
}

// exchange sends a request and decodes its result. The end of ctx calls
// abandoned, if set, with the request's id and the cause.
func (c *Client) exchange(ctx context.Context, method string, params, into any, update func(host.Update), abandoned func(id json.RawMessage, why error)) error {
	r := &request{answer: make(chan message, 1), update: update}
	c.mu.Lock()
	c.last++
	id := strconv.FormatUint(c.last, 10)
	ended := c.ended
	if !ended {
		c.pending[id] = r
	}
	c.mu.Unlock()
	if ended {
		return c.gone()
	}
	defer func() {
		c.mu.Lock()
		delete(c.pending, id)
		c.mu.Unlock()
		r.mu.Lock()
		r.over = true
		r.mu.Unlock()
	}()
	p, err := raw(params)
	if err != nil {
		return err
	}
	line, err := encode(message{ID: json.RawMessage(id), Method: method, Params: p})
	if err != nil {
		return err
	}
	if err := c.out.Write(ctx, line); err != nil && context.Cause(ctx) == nil {
		return c.gone()
	}
	select {
	case m, ok := <-r.answer:
		return c.received(m, ok, into)
	case <-ctx.Done():
		if abandoned != nil {
			abandoned(json.RawMessage(id), context.Cause(ctx))
		}
		return context.Cause(ctx)
	}
}

func (c *Client) received(m message, ok bool, into any) error {
	switch {
	case !ok:
		return c.gone()
	case m.Error != nil:
		return m.Error.err()
	}
	if err := json.Unmarshal(m.Result, into); err != nil {
		return fault.New(fault.Plugin, "HOST_PROTOCOL", c.entry.ID, "read the host's answer: %w", err)
	}
	return nil
}

func (c *Client) gone() error {
	return fault.New(fault.Plugin, host.CodeHostGone, c.entry.ID, "the host (%s, process %d) has ended", c.entry.Product, c.entry.PID)
}
