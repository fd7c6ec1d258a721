package lockfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/wuu-plugins/wuu/internal/fault"
)

// Parse reads a lock strictly: an unknown or repeated key, a higher
// lock_version, trailing data, conflict markers or a malformed value is an
// *Error of kind Lock whose subject is file. Order and white space are free.
func Parse(file string, src []byte) (*Lock, error) {
	if len(src) > MaxSize {
		return nil, fault.New(fault.Lock, "LOCK_SYNTAX", file, "larger than %d bytes; this is not a lock", MaxSize)
	}
	if conflict := findConflict(file, src); conflict != nil {
		return nil, conflict
	}
	lock, err := parse(src)
	if err != nil {
		err.Subject = file
		return nil, err
	}
	return lock, nil
}

// parse does the work of Parse; its errors have no subject yet.
func parse(src []byte) (*Lock, *Error) {
	pairs, err := members(src)
	if err != nil {
		return nil, err
	}
	// The version first: a newer format may have keys that mean nothing here.
	lock := &Lock{}
	if err := lock.setVersion(pairs); err != nil {
		return nil, err
	}
	names, fields := keys(), lock.values()
	for _, p := range pairs {
		i := slices.Index(names[:], p.key)
		if p.key == "lock_version" {
			continue
		}
		if i < 0 {
			return nil, fault.New(fault.Lock, "LOCK_KEY", "", "line %d: unknown key %q; this wuu reads lock_version %d", p.line, p.key, Version).
				WithHint("remove the key, or update wuu if a newer one wrote it")
		}
		text, ok := p.value.(string)
		if !ok {
			return nil, fault.New(fault.Lock, "LOCK_VALUE", "", "line %d: %s must be a string", p.line, p.key)
		}
		*fields[i] = text
	}
	for i, name := range names {
		if !slices.ContainsFunc(pairs, func(p member) bool { return p.key == name }) {
			return nil, fault.New(fault.Lock, "LOCK_KEY", "", "the key %q is missing", name)
		}
		if *fields[i] == "" {
			return nil, fault.New(fault.Lock, "LOCK_VALUE", "", "%s is empty", name)
		}
	}
	return lock, lock.check()
}

func (l *Lock) setVersion(pairs []member) *Error {
	i := slices.IndexFunc(pairs, func(p member) bool { return p.key == "lock_version" })
	if i < 0 {
		return fault.New(fault.Lock, "LOCK_KEY", "", "the key \"lock_version\" is missing")
	}
	number, ok := pairs[i].value.(json.Number)
	n, err := number.Int64()
	if !ok || err != nil || n < 1 {
		return fault.New(fault.Lock, "LOCK_VALUE", "", "line %d: lock_version must be a whole number from 1", pairs[i].line)
	}
	if n > Version {
		return fault.New(fault.Lock, "LOCK_VERSION", "", "lock_version %d is newer than %d, the highest that this wuu reads", n, Version).
			WithHint("update wuu, or write the lock again with this one")
	}
	l.LockVersion = int(n)
	return nil
}

// member is one key of the document.
type member struct {
	key   string
	value json.Token // string, json.Number, bool or nil
	line  int
}

// members reads one flat JSON object and nothing behind it.
func members(src []byte) ([]member, *Error) {
	d := json.NewDecoder(bytes.NewReader(src))
	d.UseNumber()
	bad := func(format string, args ...any) *Error {
		line := 1 + bytes.Count(src[:min(int(d.InputOffset()), len(src))], []byte("\n"))
		return fault.New(fault.Lock, "LOCK_SYNTAX", "", "line %d: %s", line, fmt.Sprintf(format, args...)).
			WithHint("copy the lock again from where it came; wuu does not repair it by guessing")
	}
	if !utf8.Valid(src) {
		return nil, bad("not valid UTF-8")
	}
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, bad("want one JSON object: %s", syntax(err, "it starts otherwise"))
	}
	var all []member
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, bad("%s", syntax(err, ""))
		}
		value, err := d.Token()
		if err != nil {
			return nil, bad("%s", syntax(err, ""))
		}
		name, _ := key.(string)
		if _, nested := value.(json.Delim); nested {
			return nil, bad("the value of %q must not be an object or array", name)
		}
		line := 1 + bytes.Count(src[:d.InputOffset()], []byte("\n"))
		if i := slices.IndexFunc(all, func(p member) bool { return p.key == name }); i >= 0 {
			return nil, fault.New(fault.Lock, "LOCK_KEY", "", "line %d: the key %q stands twice, first in line %d", line, name, all[i].line)
		}
		all = append(all, member{name, value, line})
	}
	if _, err := d.Token(); err != nil {
		return nil, bad("%s", syntax(err, ""))
	}
	if rest := strings.TrimLeft(string(src[d.InputOffset():]), " \t\r\n"); rest != "" {
		return nil, bad("something stands behind the closing brace")
	}
	return all, nil
}

func syntax(err error, otherwise string) string {
	switch {
	case err == nil:
		return otherwise
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return "the file ends too early"
	default:
		return err.Error()
	}
}
