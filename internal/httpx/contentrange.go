package httpx

import (
	"errors"
	"strconv"
	"strings"
)

// contentRange is the "bytes first-last/total" of a 206 answer (RFC 9110,
// section 14.4).
type contentRange struct{ first, last, total int64 }

// parseContentRange reads one range of a whole whose length is known.
func parseContentRange(value string) (r contentRange, err error) {
	bad := errors.New("not a Content-Range of known length")
	unit, rest, ok := strings.Cut(value, " ")
	if !ok || !strings.EqualFold(unit, "bytes") {
		return r, bad
	}
	span, whole, ok := strings.Cut(rest, "/")
	if !ok {
		return r, bad
	}
	from, to, ok := strings.Cut(span, "-")
	if !ok {
		return r, bad
	}
	for _, n := range []struct {
		text string
		to   *int64
	}{{from, &r.first}, {to, &r.last}, {whole, &r.total}} {
		v, err := strconv.ParseUint(n.text, 10, 63)
		if err != nil {
			return contentRange{}, bad
		}
		*n.to = int64(v)
	}
	if r.first > r.last || r.last >= r.total {
		return contentRange{}, bad
	}
	return r, nil
}

// strongTag returns an entity tag that If-Range may carry: a strong one, of
// the characters that RFC 9110, section 8.8.3, allows, and of a sane length.
// Anything else is "".
func strongTag(value string) string {
	if len(value) < 2 || len(value) > 256 || value[0] != '"' || value[len(value)-1] != '"' {
		return ""
	}
	for _, b := range []byte(value[1 : len(value)-1]) {
		if b <= ' ' || b == '"' || b == 0x7f {
			return ""
		}
	}
	return value
}
