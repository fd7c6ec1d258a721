package httpx

import (
	"fmt"
	"net/http"
	"net/url"
)

// locations refuses redirects to what is no URL before net/http does, which
// has no type for that error and shows all of the header.
type locations struct{ http.RoundTripper }

// RoundTrip sends the request.
func (l locations) RoundTrip(req *http.Request) (*http.Response, error) {
	res, err := l.RoundTripper.RoundTrip(req)
	if err != nil || res.StatusCode < 300 || res.StatusCode > 399 {
		return res, err
	}
	to := res.Header.Get("Location")
	if _, err := url.Parse(to); err == nil {
		return res, nil
	}
	res.Body.Close()
	if len(to) > 100 {
		to = to[:100] + "…"
	}
	return nil, &redirectError{fmt.Sprintf("redirected to %q, which is no URL", to)}
}

// CloseIdleConnections is what http.Client looks for.
func (l locations) CloseIdleConnections() {
	if c, ok := l.RoundTripper.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}
