package httpx

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/wuu-plugins/wuu/internal/origin"
)

var errSilent = fmt.Errorf("nothing came for %d s", int(IdleTimeout.Seconds()))

var errSlow = fmt.Errorf("less than %d kB came in %d s", SlowFloor>>10, int(SlowWindow.Seconds()))

type redirectError struct{ text string }

func (r *redirectError) Error() string { return r.text }

// checkRedirect allows MaxRedirects redirects inside one origin.
func (c *Client) checkRedirect(within origin.Origin) func(*http.Request, []*http.Request) error {
	return func(req *http.Request, via []*http.Request) error {
		req.Header.Del("Referer")
		if len(via) > MaxRedirects {
			return &redirectError{fmt.Sprintf("more than %d redirects", MaxRedirects)}
		}
		to := req.URL
		if _, err := origin.CheckURL(to.String(), c.o.InsecureLoopback); err != nil {
			return &redirectError{fmt.Sprintf("redirected to %s: %v", to.Redacted(), err)}
		}
		if !within.Contains(to) {
			return &redirectError{fmt.Sprintf("redirected to %s, away from %s", origin.Of(to), within)}
		}
		return nil
	}
}

// try sends one request and returns the answer when its status is 200, or 206
// to a request for a range. The body ends with an error after IdleTimeout
// without a byte; closing it frees everything.
func (c *Client) try(ctx context.Context, r Request, header map[string]string) (*http.Response, *Error) {
	u, err := origin.CheckURL(r.URL, c.o.InsecureLoopback)
	if err != nil {
		return nil, &Error{URL: r.URL, Reason: BadURL, Err: err}
	}
	if !r.Within.Contains(u) {
		return nil, &Error{URL: r.URL, Reason: BadURL, Err: fmt.Errorf("it is not on %s", r.Within)}
	}
	ctx, guard := newGuard(ctx)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, r.URL, nil)
	if err != nil {
		guard.end()
		return nil, &Error{URL: r.URL, Reason: BadURL, Err: err}
	}
	for name, value := range header {
		req.Header.Set(name, value)
	}
	if r.Accept != "" {
		req.Header.Set("Accept", r.Accept)
	}
	req.Header.Set("User-Agent", c.o.UserAgent)
	client := *c.http
	client.CheckRedirect = c.checkRedirect(r.Within)
	guard.start()
	res, err := client.Do(req)
	guard.pause()
	if err != nil {
		defer guard.end()
		return nil, classify(r.URL, guard.explain(err))
	}
	res.Body = &guardedBody{res.Body, guard}
	if res.StatusCode == http.StatusOK || res.StatusCode == http.StatusPartialContent && header["Range"] != "" {
		return res, nil
	}
	defer res.Body.Close()
	return nil, c.statusError(r.URL, res)
}

func (c *Client) statusError(url string, res *http.Response) *Error {
	head, _ := io.ReadAll(io.LimitReader(res.Body, 4<<10)) // as much as there is; the status is the error
	size := max(res.ContentLength, int64(len(head)))
	return &Error{
		URL: url, Reason: BadStatus, Status: res.StatusCode, Body: Sniff(head, size),
		Message: registryMessage(head), RetryAfter: c.retryAfter(res.Header.Get("Retry-After")),
		Err: errors.New(statusText(res.StatusCode)),
	}
}

// retryAfter reads seconds or a date; what is neither, or past, is 0.
func (c *Client) retryAfter(value string) time.Duration {
	value = strings.TrimSpace(value)
	if n, err := strconv.ParseUint(value, 10, 31); err == nil {
		return time.Duration(n) * time.Second
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(at.Sub(c.o.Now()), 0)
	}
	return 0
}

// retry runs one until it succeeds, fails for good, or Tries are used up.
func (c *Client) retry(ctx context.Context, one func() error) error {
	if err := c.setUp(); err != nil {
		return err
	}
	for n := 1; ; n++ {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		err := one()
		// Also before success: a server may end a streamed body in good order
		// just because the client is hanging up.
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if err == nil {
			return nil
		}
		var e *Error
		if !errors.As(err, &e) {
			return err
		}
		e.Tries = n
		if n == Tries || !e.temporary() {
			return e
		}
		if err := c.o.Sleep(ctx, c.pauseAfter(n, e.RetryAfter)); err != nil {
			return err
		}
	}
}

// pauseAfter is what the server asked for, else 0.5 s, 1 s … give or take half.
func (c *Client) pauseAfter(n int, asked time.Duration) time.Duration {
	if asked > 0 {
		return asked
	}
	base := 500 * time.Millisecond << (n - 1)
	return time.Duration(float64(base) * (0.5 + c.o.Jitter()))
}
