package httpx

import (
	"fmt"
	"math"
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestParseContentRange(t *testing.T) {
	for value, want := range map[string]contentRange{
		"bytes 0-9/10":          {0, 9, 10},
		"Bytes 4000-9999/10000": {4000, 9999, 10000},
		"bytes 0-9223372036854775806/9223372036854775807": {0, math.MaxInt64 - 1, math.MaxInt64},
	} {
		if got, err := parseContentRange(value); err != nil || got != want {
			t.Errorf("%q: %v, %v", value, got, err)
		}
	}
	for _, value := range []string{
		"", "bytes", "bytes 0-9", "bytes 0-9/*", "bytes */10", "bytes 9-0/10", "bytes 0-10/10", "bytes 0-9/10 ", "bytes 0-9/10, 0-9/10",
		"items 0-9/10", "bytes -1-9/10", "bytes +0-9/10", "bytes 0-9/9223372036854775808", "bytes 0x0-9/10", "bytes  0-9/10",
	} {
		if got, err := parseContentRange(value); err == nil {
			t.Errorf("%q: %v", value, got)
		}
	}
}

func TestStrongTag(t *testing.T) {
	long := `"` + strings.Repeat("a", 254) + `"`
	for value, want := range map[string]string{
		`"abc"`: `"abc"`, `""`: `""`, long: long, `"../../x"`: `"../../x"`, "\"caf\xc3\xa9\"": "\"caf\xc3\xa9\"",
		`W/"abc"`: "", `abc`: "", `"`: "", ``: "", `"a"b"`: "", `"a b"`: "", "\"a\nb\"": "", "\"a\x7f\"": "", `"` + long[1:254] + `aa"`: "",
	} {
		if got := strongTag(value); got != want {
			t.Errorf("%.40q: %.40q, want %.40q", value, got, want)
		}
	}
}

func FuzzParseContentRange(f *testing.F) {
	f.Add("bytes 0-9/10")
	f.Add("bytes 4000-9999/*")
	f.Fuzz(func(t *testing.T, value string) {
		r, err := parseContentRange(value)
		if err != nil {
			return
		}
		if r.first < 0 || r.first > r.last || r.last >= r.total {
			t.Fatalf("%q: %+v", value, r)
		}
		again, err := parseContentRange(fmt.Sprintf("bytes %d-%d/%d", r.first, r.last, r.total))
		if err != nil || again != r {
			t.Fatalf("%q: %+v, then %+v, %v", value, r, again, err)
		}
	})
}

func FuzzRetryAfter(f *testing.F) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	c := New(Options{Now: func() time.Time { return now }})
	for _, value := range []string{"7", "Mon, 30 Nov 2026 12:00:20 GMT", "soon", "-1", "99999999999999999999", " 5 ", "1e3", "Sat, 31 Dec 9999 23:59:59 GMT"} {
		f.Add(value)
	}
	f.Fuzz(func(t *testing.T, value string) {
		wait := c.retryAfter(value)
		if wait < 0 {
			t.Fatalf("%q: %v", value, wait)
		}
		if at, err := http.ParseTime(strings.TrimSpace(value)); err == nil && at.Before(now) && wait != 0 {
			t.Fatalf("%q is past, and asks for %v", value, wait)
		}
		e := &Error{Reason: BadStatus, Status: 503, RetryAfter: wait}
		if wait > MaxRetryAfter && e.temporary() {
			t.Fatalf("%q: a wait of %v would be taken", value, wait)
		}
	})
}

func FuzzStrongTag(f *testing.F) {
	f.Add(`"abc"`)
	f.Add(`W/"abc"`)
	f.Fuzz(func(t *testing.T, value string) {
		tag := strongTag(value)
		if tag != "" && (tag != value || strings.ContainsAny(tag, "\r\n\x00 ") || strings.Count(tag, `"`) != 2) {
			t.Fatalf("%q became %q", value, tag)
		}
	})
}
