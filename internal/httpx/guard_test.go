package httpx_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/wuu-plugins/wuu/internal/httpx"
	"github.com/wuu-plugins/wuu/internal/origin"
)

// transport answers without a network, so that time can be faked.
type transport func(*http.Request) (*http.Response, error)

func (f transport) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// slowBody gives one byte after each pause, and then waits for the request's end.
type slowBody struct {
	r      *http.Request
	pauses []time.Duration
	done   bool // io.EOF after the pauses
}

func (b *slowBody) Read(p []byte) (int, error) {
	if len(b.pauses) == 0 {
		if b.done {
			return 0, io.EOF
		}
		<-b.r.Context().Done()
		return 0, b.r.Context().Err()
	}
	select {
	case <-b.r.Context().Done():
		return 0, b.r.Context().Err()
	case <-time.After(b.pauses[0]):
		b.pauses = b.pauses[1:]
		p[0] = 'x'
		return 1, nil
	}
}

func (b *slowBody) Close() error { return nil }

func TestSilence(t *testing.T) {
	o, err := origin.Parse("https://registry.example.com", false)
	if err != nil {
		t.Fatal(err)
	}
	r := httpx.Request{URL: "https://registry.example.com/a", Within: o, Limit: 100}
	const second = time.Second
	for _, c := range []struct {
		name   string
		answer transport
		err    bool
		took   time.Duration // of all tries and the pauses between them
	}{
		{"no answer", func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return nil, r.Context().Err()
		}, true, 91500 * time.Millisecond},
		{"body stops", func(r *http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 200, Body: &slowBody{r: r, pauses: []time.Duration{20 * second}}}, nil
		}, true, 151500 * time.Millisecond},
		{"slow but alive", func(r *http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 200, Body: &slowBody{r: r, done: true, pauses: []time.Duration{29 * second, 29 * second, 29 * second}}}, nil
		}, false, 87 * second},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client := httpx.New(httpx.Options{Transport: c.answer, Jitter: func() float64 { return 0.5 }})
				start := time.Now()
				body, err := client.Get(t.Context(), r)
				if took := time.Since(start); took != c.took {
					t.Errorf("took %v, want %v", took, c.took)
				}
				var e *httpx.Error
				switch {
				case c.err && (!errors.As(err, &e) || e.Reason != httpx.Silent || e.Tries != 3 || !strings.Contains(e.Error(), "nothing came for 30 s")):
					t.Errorf("got %v", err)
				case !c.err && (err != nil || string(body) != "xxx"):
					t.Errorf("got %q, %v", body, err)
				}
			})
		})
	}
}

// The sink may be slow: only the network's silence counts.
func TestSlowSinkIsNotSilence(t *testing.T) {
	o, err := origin.Parse("https://registry.example.com", false)
	if err != nil {
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		client := httpx.New(httpx.Options{Transport: transport(func(r *http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 200, ContentLength: -1, Body: &slowBody{r: r, done: true, pauses: []time.Duration{1, 1}}}, nil
		})})
		s := &sink{wrote: func() { time.Sleep(time.Minute) }}
		if err := client.Download(t.Context(), httpx.Request{URL: "https://registry.example.com/a", Within: o, Limit: 9}, s); err != nil || s.String() != "xx" {
			t.Errorf("%q, %v", s, err)
		}
	})
}
