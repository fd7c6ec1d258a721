package httpx_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/wuu-plugins/wuu/internal/httpx"
	"github.com/wuu-plugins/wuu/internal/origin"
)

// mute listens and never says a word; reached is told of every connection.
func mute(t *testing.T) (addr string, reached <-chan struct{}) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	came, ended := make(chan struct{}, 8), make(chan struct{})
	go func() {
		defer close(ended)
		var held []net.Conn
		for {
			c, err := l.Accept()
			if err != nil {
				for _, c := range held {
					c.Close()
				}
				return
			}
			held = append(held, c)
			came <- struct{}{}
		}
	}()
	t.Cleanup(func() { l.Close(); <-ended })
	return l.Addr().String(), came
}

// Whatever the network keeps a request waiting for, the end of the context ends
// it, with its cause and no other try: the peers here never answer at all, so
// a request that returns was cancelled.
func TestCancelInEachPhase(t *testing.T) {
	stop := errors.New("stopped by hand")
	for name, start := range map[string]func(t *testing.T, cancel func()) (*httpx.Client, httpx.Request){
		"connect": func(t *testing.T, cancel func()) (*httpx.Client, httpx.Request) {
			return dialing(t, cancel)
		},
		"TLS": func(t *testing.T, cancel func()) (*httpx.Client, httpx.Request) {
			addr, reached := mute(t)
			go func() { <-reached; cancel() }()
			return httpx.New(httpx.Options{}), onOrigin(t, "https://"+addr)
		},
		"proxy": func(t *testing.T, cancel func()) (*httpx.Client, httpx.Request) {
			addr, reached := mute(t)
			go func() { <-reached; cancel() }()
			return httpx.New(httpx.Options{Getenv: env("HTTPS_PROXY", "http://"+addr)}), onOrigin(t, "https://registry.example.com")
		},
		"headers": func(t *testing.T, cancel func()) (*httpx.Client, httpx.Request) {
			x := serve(t, func(_ http.ResponseWriter, r *http.Request, _ int) { cancel(); <-r.Context().Done() })
			return x.client, x.request(t, "/a")
		},
		"body": func(t *testing.T, cancel func()) (*httpx.Client, httpx.Request) {
			x := serve(t, func(w http.ResponseWriter, r *http.Request, _ int) {
				io.WriteString(w, "half")
				http.NewResponseController(w).Flush()
				cancel()
				<-r.Context().Done()
			})
			return x.client, x.request(t, "/a")
		},
		"back-off": func(t *testing.T, cancel func()) (*httpx.Client, httpx.Request) {
			x := serve(t, func(w http.ResponseWriter, _ *http.Request, _ int) {
				w.Header().Set("Retry-After", "60")
				w.WriteHeader(http.StatusServiceUnavailable)
			})
			x.client = httpx.New(httpx.Options{Getenv: x.env(t), Sleep: func(ctx context.Context, d time.Duration) error {
				if d != time.Minute {
					t.Errorf("waits %v", d)
				}
				cancel()
				<-ctx.Done()
				return context.Cause(ctx)
			}})
			return x.client, x.request(t, "/a")
		},
	} {
		for kind, ask := range map[string]func(context.Context, *httpx.Client, httpx.Request) error{
			"get":      func(ctx context.Context, c *httpx.Client, r httpx.Request) error { _, err := c.Get(ctx, r); return err },
			"download": func(ctx context.Context, c *httpx.Client, r httpx.Request) error { return c.Download(ctx, r, &sink{}) },
			"stream": func(ctx context.Context, c *httpx.Client, r httpx.Request) error {
				return c.Stream(ctx, r, func(body io.Reader) error { _, err := io.Copy(io.Discard, body); return err })
			},
		} {
			t.Run(name+"/"+kind, func(t *testing.T) {
				ctx, cancel := context.WithCancelCause(t.Context())
				client, r := start(t, func() { cancel(stop) })
				defer client.CloseIdleConnections()
				if err := ask(ctx, client, r); !errors.Is(err, stop) {
					t.Errorf("got %v", err)
				}
			})
		}
	}
}

func onOrigin(t *testing.T, raw string) httpx.Request {
	t.Helper()
	o, err := origin.Parse(raw, false)
	if err != nil {
		t.Fatal(err)
	}
	return httpx.Request{URL: raw + "/a", Within: o, Limit: 100}
}
