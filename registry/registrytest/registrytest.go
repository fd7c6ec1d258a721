// Package registrytest is a real npm registry in memory, served over HTTPS with
// its own certificate authority: packuments (full and abbreviated), version
// documents, dist-tags, tarballs with Range and ETag, a request log, and
// switches for the faults that registries and the networks before them have.
// The npm client installs from it. It needs no testing.T, so demos use it too.
//
//	s, err := registrytest.Start()
//	defer s.Close()
//	s.Publish(tgz)                       // reads name and version from package.json
//	s.Inject(registrytest.Tarball, registrytest.StatusCode(503, "1").Times(2))
package registrytest

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync"
)

// Server is one running registry. All methods may be used concurrently.
type Server struct {
	url    string
	public string // the origin that documents name
	dir    string // holds the CA file
	ca     authority
	http   *http.Server
	closed chan struct{}
	serve  sync.WaitGroup // the accept loop
	active sync.WaitGroup // requests in progress

	mu       sync.Mutex
	closing  bool
	packages map[string]*packument
	faults   []*injected
	requests []Request
	offered  []*SigningKey
	signers  []*SigningKey
}

// Start serves HTTPS on a free port of 127.0.0.1. The certificate is also good
// for [::1], localhost and registry.example.com (for tests with a proxy).
func Start() (*Server, error) { return start(true) }

// StartHTTP serves plain HTTP, for the rules about it.
func StartHTTP() (*Server, error) { return start(false) }

func start(secure bool) (*Server, error) {
	s := &Server{closed: make(chan struct{}), packages: map[string]*packument{}}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("start registry: %w", err)
	}
	scheme := "http"
	if secure {
		scheme = "https"
		if listener, err = s.secure(listener); err != nil {
			return nil, fmt.Errorf("start registry: %w", err)
		}
	}
	s.url = scheme + "://" + listener.Addr().String()
	s.public = s.url
	s.http = &http.Server{Handler: http.HandlerFunc(s.handle), ErrorLog: log.New(io.Discard, "", 0)}
	s.serve.Go(func() { _ = s.http.Serve(listener) })
	return s, nil
}

// secure makes the authority, writes its certificate to a file and puts TLS
// around the listener, which it closes when that fails.
func (s *Server) secure(plain net.Listener) (_ net.Listener, err error) {
	defer func() {
		if err != nil {
			err = errors.Join(err, plain.Close())
		}
	}()
	if s.ca, err = newAuthority(); err != nil {
		return nil, err
	}
	if s.dir, err = os.MkdirTemp("", "registrytest-*"); err != nil {
		return nil, err
	}
	if err := os.WriteFile(s.CAFile(), s.ca.pem, 0o600); err != nil {
		return nil, errors.Join(err, os.RemoveAll(s.dir))
	}
	return tls.NewListener(plain, &tls.Config{
		Certificates: []tls.Certificate{s.ca.server},
		NextProtos:   []string{"http/1.1"},
		MinVersion:   tls.VersionTLS12,
	}), nil
}

// URL is the registry's origin, without a trailing slash.
func (s *Server) URL() string { return s.url }

// SetPublicURL changes the origin of the tarballs of what is published from now
// on, for a registry that is reached through a proxy.
func (s *Server) SetPublicURL(origin string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.public = origin
}

// CAFile is a PEM file with the certificate of the authority, for
// NODE_EXTRA_CA_CERTS, SSL_CERT_FILE or npm's --cafile. Close removes it. It is
// meaningless for plain HTTP.
func (s *Server) CAFile() string { return filepath.Join(s.dir, "ca.pem") }

// Getenv answers NODE_EXTRA_CA_CERTS with CAFile and nothing else: an
// environment in which a client trusts this registry.
func (s *Server) Getenv(name string) string {
	if name == "NODE_EXTRA_CA_CERTS" && s.dir != "" {
		return s.CAFile()
	}
	return ""
}

// Client returns a new client that trusts this registry only.
func (s *Server) Client() *http.Client {
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(s.ca.pem)
	return &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}}}
}

// Close cuts every connection, waits for the handlers and removes CAFile. A
// second call does nothing.
func (s *Server) Close() error {
	s.mu.Lock()
	again := s.closing
	s.closing = true
	s.mu.Unlock()
	if again {
		return nil
	}
	close(s.closed)
	err := s.http.Close()
	s.serve.Wait()
	s.active.Wait()
	if s.dir != "" {
		err = errors.Join(err, os.RemoveAll(s.dir))
	}
	return err
}
