package lockfile

import (
	"encoding/json"
	"slices"

	"github.com/wuu-plugins/wuu/internal/fault"
)

// Parse reads a lock strictly: an unknown or repeated key, a higher
// lock_version, trailing data, conflict markers or a malformed value is an
// *Error of kind Lock whose subject is file. Order, white space and the kind of
// line ends are free.
func Parse(file string, src []byte) (*Lock, error) {
	if len(src) > MaxSize {
		return nil, fault.New(fault.Lock, "LOCK_TOO_LARGE", file, "has more than %d bytes; this is not a lock", MaxSize).
			WithHint("a lock has a few hundred bytes: check the path")
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
	if err := checkText(src); err != nil {
		return nil, err
	}
	doc, err := members(src)
	if err != nil {
		return nil, err.WithHint("%s", writeAgain(doc.sketch()))
	}
	// The version first: a newer format may have keys that mean nothing here.
	lock := &Lock{}
	if err := lock.setVersion(doc); err != nil {
		return nil, err
	}
	if err := lock.fill(doc); err != nil {
		return nil, err
	}
	if bad := lock.check(); bad != nil {
		at := place{1, 1}
		if m := doc.find(bad.key); m != nil {
			at = m.value.at
		}
		return nil, at.mark(bad.fault())
	}
	return lock, nil
}

// fill takes the text of every key, each of which stands there once.
func (l *Lock) fill(doc document) *Error {
	names, fields := keys(), l.values()
	for _, m := range doc {
		i := slices.Index(names[:], m.key)
		if m.key == "lock_version" {
			continue
		}
		if i < 0 {
			return m.at.mark(fault.New(fault.Lock, "LOCK_KEY_UNKNOWN", "", "unknown key %q; this wuu reads lock_version %d", clip(m.key), Version).
				WithHint("remove the key, or update wuu if a newer one wrote it"))
		}
		text, ok := m.value.token.(string)
		if !ok {
			return m.value.at.mark(fault.New(fault.Lock, "LOCK_VALUE", "", "%s must be a string", m.key).WithHint("%s", writeAgain(doc.sketch())))
		}
		if text == "" {
			return m.value.at.mark(fault.New(fault.Lock, "LOCK_VALUE", "", "%s is empty", m.key).WithHint("%s", writeAgain(doc.sketch())))
		}
		*fields[i] = text
	}
	for _, name := range names {
		if doc.find(name) == nil {
			return missingKey(name, doc)
		}
	}
	return nil
}

func missingKey(name string, doc document) *Error {
	return fault.New(fault.Lock, "LOCK_KEY_MISSING", "", "the key %q is missing", name).WithHint("%s", writeAgain(doc.sketch()))
}

func (l *Lock) setVersion(doc document) *Error {
	m := doc.find("lock_version")
	if m == nil {
		return missingKey("lock_version", doc)
	}
	number, ok := m.value.token.(json.Number)
	n, err := number.Int64()
	if !ok || err != nil || n < 1 {
		return m.value.at.mark(fault.New(fault.Lock, "LOCK_VALUE", "", "lock_version must be a whole number from 1").WithHint("%s", writeAgain(doc.sketch())))
	}
	if n > Version {
		return m.value.at.mark(fault.New(fault.Lock, "LOCK_VERSION", "", "lock_version %d is newer than %d, the highest that this wuu reads", n, Version).
			WithHint("update wuu; or write a lock that this one reads: wuu plugin install npm:<name>@<exact version>"))
	}
	l.LockVersion = int(n)
	return nil
}
