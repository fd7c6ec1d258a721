package httpx_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/wuu-plugins/wuu/internal/httpx"
)

func TestDownloadContinues(t *testing.T) {
	data := bytes.Repeat([]byte("0123456789"), 1000)
	// A cut after n bytes, and then what the server does with the next tries.
	for _, c := range []struct {
		name   string
		etag   string
		cuts   []int // bytes before the connection breaks, one a try; then none
		odd    func(w http.ResponseWriter, r *http.Request) bool
		begins [][2]int64
		ranges []string
		err    string
	}{
		{name: "whole", etag: `"a"`, begins: [][2]int64{{0, 10000}}, ranges: []string{""}},
		{name: "one cut", etag: `"a"`, cuts: []int{4000}, begins: [][2]int64{{0, 10000}, {4000, 10000}}, ranges: []string{"", "bytes=4000-"}},
		{name: "two cuts", etag: `"a"`, cuts: []int{4000, 1000}, begins: [][2]int64{{0, 10000}, {4000, 10000}, {5000, 10000}}, ranges: []string{"", "bytes=4000-", "bytes=5000-"}},
		{name: "three cuts", etag: `"a"`, cuts: []int{4000, 1000, 1000}, ranges: []string{"", "bytes=4000-", "bytes=5000-"}, err: "the connection broke after 6000 of 10000 bytes"},
		{name: "no etag", cuts: []int{4000}, begins: [][2]int64{{0, 10000}, {0, 10000}}, ranges: []string{"", ""}},
		{name: "weak etag", etag: `W/"a"`, cuts: []int{4000}, begins: [][2]int64{{0, 10000}, {0, 10000}}, ranges: []string{"", ""}},
		{name: "range ignored", etag: `"a"`, cuts: []int{4000}, begins: [][2]int64{{0, 10000}, {0, 10000}}, ranges: []string{"", "bytes=4000-"},
			odd: func(_ http.ResponseWriter, r *http.Request) bool { r.Header.Del("Range"); return false }},
		{name: "cannot continue", etag: `"a"`, cuts: []int{4000}, begins: [][2]int64{{0, 10000}, {0, 10000}}, ranges: []string{"", "bytes=4000-", ""},
			odd: func(w http.ResponseWriter, r *http.Request) bool {
				if r.Header.Get("Range") != "" {
					w.WriteHeader(http.StatusRequestedRangeNotSatisfiable)
					return true
				}
				return false
			}},
		{name: "wrong place", etag: `"a"`, cuts: []int{4000}, begins: [][2]int64{{0, 10000}, {0, 10000}}, ranges: []string{"", "bytes=4000-", ""},
			odd: func(w http.ResponseWriter, r *http.Request) bool {
				if r.Header.Get("Range") != "" {
					w.Header().Set("Content-Range", "bytes 100-9999/10000")
					w.WriteHeader(http.StatusPartialContent)
					return true
				}
				return false
			}},
		{name: "range of unknown length", etag: `"a"`, cuts: []int{4000}, begins: [][2]int64{{0, 10000}, {0, 10000}}, ranges: []string{"", "bytes=4000-", ""},
			odd: partial("bytes 4000-9999/*", `"a"`)},
		{name: "range that ends early", etag: `"a"`, cuts: []int{4000}, begins: [][2]int64{{0, 10000}, {0, 10000}}, ranges: []string{"", "bytes=4000-", ""},
			odd: partial("bytes 4000-5000/10000", `"a"`)},
		{name: "no Content-Range", etag: `"a"`, cuts: []int{4000}, begins: [][2]int64{{0, 10000}, {0, 10000}}, ranges: []string{"", "bytes=4000-", ""},
			odd: partial("", `"a"`)},
		{name: "another ETag on the rest", etag: `"a"`, cuts: []int{4000}, begins: [][2]int64{{0, 10000}, {0, 10000}}, ranges: []string{"", "bytes=4000-", ""},
			odd: partial("bytes 4000-9999/10000", `"b"`)},
		{name: "another length on the rest", etag: `"a"`, cuts: []int{4000}, begins: [][2]int64{{0, 10000}, {0, 10000}}, ranges: []string{"", "bytes=4000-", ""},
			odd: partial("bytes 4000-10000/10001", `"a"`)},
		{name: "If-Range finds another file", etag: `"a"`, cuts: []int{4000}, begins: [][2]int64{{0, 10000}, {0, 10000}}, ranges: []string{"", "bytes=4000-"},
			odd: func(w http.ResponseWriter, r *http.Request) bool {
				if r.Header.Get("If-Range") != "" {
					w.Header().Set("ETag", `"b"`) // ServeContent compares, and sends the whole
				}
				return false
			}},
		{name: "an ETag that cannot be sent back", etag: "\"a\tb\"", cuts: []int{4000}, begins: [][2]int64{{0, 10000}, {0, 10000}}, ranges: []string{"", ""}},
		{name: "an ETag that climbs", etag: `"../../../etc/passwd"`, cuts: []int{4000}, begins: [][2]int64{{0, 10000}, {4000, 10000}}, ranges: []string{"", "bytes=4000-"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
				if c.etag != "" {
					w.Header().Set("ETag", c.etag)
				}
				if c.odd != nil && c.odd(w, r) {
					return
				}
				if n <= len(c.cuts) {
					w = &cutWriter{w, c.cuts[n-1]}
				}
				http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(data))
			})
			s := &sink{}
			err := x.client.Download(t.Context(), x.request(t, "/a.tgz"), s)
			var ranges []string
			for _, r := range x.seen {
				ranges = append(ranges, r.Header.Get("Range"))
				if got := r.Header.Get("Accept-Encoding"); got != "identity" {
					t.Errorf("Accept-Encoding %q", got)
				}
			}
			switch {
			case c.err != "" && !strings.Contains(failed(t, err).Error(), c.err):
				t.Errorf("got %v, want %q", err, c.err)
			case c.err == "" && (err != nil || !bytes.Equal(s.Bytes(), data)):
				t.Errorf("%d bytes, %v", s.Len(), err)
			}
			// A range that was dropped by the handler is not in the log.
			if c.name != "range ignored" && !slices.Equal(ranges, c.ranges) {
				t.Errorf("ranges %q, want %q", ranges, c.ranges)
			}
			if c.err == "" && !slices.Equal(s.begins, c.begins) {
				t.Errorf("begins %v, want %v", s.begins, c.begins)
			}
		})
	}
}

// partial answers a request for a range with 206 and these headers.
func partial(contentRange, etag string) func(http.ResponseWriter, *http.Request) bool {
	return func(w http.ResponseWriter, r *http.Request) bool {
		if r.Header.Get("Range") == "" {
			return false
		}
		w.Header().Set("ETag", etag)
		if contentRange != "" {
			w.Header().Set("Content-Range", contentRange)
		}
		w.WriteHeader(http.StatusPartialContent)
		return true
	}
}

// cutWriter drops the connection after a number of bytes.
type cutWriter struct {
	http.ResponseWriter
	left int
}

func (c *cutWriter) Write(p []byte) (int, error) {
	if len(p) < c.left {
		c.left -= len(p)
		return c.ResponseWriter.Write(p)
	}
	c.ResponseWriter.Write(p[:c.left])
	http.NewResponseController(c.ResponseWriter).Flush()
	panic(http.ErrAbortHandler)
}

func TestGetFetchesACutBodyAgain(t *testing.T) {
	x := serve(t, func(w http.ResponseWriter, r *http.Request, n int) {
		if n < 3 {
			w = &cutWriter{w, n}
		}
		http.ServeContent(w, r, "", time.Time{}, strings.NewReader("content"))
	})
	if body, err := x.client.Get(t.Context(), x.request(t, "/a")); err != nil || string(body) != "content" || x.tries() != 3 {
		t.Errorf("%q, %v after %d tries", body, err, x.tries())
	}
}

func TestSinkErrorIsFinal(t *testing.T) {
	full := errors.New("disk full")
	x := serve(t, func(w http.ResponseWriter, _ *http.Request, _ int) { io.WriteString(w, "content") })
	if err := x.client.Download(t.Context(), x.request(t, "/a"), &sink{fail: full}); !errors.Is(err, full) || x.tries() != 1 {
		t.Errorf("%v after %d tries", err, x.tries())
	}
}

func TestGetTakesGzipTransfer(t *testing.T) {
	x := serve(t, func(w http.ResponseWriter, r *http.Request, _ int) {
		fmt.Fprint(w, r.Header.Get("Accept-Encoding"))
	})
	if body, err := x.client.Get(t.Context(), x.request(t, "/a")); err != nil || string(body) != "gzip" {
		t.Errorf("%q, %v", body, err)
	}
}

func TestSniff(t *testing.T) {
	tar := make([]byte, 512)
	copy(tar[257:], "ustar")
	for want, heads := range map[string][]string{
		"empty":            {""},
		"HTML page":        {"<!DOCTYPE html>", "\ufeff\n <!doctype HTML><p>", "<html lang=en>", "<!-- hotel --><html>", "<head>", "<BODY>"},
		"XML":              {`<?xml version="1.0"?><a/>`},
		"JSON":             {`{"a":1}`, "\n[1]"},
		"gzip data":        {"\x1f\x8b\x08"},
		"zip archive":      {"PK\x03\x04"},
		"uncompressed tar": {string(tar)},
		"text":             {"not found\n", "é", "caf\xc3"},
		"binary data":      {"\x00\x01", "a\xff\xffb"},
	} {
		for _, head := range heads {
			if got := httpx.Sniff([]byte(head), 7); got.Kind != want || got.Size != 7 {
				t.Errorf("%q: %v, want %s", head, got, want)
			}
		}
	}
}
