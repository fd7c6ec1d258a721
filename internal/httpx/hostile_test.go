package httpx_test

import (
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/wuu-plugins/wuu/internal/httpx"
	"github.com/wuu-plugins/wuu/internal/origin"
)

func TestHugeHeaders(t *testing.T) {
	for _, h2 := range []bool{false, true} {
		srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			for i := range 1024 {
				w.Header().Add("X-Filler", fmt.Sprint(i)+strings.Repeat("a", 1<<10))
			}
		}))
		srv.Config.ErrorLog = quiet()
		srv.EnableHTTP2 = h2
		srv.StartTLS()
		x := &web{Server: srv}
		client := httpx.New(httpx.Options{Getenv: x.env(t), Sleep: x.sleep})
		_, err := client.Get(t.Context(), x.request(t, "/a"))
		// HTTP/2 knows its own end of it, a broken connection.
		if e := failed(t, err); h2 && e.Reason == httpx.NoConnection && strings.Contains(e.Error(), "PROTOCOL_ERROR") {
			t.Log(e)
		} else if e.Reason != httpx.BadHeaders || e.Tries != 1 || e.Error() != "the headers of the answer have more than 64 kB, which is the limit" {
			t.Errorf("HTTP/2 %v: %d %v", h2, e.Reason, e)
		}
		client.CloseIdleConnections()
		srv.CloseClientConnections()
		srv.Close()
	}
}

func TestHostileLocations(t *testing.T) {
	for location, want := range map[string]string{
		"https://[::1":                      `redirected to "https://[::1", which is no URL`,
		"/%zz":                              `redirected to "/%zz", which is no URL`,
		"::" + strings.Repeat("x", 60_000):  "…\", which is no URL",
		"//evil.example.com/a":              "redirected to https://evil.example.com, away from",
		"https://registry.example.com.:443": "redirected to https://registry.example.com., away from",
		"https://127.0.0.1:1/a":             "redirected to https://127.0.0.1:1, away from",
		"http://169.254.169.254/":           "plain HTTP is not allowed",
		"javascript:alert(1)":               "want an https:// URL",
		"":                                  "302 Found",
	} {
		x := serve(t, func(w http.ResponseWriter, _ *http.Request, _ int) {
			w.Header()["Location"] = []string{location}
			w.WriteHeader(http.StatusFound)
		})
		_, err := x.client.Get(t.Context(), x.request(t, "/a"))
		e := failed(t, err)
		if location != "" && e.Reason != httpx.BadRedirect || !strings.Contains(e.Error(), want) || e.Tries > 1 || x.tries() != 1 || len(e.Error()) > 400 {
			t.Errorf("%.60q: %d %.300v after %d requests", location, e.Reason, e, x.tries())
		}
	}
}

// What is no HTTP is not asked for again, and its control characters are not shown.
func TestNotHTTP(t *testing.T) {
	for _, answer := range []string{"HTTP/1.1 302 Found\r\nLocation: /a\x01\x1b[31m\r\n\r\n", "SSH-2.0-\x1b[31m\r\n\r\n", "HTTP/1.1 200 OK\r\nETag\r\n\r\n", "HTTP/1.1 200 OK\r\nX: " + strings.Repeat("\x01", 5000) + "\r\n\r\n"} {
		x := serve(t, func(w http.ResponseWriter, _ *http.Request, _ int) {
			conn, _, err := http.NewResponseController(w).Hijack()
			if err != nil {
				panic(err)
			}
			defer conn.Close()
			io.WriteString(conn, answer)
		})
		_, err := x.client.Get(t.Context(), x.request(t, "/a"))
		e := failed(t, err)
		if e.Reason != httpx.BadHeaders || x.tries() != 1 || strings.ContainsAny(e.Error(), "\x1b\x01") || len(e.Error()) > 300 {
			t.Errorf("%.60q: %d %v after %d requests", answer, e.Reason, e, x.tries())
		}
	}
}

// A path that climbs stays on the origin, and is one more path.
func TestClimbingLocation(t *testing.T) {
	x := serve(t, func(w http.ResponseWriter, r *http.Request, _ int) {
		if r.URL.Path != "/etc/passwd" {
			w.Header().Set("Location", "../../../../etc/passwd")
			w.Header().Set("Content-Disposition", `attachment; filename="../../../../etc/passwd"`)
			w.WriteHeader(http.StatusFound)
			return
		}
		io.WriteString(w, "of the server")
	})
	if body, err := x.client.Get(t.Context(), x.request(t, "/a/b")); err != nil || string(body) != "of the server" {
		t.Errorf("%q, %v", body, err)
	}
}

// endless writes until the client goes away.
func endless(w io.Writer, p []byte) {
	for {
		if _, err := w.Write(p); err != nil {
			return
		}
	}
}

func TestEndlessBodies(t *testing.T) {
	zeros := make([]byte, 64<<10)
	for name, handler := range map[string]http.HandlerFunc{
		"plain": func(w http.ResponseWriter, _ *http.Request) { endless(w, zeros) },
		"gzip": func(w http.ResponseWriter, r *http.Request) {
			if !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
				endless(w, zeros)
			}
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			for range 1024 {
				z.Write(zeros)
			}
			z.Close()
		},
	} {
		x := serve(t, func(w http.ResponseWriter, r *http.Request, _ int) { handler(w, r) })
		_, err := x.client.Get(t.Context(), x.request(t, "/a"))
		if e := failed(t, err); e.Reason != httpx.TooLarge || e.Tries != 1 {
			t.Errorf("%s: %v", name, e)
		}
		if e := failed(t, x.client.Download(t.Context(), x.request(t, "/a"), &sink{})); e.Reason != httpx.TooLarge || e.Tries != 1 {
			t.Errorf("%s: %v", name, e)
		}
		n := 0
		err = x.client.Stream(t.Context(), x.request(t, "/a"), func(r io.Reader) error {
			for buf := make([]byte, 1000); ; {
				m, err := r.Read(buf)
				if n += m; err != nil {
					return err
				}
			}
		})
		if e := failed(t, err); e.Reason != httpx.TooLarge || e.Tries != 1 || n > 1<<20+1 {
			t.Errorf("%s: %v after %d bytes", name, e, n)
		}
	}
}

func TestStream(t *testing.T) {
	x := serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
		if n < 3 {
			w = &cutWriter{w, n}
		}
		http.ServeContent(w, r, "", time.Time{}, strings.NewReader("content"))
	})
	var seen []string
	err := x.client.Stream(t.Context(), x.request(t, "/a"), func(r io.Reader) error {
		body, err := io.ReadAll(r)
		seen = append(seen, string(body))
		return err
	})
	if err != nil || strings.Join(seen, " ") != "c co content" {
		t.Errorf("%q, %v", seen, err)
	}
	// The reader's own error is final, and nobody's fault but the document's.
	bad := io.ErrClosedPipe
	calls := 0
	err = x.client.Stream(t.Context(), x.request(t, "/a"), func(io.Reader) error { calls++; return bad })
	if err != bad || calls != 1 {
		t.Errorf("%v after %d calls", err, calls)
	}
}

// One byte each 20 s is never silent for 30 s, and still ends.
func TestTrickleEnds(t *testing.T) {
	o, err := origin.Parse("https://registry.example.com", false)
	if err != nil {
		t.Fatal(err)
	}
	r := httpx.Request{URL: "https://registry.example.com/a", Within: o, Limit: 1 << 20}
	synctest.Test(t, func(t *testing.T) {
		client := httpx.New(httpx.Options{Transport: transport(func(r *http.Request) (*http.Response, error) {
			pauses := make([]time.Duration, 1000)
			for i := range pauses {
				pauses[i] = 20 * time.Second
			}
			return &http.Response{StatusCode: 200, ContentLength: -1, Body: &slowBody{r: r, pauses: pauses}}, nil
		})})
		start := time.Now()
		_, err := client.Get(t.Context(), r)
		if e := failed(t, err); e.Reason != httpx.Silent || !strings.Contains(e.Error(), "less than 16 kB came in 120 s (3 tries)") {
			t.Errorf("%v", err)
		}
		if took := time.Since(start); took < 6*time.Minute || took > 7*time.Minute {
			t.Errorf("took %v of fake time", took)
		}
	})
	// Slow and steady is no trickle.
	synctest.Test(t, func(t *testing.T) {
		client := httpx.New(httpx.Options{Transport: transport(func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 200, ContentLength: -1, Body: &steadyBody{left: 100 << 10}}, nil
		})})
		if body, err := client.Get(t.Context(), r); err != nil || len(body) < 100<<10 {
			t.Errorf("%d bytes, %v", len(body), err)
		}
	})
}

// steadyBody gives up to a kilobyte each 3 s.
type steadyBody struct{ left int }

func (b *steadyBody) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, io.EOF
	}
	time.Sleep(3 * time.Second)
	n := copy(p, make([]byte, 1<<10))
	b.left -= n
	return n, nil
}

func (b *steadyBody) Close() error { return nil }
