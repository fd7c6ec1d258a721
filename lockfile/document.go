package lockfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"unicode/utf8"

	"github.com/wuu-plugins/wuu/internal/fault"
)

// document is one flat JSON object with the places of its parts.
type document []member

// member is one key of the document.
type member struct {
	key   string
	at    place
	value struct {
		token json.Token // string, json.Number, bool or nil
		at    place
	}
}

func (d document) find(key string) *member {
	if i := slices.IndexFunc(d, func(m member) bool { return m.key == key }); i >= 0 {
		return &d[i]
	}
	return nil
}

// sketch is the package and version that a damaged lock still tells.
func (d document) sketch() (l Lock) {
	for key, field := range map[string]*string{"package": &l.Package, "version": &l.Version} {
		if m := d.find(key); m != nil {
			*field, _ = m.value.token.(string)
		}
	}
	return l
}

// checkText refuses what is no JSON text at all.
func checkText(src []byte) *Error {
	switch {
	case len(bytes.TrimSpace(src)) == 0:
		return fault.New(fault.Lock, "LOCK_EMPTY", "", "the file is empty").WithHint("%s", writeAgain(Lock{}))
	case bytes.HasPrefix(src, []byte("\xef\xbb\xbf")):
		return fault.New(fault.Lock, "LOCK_BOM", "", "the file begins with a byte order mark").WithHint("save it as UTF-8 without one")
	case bytes.HasPrefix(src, []byte("\xff\xfe")) || bytes.HasPrefix(src, []byte("\xfe\xff")):
		return fault.New(fault.Lock, "LOCK_ENCODING", "", "the file is UTF-16; a lock is UTF-8").WithHint("save it as UTF-8 without a byte order mark")
	}
	for i := 0; i < len(src); {
		r, n := utf8.DecodeRune(src[i:])
		if r == utf8.RuneError && n == 1 {
			return placeOf(src, i).mark(fault.New(fault.Lock, "LOCK_ENCODING", "", "not valid UTF-8").WithHint("%s", writeAgain(Lock{})))
		}
		i += n
	}
	return nil
}

// members reads one flat JSON object and nothing behind it. With an error it
// returns what was read before.
func members(src []byte) (document, *Error) {
	r := reader{src: src, d: json.NewDecoder(bytes.NewReader(src))}
	r.d.UseNumber()
	if t, err := r.d.Token(); err != nil || t != json.Delim('{') {
		return nil, r.broken(0, err, "want one JSON object")
	}
	var all document
	for r.d.More() {
		m, err := r.member()
		if err != nil {
			return all, err
		}
		if first := all.find(m.key); first != nil {
			return all, m.at.mark(fault.New(fault.Lock, "LOCK_KEY_TWICE", "", "the key %q stands twice, first in line %d", clip(m.key), first.at.Line))
		}
		all = append(all, m)
	}
	if at, err := r.next(); err != nil {
		return all, r.broken(at, err, "")
	}
	if rest := r.skip(" \t\r\n"); rest < len(src) {
		return all, placeOf(src, rest).mark(fault.New(fault.Lock, "LOCK_TRAILING", "", "something stands behind the closing brace"))
	}
	return all, nil
}

// reader knows where each token begins.
type reader struct {
	src  []byte
	d    *json.Decoder
	last json.Token
}

// skip returns the offset of the next byte that is none of set.
func (r *reader) skip(set string) int {
	at := int(r.d.InputOffset())
	return len(r.src) - len(bytes.TrimLeft(r.src[at:], set))
}

// next reads a token and returns where it begins.
func (r *reader) next() (at int, err error) {
	at = r.skip(" \t\r\n,:")
	r.last, err = r.d.Token()
	return at, err
}

func (r *reader) member() (m member, bad *Error) {
	at, err := r.next()
	if err != nil {
		return m, r.broken(at, err, "")
	}
	m.key, _ = r.last.(string)
	m.at = placeOf(r.src, at)
	if at, err = r.next(); err != nil {
		return m, r.broken(at, err, "")
	}
	m.value.token, m.value.at = r.last, placeOf(r.src, at)
	if _, nested := r.last.(json.Delim); nested {
		return m, m.value.at.mark(fault.New(fault.Lock, "LOCK_VALUE", "", "the value of %q must not be an object or array", clip(m.key)))
	}
	return m, nil
}

// broken tells a file that ends too early from one that is no JSON.
func (r *reader) broken(at int, err error, otherwise string) *Error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return placeOf(r.src, len(r.src)).mark(fault.New(fault.Lock, "LOCK_TRUNCATED", "", "the file ends in the middle"))
	}
	if err == nil {
		err = errors.New(otherwise)
	}
	return placeOf(r.src, at).mark(fault.New(fault.Lock, "LOCK_SYNTAX", "", "not JSON: %w", err))
}
