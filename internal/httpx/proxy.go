package httpx

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// proxies are the proxy variables of one environment. net/http reads them from
// the process only, and once; these come from the caller.
type proxies struct {
	https, http *url.URL
	direct      []directRule
}

// directRule is one entry of NO_PROXY.
type directRule struct {
	all    bool
	prefix netip.Prefix // addresses
	name   string       // host name, lower case
	below  bool         // sub-domains of name only
	port   string       // "" is any
}

// proxiesFrom reads HTTPS_PROXY, HTTP_PROXY and NO_PROXY in capitals or not.
func proxiesFrom(getenv func(string) string) (p proxies, err error) {
	if p.https, err = proxyURL(getenv, "HTTPS_PROXY"); err != nil {
		return p, err
	}
	if p.http, err = proxyURL(getenv, "HTTP_PROXY"); err != nil {
		return p, err
	}
	for entry := range strings.FieldsFuncSeq(either(getenv, "NO_PROXY"), func(r rune) bool { return r == ',' || r == ' ' }) {
		p.direct = append(p.direct, newDirectRule(strings.ToLower(entry)))
	}
	return p, nil
}

func either(getenv func(string) string, name string) string {
	if v := getenv(name); v != "" {
		return v
	}
	return getenv(strings.ToLower(name))
}

// proxyURL reads one variable; "host:port" means http://host:port. The error
// does not show the value, which may hold a password.
func proxyURL(getenv func(string) string, name string) (*url.URL, error) {
	value := strings.TrimSpace(either(getenv, name))
	if value == "" {
		return nil, nil
	}
	if !strings.Contains(value, "://") {
		value = "http://" + value
	}
	u, err := url.Parse(value)
	if err != nil || u.Hostname() == "" {
		return nil, fmt.Errorf("%s is not a proxy URL; want http://host:port", name)
	}
	switch u.Scheme {
	case "http", "https", "socks5", "socks5h":
		return u, nil
	}
	return nil, fmt.Errorf("%s has the scheme %q; want http, https, socks5 or socks5h", name, u.Scheme)
}

func newDirectRule(entry string) (r directRule) {
	if entry == "*" {
		return directRule{all: true}
	}
	if prefix, err := netip.ParsePrefix(entry); err == nil {
		return directRule{prefix: prefix.Masked()}
	}
	host := entry
	if h, port, err := net.SplitHostPort(entry); err == nil {
		host, r.port = h, port
	}
	if addr, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
		addr = addr.Unmap()
		r.prefix = netip.PrefixFrom(addr, addr.BitLen())
		return r
	}
	host = strings.TrimPrefix(host, "*")
	r.name, r.below = strings.TrimPrefix(host, "."), strings.HasPrefix(host, ".")
	return r
}

func (r directRule) fits(host, port string, addr netip.Addr) bool {
	switch {
	case r.all:
		return true
	case r.port != "" && r.port != port:
		return false
	case r.prefix.IsValid():
		return addr.IsValid() && r.prefix.Contains(addr)
	case r.name == "":
		return false
	case host == r.name:
		return !r.below
	}
	return strings.HasSuffix(host, "."+r.name)
}

// forRequest chooses the proxy of a request, or nil. This machine is always
// reached directly.
func (p proxies) forRequest(req *http.Request) (*url.URL, error) {
	proxy := p.https
	port := "443"
	if req.URL.Scheme == "http" {
		proxy, port = p.http, "80"
	}
	if proxy == nil {
		return nil, nil
	}
	host := strings.ToLower(strings.TrimSuffix(req.URL.Hostname(), "."))
	if given := req.URL.Port(); given != "" {
		port = given
	}
	addr, _ := netip.ParseAddr(host)
	addr = addr.Unmap()
	if host == "localhost" || addr.IsLoopback() {
		return nil, nil
	}
	if slices.ContainsFunc(p.direct, func(r directRule) bool { return r.fits(host, port, addr) }) {
		return nil, nil
	}
	return proxy, nil
}
