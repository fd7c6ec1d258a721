package httpx

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net/http"
	"sync"
	"sync/atomic"
)

// trustingTransport tries a server's certificate with the part of the roots
// that is read quickly, and once that does not do, with all of them from then
// on. What is trusted in the end is the same: the first part is in the whole.
type trustingTransport struct {
	first *http.Transport
	whole func() (*http.Transport, error)
	past  atomic.Bool // the first part was not enough
}

// trusting makes transports of base and the roots.
func trusting(base *http.Transport, r *roots) (http.RoundTripper, error) {
	with := func(pool *x509.CertPool) *http.Transport {
		t := base.Clone()
		t.TLSClientConfig = &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
		return t
	}
	whole := func() (*http.Transport, error) {
		pool, err := r.all()
		if err != nil {
			return nil, err
		}
		return with(pool), nil
	}
	first := r.first()
	if first == nil {
		return whole()
	}
	return &trustingTransport{first: with(first), whole: sync.OnceValues(whole)}, nil
}

// RoundTrip sends a request, which must have no body.
func (t *trustingTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	if !t.past.Load() {
		res, err := t.first.RoundTrip(req)
		var untrusted *tls.CertificateVerificationError
		if err == nil || !errors.As(err, &untrusted) {
			return res, err
		}
		t.past.Store(true)
	}
	whole, err := t.whole()
	if err != nil {
		return nil, err
	}
	return whole.RoundTrip(req)
}

// CloseIdleConnections is what http.Client looks for.
func (t *trustingTransport) CloseIdleConnections() {
	t.first.CloseIdleConnections()
	if t.past.Load() {
		if whole, err := t.whole(); err == nil {
			whole.CloseIdleConnections()
		}
	}
}
