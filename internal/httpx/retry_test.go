package httpx_test

import (
	"context"
	"errors"
	"io"
	"log"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/wuu-plugins/wuu/internal/httpx"
)

func quiet() *log.Logger { return log.New(io.Discard, "", 0) }

func TestRetry(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		name       string
		status     []int // 0 hangs up; the last one repeats
		retryAfter string
		tries      int
		waits      []time.Duration
		text       string // of the error, "" is success
	}{
		{"good", []int{200}, "", 1, nil, ""},
		{"500 once", []int{500, 200}, "", 2, []time.Duration{500 * ms}, ""},
		{"502, 504", []int{502, 504, 200}, "", 3, []time.Duration{500 * ms, 1000 * ms}, ""},
		{"503 for ever", []int{503}, "", 3, []time.Duration{500 * ms, 1000 * ms}, "503 Service Unavailable (text, 7 bytes) (3 tries)"},
		{"429 with seconds", []int{429, 200}, "7", 2, []time.Duration{7 * time.Second}, ""},
		{"429 with a date", []int{429, 200}, "Mon, 30 Nov 2026 12:00:20 GMT", 2, []time.Duration{20 * time.Second}, ""},
		{"429 with a past date", []int{429, 200}, "Mon, 30 Nov 2026 11:00:00 GMT", 2, []time.Duration{500 * ms}, ""},
		{"429 with nonsense", []int{429, 200}, "soon", 2, []time.Duration{500 * ms}, ""},
		{"503 asks for too long", []int{503}, "3600", 1, nil, "asks to wait 3600 s"},
		{"hangs up", []int{0, 0, 200}, "", 3, []time.Duration{500 * ms, 1000 * ms}, ""},
		{"hangs up for ever", []int{0}, "", 3, []time.Duration{500 * ms, 1000 * ms}, "EOF (3 tries)"},
		{"404 is final", []int{404}, "", 1, nil, "404 Not Found"},
		{"401 is final", []int{401}, "", 1, nil, "401 Unauthorized"},
		{"501 is final", []int{501}, "", 1, nil, "501 Not Implemented"},
		{"204 is not the body", []int{204}, "", 1, nil, "204 No Content"},
		{"206 without a range", []int{206}, "", 1, nil, "206 Partial Content"},
		{"304 is not the body", []int{304}, "", 1, nil, "304 Not Modified"},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := serve(t, func(w http.ResponseWriter, _ *http.Request, n int) {
				status := c.status[min(n, len(c.status))-1]
				if status == 0 {
					panic(http.ErrAbortHandler)
				}
				if c.retryAfter != "" && status != 200 {
					w.Header().Set("Retry-After", c.retryAfter)
				}
				w.WriteHeader(status)
				if status != 204 && status != 304 {
					io.WriteString(w, "content")
				}
			})
			body, err := x.client.Get(t.Context(), x.request(t, "/a"))
			if c.text == "" && (err != nil || string(body) != "content") {
				t.Errorf("got %q, %v", body, err)
			}
			if c.text != "" {
				if e := failed(t, err); !strings.Contains(e.Error(), c.text) || e.URL != x.URL+"/a" || e.Tries != c.tries || body != nil {
					t.Errorf("got %q, %+v: %v", body, e, e)
				}
			}
			// net/http itself repeats a GET whose reused connection was dead.
			if got := x.tries(); got < c.tries || c.status[0] != 0 && got != c.tries {
				t.Errorf("%d tries, want %d", got, c.tries)
			}
			if !slices.Equal(x.waits, c.waits) {
				t.Errorf("waited %v, want %v", x.waits, c.waits)
			}
		})
	}
}

func TestErrorsSayWhatCame(t *testing.T) {
	for _, c := range []struct{ contentType, body, want string }{
		{"text/html", "<!DOCTYPE html><html>", "403 Forbidden (HTML page, 21 bytes, looks like a proxy or captive portal)"},
		{"application/json", `{"error":"version not found:\n 1.0.0\u0007"}`, `403 Forbidden: "version not found: 1.0.0"`},
		{"application/json", `{"ok":false}`, "403 Forbidden (JSON, 12 bytes)"},
		{"", "", "403 Forbidden (empty body)"},
	} {
		x := serve(t, func(w http.ResponseWriter, _ *http.Request, _ int) {
			w.Header().Set("Content-Type", c.contentType)
			w.WriteHeader(403)
			io.WriteString(w, c.body)
		})
		_, err := x.client.Get(t.Context(), x.request(t, "/a"))
		if e := failed(t, err); !strings.HasSuffix(e.Error(), c.want) || e.Status != 403 || e.Reason != httpx.BadStatus {
			t.Errorf("got %q, want %q", e, c.want)
		}
	}
}

func TestNothingButTheRequest(t *testing.T) {
	x := serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
		http.SetCookie(w, &http.Cookie{Name: "session", Value: "1"})
		if n == 1 {
			http.Redirect(w, r, "/b", http.StatusFound)
		}
	})
	r := x.request(t, "/a")
	r.Accept = "application/json"
	for range 2 {
		if _, err := x.client.Get(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	if x.tries() != 3 {
		t.Fatalf("%d requests", x.tries())
	}
	for _, seen := range x.seen {
		var names []string
		for name := range seen.Header {
			names = append(names, name)
		}
		slices.Sort(names)
		if want := []string{"Accept", "Accept-Encoding", "User-Agent"}; !slices.Equal(names, want) {
			t.Errorf("%s: headers %v, want %v", seen.URL, names, want)
		}
		if seen.UserAgent() != "wuu/test" || seen.Header.Get("Accept") != "application/json" {
			t.Errorf("%s: %v", seen.URL, seen.Header)
		}
	}
}

func TestRedirects(t *testing.T) {
	other := serve(t, func(w http.ResponseWriter, _ *http.Request, _ int) { io.WriteString(w, "stolen") })
	for _, c := range []struct {
		name  string
		chain []string
		want  string // of the error, "" is success
	}{
		{"inside", []string{"/b", "/c"}, ""},
		{"five", []string{"/1", "/2", "/3", "/4", "/5"}, ""},
		{"six", []string{"/1", "/2", "/3", "/4", "/5", "/6"}, "more than 5 redirects"},
		{"another port", []string{other.URL + "/x"}, "away from https://127.0.0.1"},
		{"another host later", []string{"/b", "https://registry.example.com/x"}, "redirected to https://registry.example.com, away from"},
		{"plain HTTP", []string{"http://127.0.0.1:1/x"}, "plain HTTP"},
		{"link-local", []string{"http://169.254.169.254/latest"}, "plain HTTP"},
		{"file", []string{"file:///etc/passwd"}, "want an https:// URL"},
		{"query", []string{"/b?token=1"}, "query"},
		{"fragment", []string{"/b#x"}, "fragment"},
		{"credentials", []string{"https://u:secret@registry.example.com/x"}, "credentials"},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := serve(t, func(w http.ResponseWriter, _ *http.Request, n int) {
				if n <= len(c.chain) {
					w.Header().Set("Location", c.chain[n-1])
					w.WriteHeader(http.StatusFound)
					return
				}
				io.WriteString(w, "content")
			})
			body, err := x.client.Get(t.Context(), x.request(t, "/a"))
			if c.want == "" {
				if err != nil || string(body) != "content" {
					t.Errorf("got %q, %v", body, err)
				}
				return
			}
			e := failed(t, err)
			if e.Reason != httpx.BadRedirect || !strings.Contains(e.Error(), c.want) || e.Tries != 1 || strings.Contains(e.Error(), "secret") {
				t.Errorf("got %d: %v, want %q", e.Reason, e, c.want)
			}
		})
	}
	if other.tries() != 0 {
		t.Errorf("the other origin was asked %d times", other.tries())
	}
}

func TestURLRules(t *testing.T) {
	x := serve(t, func(http.ResponseWriter, *http.Request, int) {})
	for url, want := range map[string]string{
		strings.Replace(x.URL, "https", "http", 1) + "/a": "plain HTTP",
		x.URL + "/a?b":                   "query",
		"https://registry.example.com/a": "it is not on https://127.0.0.1",
		"/a":                             "https://",
	} {
		r := x.request(t, "")
		r.URL = url
		_, err := x.client.Get(t.Context(), r)
		if e := failed(t, err); e.Reason != httpx.BadURL || !strings.Contains(e.Error(), want) {
			t.Errorf("%s: %d %v", url, e.Reason, e)
		}
	}
	if x.tries() != 0 {
		t.Errorf("%d requests were sent", x.tries())
	}
}

func TestLimit(t *testing.T) {
	for name, flush := range map[string]bool{"declared": false, "streamed": true} {
		x := serve(t, func(w http.ResponseWriter, _ *http.Request, _ int) {
			if flush {
				http.NewResponseController(w).Flush()
			}
			io.WriteString(w, "0123456789")
		})
		r := x.request(t, "/a")
		r.Limit = 10
		if body, err := x.client.Get(t.Context(), r); err != nil || len(body) != 10 {
			t.Errorf("%s, at the limit: %q, %v", name, body, err)
		}
		s := &sink{}
		if err := x.client.Download(t.Context(), r, s); err != nil || s.Len() != 10 {
			t.Errorf("%s, at the limit: %q, %v", name, s, err)
		}
		r.Limit = 9
		_, err := x.client.Get(t.Context(), r)
		if e := failed(t, err); e.Reason != httpx.TooLarge || e.Tries != 1 || !strings.Contains(e.Error(), "9 bytes") {
			t.Errorf("%s: %v", name, e)
		}
		if e := failed(t, x.client.Download(t.Context(), r, &sink{})); e.Reason != httpx.TooLarge || e.Tries != 1 {
			t.Errorf("%s: %v", name, e)
		}
	}
}

func TestCancel(t *testing.T) {
	stop := errors.New("stopped by hand")
	t.Run("before", func(t *testing.T) {
		x := serve(t, func(http.ResponseWriter, *http.Request, int) {})
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(stop)
		if _, err := x.client.Get(ctx, x.request(t, "/")); !errors.Is(err, stop) || x.tries() != 0 {
			t.Errorf("%v after %d tries", err, x.tries())
		}
	})
	t.Run("while waiting for the answer", func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		x := serve(t, func(_ http.ResponseWriter, r *http.Request, _ int) { cancel(stop); <-r.Context().Done() })
		if _, err := x.client.Get(ctx, x.request(t, "/")); !errors.Is(err, stop) || x.tries() != 1 {
			t.Errorf("%v after %d tries", err, x.tries())
		}
	})
	t.Run("in the body", func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		x := serve(t, func(w http.ResponseWriter, r *http.Request, _ int) {
			io.WriteString(w, "half")
			http.NewResponseController(w).Flush()
			<-r.Context().Done()
		})
		s := &sink{wrote: func() { cancel(stop) }}
		if err := x.client.Download(ctx, x.request(t, "/"), s); !errors.Is(err, stop) || x.tries() != 1 {
			t.Errorf("%v after %d tries", err, x.tries())
		}
	})
	t.Run("between tries", func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		x := serve(t, func(w http.ResponseWriter, _ *http.Request, _ int) { w.WriteHeader(503) })
		client := httpx.New(httpx.Options{Getenv: x.env(t), Jitter: func() float64 { cancel(stop); return 1e6 }})
		defer client.CloseIdleConnections()
		if _, err := client.Get(ctx, x.request(t, "/")); !errors.Is(err, stop) || x.tries() != 1 {
			t.Errorf("%v after %d tries", err, x.tries())
		}
	})
}
