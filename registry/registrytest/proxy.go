package registrytest

import (
	"bufio"
	"encoding/base64"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// Proxy is a real CONNECT proxy on 127.0.0.1 that leads every host to one
// server, so that registry.example.com can be reached. All methods may be used
// concurrently.
type Proxy struct {
	listener net.Listener
	to       string // host:port
	want     string // Proxy-Authorization
	wait     sync.WaitGroup

	mu     sync.Mutex
	closed bool
	hosts  []string
	refuse int
	conns  map[net.Conn]bool
}

// StartProxy leads everything to s. user is "name:password", or "" when none
// is asked for; who gives another is answered 407.
func (s *Server) StartProxy(user string) (*Proxy, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("start proxy: %w", err)
	}
	_, to, _ := strings.Cut(s.url, "://")
	p := &Proxy{listener: listener, to: to, conns: map[net.Conn]bool{}}
	if user != "" {
		p.want = "Basic " + base64.StdEncoding.EncodeToString([]byte(user))
	}
	p.wait.Go(p.accept)
	return p, nil
}

// Addr is the proxy's host:port.
func (p *Proxy) Addr() string { return p.listener.Addr().String() }

// Hosts lists the host:port of every CONNECT that was answered with 200.
func (p *Proxy) Hosts() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.hosts)
}

// Refuse makes the proxy answer every CONNECT with a status; 0 ends that, and
// -1 makes it never answer.
func (p *Proxy) Refuse(status int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refuse = status
}

// Close cuts every connection and waits for the handlers.
func (p *Proxy) Close() error {
	p.mu.Lock()
	p.closed = true
	for c := range p.conns {
		c.Close()
	}
	p.mu.Unlock()
	err := p.listener.Close()
	p.wait.Wait()
	return err
}

func (p *Proxy) accept() {
	for {
		conn, err := p.listener.Accept()
		if err != nil {
			return
		}
		if p.hold(conn) {
			p.wait.Go(func() { p.serve(conn) })
		}
	}
}

// hold remembers a connection for Close; false when the proxy is closed.
func (p *Proxy) hold(c net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		c.Close()
		return false
	}
	p.conns[c] = true
	return true
}

func (p *Proxy) drop(c net.Conn) {
	c.Close()
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.conns, c)
}

func (p *Proxy) serve(conn net.Conn) {
	defer p.drop(conn)
	r := bufio.NewReader(conn)
	req, err := http.ReadRequest(r)
	if err != nil {
		return
	}
	status := p.answer(req)
	if status < 0 {
		_, _ = io.Copy(io.Discard, r) // until the client goes away
		return
	}
	if status != http.StatusOK {
		fmt.Fprintf(conn, "HTTP/1.1 %d %s\r\nContent-Length: 0\r\n\r\n", status, http.StatusText(status))
		return
	}
	up, err := net.Dial("tcp", p.to)
	if err != nil || !p.hold(up) {
		return
	}
	defer p.drop(up)
	_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\n\r\n")
	p.wait.Go(func() {
		_, _ = io.Copy(up, r)
		_ = up.(*net.TCPConn).CloseWrite()
	})
	_, _ = io.Copy(conn, up)
}

func (p *Proxy) answer(req *http.Request) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.refuse != 0:
		return p.refuse
	case req.Method != http.MethodConnect:
		return http.StatusMethodNotAllowed
	case req.Header.Get("Proxy-Authorization") != p.want:
		return http.StatusProxyAuthRequired
	}
	p.hosts = append(p.hosts, req.Host)
	return http.StatusOK
}
