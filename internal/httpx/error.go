package httpx

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Reason is the class of an Error.
type Reason uint8

// The reasons why a request fails.
const (
	NoConnection   Reason = iota + 1 // not reached, or cut before an answer
	BadStatus                        // an answer other than the one asked for
	BadRedirect                      // out of the origin, too many, or not HTTPS
	BadCertificate                   // the server's certificate is not trusted
	BadProxy                         // the proxy refused
	BadSetting                       // HTTPS_PROXY, NO_PROXY or a certificate file
	BadURL                           // not a URL that may be fetched
	BadHeaders                       // more than the limit, or not HTTP
	TooLarge                         // more bytes than the limit
	Silent                           // nothing came for IdleTimeout
	CutShort                         // the body ended early
	WrongContent                     // 200, but not what was asked for
)

// Error is a request that failed for good. The end of the caller's context is
// never an Error.
type Error struct {
	URL        string
	Reason     Reason
	Status     int           // of BadStatus and WrongContent
	Body       Content       // what stood in the body, as far as it was looked at
	Message    string        // the registry's own words (its JSON "error"), one line
	RetryAfter time.Duration // what the server asked for
	Tries      int
	Err        error
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Error says what happened, without the URL.
func (e *Error) Error() string {
	var b strings.Builder
	switch e.Reason {
	case BadStatus:
		b.WriteString("the server answered " + statusText(e.Status))
	case WrongContent:
		b.WriteString("the server answered with something else")
	default:
		b.WriteString(e.Err.Error())
	}
	if e.Message != "" {
		fmt.Fprintf(&b, ": %q", e.Message)
	} else if e.Body.Kind != "" {
		b.WriteString(" (" + e.Body.String() + ")")
	}
	if e.RetryAfter > MaxRetryAfter {
		fmt.Fprintf(&b, ", and asks to wait %d s", int(e.RetryAfter.Seconds()))
	}
	if e.Tries > 1 {
		fmt.Fprintf(&b, " (%d tries)", e.Tries)
	}
	return b.String()
}

// temporary says whether another try may help.
func (e *Error) temporary() bool {
	switch e.Reason {
	case NoConnection, Silent, CutShort:
		return true
	case BadStatus, BadProxy:
		switch e.Status {
		case http.StatusTooManyRequests, http.StatusInternalServerError, http.StatusBadGateway,
			http.StatusServiceUnavailable, http.StatusGatewayTimeout:
			return e.RetryAfter <= MaxRetryAfter
		}
	}
	return false
}

// classify turns an error of net/http into an *Error.
func classify(rawURL string, err error) *Error {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		err = wrapped.Err
	}
	e := &Error{URL: rawURL, Reason: NoConnection, Err: err}
	var redirect *redirectError
	var certificate *tls.CertificateVerificationError
	var proxy *proxyStatus
	switch {
	case errors.As(err, &redirect):
		e.Reason, e.Err = BadRedirect, redirect
	case errors.As(err, &certificate):
		e.Reason, e.Err = BadCertificate, describeCertificate(certificate)
	case errors.As(err, &proxy):
		e.Reason, e.Status, e.Err = BadProxy, proxy.code, proxy
	case errors.Is(err, errSilent):
		e.Reason, e.Err = Silent, errSilent
	case strings.Contains(err.Error(), "response headers exceeded"), strings.Contains(err.Error(), "header list larger"):
		// net/http has no type for either, of HTTP/1 and of HTTP/2.
		e.Reason, e.Err = BadHeaders, fmt.Errorf("the headers of the answer have more than %d kB, which is the limit", maxHeaders>>10)
	case strings.Contains(err.Error(), "malformed HTTP"), strings.Contains(err.Error(), "malformed MIME"):
		text := err.Error() // what came is quoted in it
		e.Reason, e.Err = BadHeaders, errors.New("the answer is not HTTP: "+text[:min(len(text), 200)])
	}
	return e
}

// describeCertificate names the issuer: behind a company's proxy that is what
// tells people which certificate file they need, and before a captive portal
// it tells who answers in the registry's place.
func describeCertificate(err *tls.CertificateVerificationError) error {
	if len(err.UnverifiedCertificates) == 0 {
		return err
	}
	last := err.UnverifiedCertificates[len(err.UnverifiedCertificates)-1]
	var unknown x509.UnknownAuthorityError
	if errors.As(err.Err, &unknown) {
		return fmt.Errorf("the certificate is signed by %q, which is not trusted here: %w", last.Issuer.String(), err)
	}
	return fmt.Errorf("the certificate, signed by %q, is not good: %w", last.Issuer.String(), err)
}

func statusText(code int) string {
	return strings.TrimSpace(strconv.Itoa(code) + " " + http.StatusText(code))
}
