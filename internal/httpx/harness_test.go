package httpx_test

import (
	"bytes"
	"context"
	"encoding/pem"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/wuu-plugins/wuu/internal/httpx"
	"github.com/wuu-plugins/wuu/internal/origin"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// web is a TLS server and a client that trusts it, and that waits by noting
// how long it was asked to.
type web struct {
	*httptest.Server
	client *httpx.Client
	mu     sync.Mutex
	waits  []time.Duration
	seen   []*http.Request
}

func serve(t *testing.T, handler func(w http.ResponseWriter, r *http.Request, n int)) *web {
	t.Helper()
	x := &web{}
	x.Server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		x.mu.Lock()
		x.seen = append(x.seen, r)
		n := len(x.seen)
		x.mu.Unlock()
		handler(w, r, n)
	}))
	x.Config.ErrorLog = quiet()
	x.StartTLS()
	x.client = httpx.New(httpx.Options{
		Getenv:    x.env(t),
		UserAgent: "wuu/test",
		Now:       func() time.Time { return time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC) },
		Sleep:     x.sleep,
		Jitter:    func() float64 { return 0.5 },
	})
	t.Cleanup(func() {
		x.client.CloseIdleConnections()
		x.CloseClientConnections()
		x.Close()
	})
	return x
}

func (x *web) sleep(ctx context.Context, d time.Duration) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.waits = append(x.waits, d)
	return ctx.Err()
}

// env is an environment that trusts the server.
func (x *web) env(t *testing.T) func(string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "ca.pem")
	block := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: x.Certificate().Raw})
	if err := os.WriteFile(file, block, 0o600); err != nil {
		t.Fatal(err)
	}
	return env("NODE_EXTRA_CA_CERTS", file)
}

func env(pairs ...string) func(string) string {
	return func(name string) string {
		if i := slices.Index(pairs, name); i >= 0 && i%2 == 0 {
			return pairs[i+1]
		}
		return ""
	}
}

func (x *web) request(t *testing.T, path string) httpx.Request {
	t.Helper()
	o, err := origin.Parse(x.URL, true)
	if err != nil {
		t.Fatal(err)
	}
	return httpx.Request{URL: x.URL + path, Within: o, Limit: 1 << 20}
}

func (x *web) tries() int {
	x.mu.Lock()
	defer x.mu.Unlock()
	return len(x.seen)
}

// failed asserts an *httpx.Error.
func failed(t *testing.T, err error) *httpx.Error {
	t.Helper()
	var e *httpx.Error
	if !errors.As(err, &e) {
		t.Fatalf("got %v (%T), want an *httpx.Error", err, err)
	}
	return e
}

// sink collects a download.
type sink struct {
	bytes.Buffer
	begins [][2]int64
	fail   error
	wrote  func()
}

func (s *sink) Begin(offset, total int64) error {
	s.begins = append(s.begins, [2]int64{offset, total})
	s.Truncate(int(offset))
	return nil
}

func (s *sink) Write(p []byte) (int, error) {
	if s.fail != nil {
		return 0, s.fail
	}
	if s.wrote != nil {
		defer s.wrote()
	}
	return s.Buffer.Write(p)
}
