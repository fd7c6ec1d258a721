package httpx_test

import (
	"bufio"
	"encoding/base64"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/wuu-plugins/wuu/internal/httpx"
	"github.com/wuu-plugins/wuu/internal/origin"
)

func TestCertificates(t *testing.T) {
	x := serve(t, func(w http.ResponseWriter, _ *http.Request, _ int) { io.WriteString(w, "ok") })
	good := x.env(t)("NODE_EXTRA_CA_CERTS")
	empty := filepath.Join(t.TempDir(), "empty.pem")
	if err := os.WriteFile(empty, []byte("nothing"), 0o600); err != nil {
		t.Fatal(err)
	}
	missing := filepath.Join(t.TempDir(), "missing.pem")
	for _, c := range []struct {
		name   string
		env    []string
		reason httpx.Reason
		want   string
	}{
		{"NODE_EXTRA_CA_CERTS", []string{"NODE_EXTRA_CA_CERTS", good}, 0, ""},
		{"SSL_CERT_FILE", []string{"SSL_CERT_FILE", good}, 0, ""},
		{"none", nil, httpx.BadCertificate, `signed by "O=Acme Co", which is not trusted here`},
		{"missing file", []string{"SSL_CERT_FILE", good, "NODE_EXTRA_CA_CERTS", missing}, httpx.BadSetting, "NODE_EXTRA_CA_CERTS=" + missing + " cannot be read"},
		{"no PEM", []string{"SSL_CERT_FILE", empty}, httpx.BadSetting, "holds no certificate"},
	} {
		client := httpx.New(httpx.Options{Getenv: env(c.env...)})
		body, err := client.Get(t.Context(), x.request(t, "/"))
		if c.want == "" {
			if err != nil || string(body) != "ok" {
				t.Errorf("%s: %q, %v", c.name, body, err)
			}
		} else if e := failed(t, err); e.Reason != c.reason || !strings.Contains(e.Error(), c.want) || e.Tries > 1 {
			t.Errorf("%s: %d %v", c.name, e.Reason, e)
		}
		client.CloseIdleConnections()
	}
}

// Whatever is wrong with a certificate, the message says who signed it.
func TestCertificateOfAnotherHost(t *testing.T) {
	x := serve(t, func(http.ResponseWriter, *http.Request, int) {})
	_, port, err := net.SplitHostPort(x.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	_, err = x.client.Get(t.Context(), onOrigin(t, "https://localhost:"+port))
	e := failed(t, err)
	if e.Reason != httpx.BadCertificate || e.Tries != 1 || !strings.Contains(e.Error(), `the certificate, signed by "O=Acme Co", is not good`) || !strings.Contains(e.Error(), "localhost") {
		t.Errorf("%d %v", e.Reason, e)
	}
}

// connectProxy is a CONNECT proxy that leads every host to one address.
type connectProxy struct {
	addr  string
	to    string
	want  string // Proxy-Authorization
	mu    sync.Mutex
	hosts []string
	wg    sync.WaitGroup
}

func newProxy(t *testing.T, to, user string) *connectProxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &connectProxy{addr: l.Addr().String(), to: to}
	if user != "" {
		p.want = "Basic " + base64.StdEncoding.EncodeToString([]byte(user))
	}
	p.wg.Go(func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			p.wg.Go(func() { p.serve(conn) })
		}
	})
	t.Cleanup(func() { l.Close(); p.wg.Wait() })
	return p
}

func (p *connectProxy) serve(conn net.Conn) {
	defer conn.Close()
	r := bufio.NewReader(conn)
	req, err := http.ReadRequest(r)
	if err != nil {
		return
	}
	if req.Method != http.MethodConnect || req.Header.Get("Proxy-Authorization") != p.want {
		io.WriteString(conn, "HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n")
		return
	}
	p.mu.Lock()
	p.hosts = append(p.hosts, req.Host)
	p.mu.Unlock()
	up, err := net.Dial("tcp", p.to)
	if err != nil {
		return
	}
	defer up.Close()
	io.WriteString(conn, "HTTP/1.1 200 OK\r\n\r\n")
	p.wg.Go(func() { io.Copy(up, r); up.(*net.TCPConn).CloseWrite() })
	io.Copy(conn, up)
}

func TestProxy(t *testing.T) {
	x := serve(t, func(w http.ResponseWriter, _ *http.Request, _ int) { io.WriteString(w, "ok") })
	ca := x.env(t)("NODE_EXTRA_CA_CERTS")
	o, err := origin.Parse("https://example.com", false) // httptest's certificate is good for it
	if err != nil {
		t.Fatal(err)
	}
	r := httpx.Request{URL: "https://example.com/a", Within: o, Limit: 100}
	p := newProxy(t, x.Listener.Addr().String(), "ada:secret")

	client := httpx.New(httpx.Options{Getenv: env("NODE_EXTRA_CA_CERTS", ca, "HTTPS_PROXY", "http://ada:secret@"+p.addr)})
	defer client.CloseIdleConnections()
	if body, err := client.Get(t.Context(), r); err != nil || string(body) != "ok" {
		t.Errorf("%q, %v", body, err)
	}
	s := &sink{}
	if err := client.Download(t.Context(), r, s); err != nil || s.String() != "ok" {
		t.Errorf("%q, %v", s, err)
	}
	if len(p.hosts) == 0 || p.hosts[0] != "example.com:443" {
		t.Errorf("the proxy was asked for %v", p.hosts)
	}
	for _, seen := range x.seen {
		if seen.Header.Get("Proxy-Authorization") != "" {
			t.Error("the proxy's password reached the registry")
		}
	}

	wrong := httpx.New(httpx.Options{Getenv: env("NODE_EXTRA_CA_CERTS", ca, "https_proxy", "ada:hidden@"+p.addr)})
	defer wrong.CloseIdleConnections()
	_, err = wrong.Get(t.Context(), r)
	e := failed(t, err)
	if e.Reason != httpx.BadProxy || e.Status != 407 || e.Tries != 1 || !strings.Contains(e.Error(), p.addr+" refused the connection: 407") || strings.Contains(e.Error(), "hidden") {
		t.Errorf("%+v: %v", e, e)
	}
}
