// Package httpx is how wuu talks to registries: GET over HTTPS without
// credentials or cookies, redirects only inside one origin, proxies and
// certificates from the environment, three tries, limits on size and silence,
// and errors that say what came instead (design/distribution.md, "Download
// rules").
package httpx

import (
	"context"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"

	"github.com/wuu-plugins/wuu/internal/origin"
)

// The rules' numbers.
const (
	ConnectTimeout = 10 * time.Second // TCP, and again TLS
	IdleTimeout    = 30 * time.Second // without one byte
	Tries          = 3
	// A body that brings less than SlowFloor bytes while it is waited for
	// SlowWindow is as good as silent: one byte now and then must not hold a
	// command for ever.
	SlowWindow   = 2 * time.Minute
	SlowFloor    = 16 << 10
	MaxRedirects = 5
	// MaxRetryAfter is the longest wait that a server may ask for; beyond it
	// the request fails and says so.
	MaxRetryAfter = 60 * time.Second
)

// Options configure a Client; the zero value reads no environment.
type Options struct {
	Getenv           func(string) string
	UserAgent        string
	InsecureLoopback bool              // allow plain HTTP to loopback addresses
	Transport        http.RoundTripper // nil: built from Getenv at the first request
	Now              func() time.Time
	Sleep            func(context.Context, time.Duration) error // returns early when the context ends
	Jitter           func() float64                             // 0 to 1
}

// Client sends requests. It may be used concurrently; nothing is read and no
// goroutine runs before the first request.
type Client struct {
	o    Options
	once sync.Once
	http *http.Client
	err  error // of the set-up
}

// New makes a client.
func New(o Options) *Client {
	if o.Getenv == nil {
		o.Getenv = func(string) string { return "" }
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Sleep == nil {
		o.Sleep = sleep
	}
	if o.Jitter == nil {
		o.Jitter = rand.Float64
	}
	return &Client{o: o}
}

// CloseIdleConnections ends the connections that no request uses.
func (c *Client) CloseIdleConnections() {
	c.once.Do(func() {}) // waits for a set-up in progress
	if c.http != nil {
		c.http.CloseIdleConnections()
	}
}

// Request is one GET.
type Request struct {
	URL    string
	Within origin.Origin // redirects stay here
	Accept string
	Limit  int64 // bytes that the body may have
}

// setUp builds the transport once.
func (c *Client) setUp() error {
	c.once.Do(func() {
		transport := c.o.Transport
		if transport == nil {
			transport, c.err = newTransport(c.o.Getenv)
		}
		// The redirect rule depends on the request; see try.
		c.http = &http.Client{Transport: locations{transport}}
	})
	return c.err
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-t.C:
		return nil
	}
}
