package httpx

import (
	"context"
	"net"
	"net/http"
	"net/url"
	"time"
)

// maxHeaders is how many bytes of headers an answer may have.
const maxHeaders = 64 << 10

// newTransport reads proxies and certificates from the environment.
func newTransport(getenv func(string) string) (http.RoundTripper, error) {
	p, err := proxiesFrom(getenv)
	if err != nil {
		return nil, &Error{Reason: BadSetting, Err: err}
	}
	roots, err := rootsFrom(getenv)
	if err != nil {
		return nil, &Error{Reason: BadSetting, Err: err}
	}
	rt, err := trusting(&http.Transport{
		Proxy:                  p.forRequest,
		DialContext:            (&net.Dialer{Timeout: ConnectTimeout, KeepAlive: 30 * time.Second}).DialContext,
		TLSHandshakeTimeout:    ConnectTimeout,
		ForceAttemptHTTP2:      true, // a custom dialer would switch it off
		MaxResponseHeaderBytes: maxHeaders,
		IdleConnTimeout:        30 * time.Second,
		OnProxyConnectResponse: checkConnect,
	}, roots)
	if err != nil {
		return nil, &Error{Reason: BadSetting, Err: err}
	}
	return rt, nil
}

// proxyStatus is a proxy's refusal to connect.
type proxyStatus struct {
	host string
	code int
}

func (p *proxyStatus) Error() string {
	text := "the proxy " + p.host + " refused the connection: " + statusText(p.code)
	if p.code == http.StatusProxyAuthRequired {
		text += " (it wants a user and password in HTTPS_PROXY)"
	}
	return text
}

func checkConnect(_ context.Context, proxy *url.URL, _ *http.Request, res *http.Response) error {
	if res.StatusCode == http.StatusOK {
		return nil
	}
	return &proxyStatus{proxy.Host, res.StatusCode}
}
