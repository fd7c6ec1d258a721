// Package origin decides which URLs wuu may fetch: HTTPS without credentials,
// query or fragment, inside one registry's scheme, host and port
// (design/distribution.md, "Download rules").
package origin

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strings"
)

// Origin is scheme, lower-case host and port; the scheme's own port is left
// out, so that https://a and https://a:443 are equal. Origins compare with ==.
type Origin struct{ scheme, host string }

// Parse reads "https://host[:port]", with at most one slash behind it. Plain
// HTTP is allowed to loopback addresses (not names) when loopback is true.
func Parse(raw string, loopback bool) (Origin, error) {
	u, err := CheckURL(raw, loopback)
	if err != nil {
		return Origin{}, err
	}
	if u.Path != "" && u.Path != "/" {
		return Origin{}, errors.New("want an origin such as https://registry.example.com, without a path")
	}
	return Of(u), nil
}

// Of returns the origin of an absolute URL.
func Of(u *url.URL) Origin {
	host := strings.ToLower(u.Host)
	switch u.Scheme {
	case "https":
		host = strings.TrimSuffix(host, ":443")
	case "http":
		host = strings.TrimSuffix(host, ":80")
	}
	return Origin{u.Scheme, strings.TrimSuffix(host, ":")}
}

// String returns the canonical text, without a trailing slash.
func (o Origin) String() string {
	if o == (Origin{}) {
		return ""
	}
	return o.scheme + "://" + o.host
}

// Contains says whether u is on this origin.
func (o Origin) Contains(u *url.URL) bool { return Of(u) == o }

// CheckURL parses an absolute URL and refuses whatever wuu does not fetch:
// other schemes than HTTPS (plain HTTP only to loopback addresses, and only
// when loopback is true), credentials, a query, a fragment, control characters
// and hosts that are not plain ASCII.
func CheckURL(raw string, loopback bool) (*url.URL, error) {
	u, err := url.Parse(raw)
	if err != nil {
		var parse *url.Error
		if errors.As(err, &parse) {
			err = parse.Err
		}
		return nil, fmt.Errorf("not a URL: %w", err)
	}
	switch {
	case u.Scheme != "https" && u.Scheme != "http":
		return nil, errors.New("want an https:// URL")
	case u.Host == "" || u.Hostname() == "":
		return nil, errors.New("the URL has no host")
	case u.User != nil:
		return nil, errors.New("credentials in a URL are not allowed")
	case u.RawQuery != "" || u.ForceQuery:
		return nil, errors.New("a query in a URL is not allowed")
	case u.Fragment != "" || strings.HasSuffix(raw, "#"):
		return nil, errors.New("a fragment in a URL is not allowed")
	case !plain(u.Host):
		return nil, errors.New("the host has characters outside of ASCII; write it as punycode")
	case u.Scheme == "http" && !loopbackHost(u.Hostname()):
		return nil, errors.New("plain HTTP is not allowed; use https://")
	case u.Scheme == "http" && !loopback:
		return nil, errors.New("plain HTTP to this machine needs WUU_INSECURE_LOOPBACK=1 (for tests)")
	}
	return u, nil
}

func loopbackHost(host string) bool {
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

func plain(s string) bool {
	for i := range len(s) {
		if s[i] <= ' ' || s[i] >= 0x7f {
			return false
		}
	}
	return true
}
