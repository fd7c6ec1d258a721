package service

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/wuu-plugins/wuu/internal/lazyregexp"
	"github.com/wuu-plugins/wuu/internal/protocol"
)

// Names of the storage services.
const (
	NameStorageGet             = "host.storage.get"
	NameStorageSet             = "host.storage.set"
	NameStorageDelete          = "host.storage.delete"
	NameStorageKeys            = "host.storage.keys"
	NameStorageCompareExchange = "host.storage.compare-exchange"
)

// Limits of host.storage (design/host.md, "Services").
const (
	MaxStorageKey      = 128     // bytes
	MaxStorageValue    = 1 << 20 // bytes of one value
	MaxStorageKeys     = 256     // in one document
	MaxStorageDocument = 2 << 20 // bytes of the document's file
)

var storageKey = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)

// storageDocument is the file of one subject in one scope.
type storageDocument struct {
	SchemaVersion int               `json:"schema_version"`
	PluginID      string            `json:"plugin_id"` // the subject
	Values        map[string]string `json:"values"`
}

// storage answers host.storage.*.
type storage struct {
	files layout
	locks locks
}

func (s storage) register(set Set) {
	set.add(NameStorageGet, Method{Preparation: true, Do: s.get})
	set.add(NameStorageKeys, Method{Preparation: true, Do: s.keys})
	set.add(NameStorageSet, Method{Do: s.set})
	set.add(NameStorageDelete, Method{Do: s.delete})
	set.add(NameStorageCompareExchange, Method{Do: s.compareExchange})
}

// place is where one call works: the document of the caller in a scope.
type place struct{ path, subject string }

func (s storage) place(c Call, p params) (place, *protocol.Error) {
	scope, perr := p.text("scope")
	if perr != nil {
		return place{}, perr
	}
	dir, perr := s.files.storage(scope)
	if perr != nil {
		return place{}, perr
	}
	return place{filepath.Join(dir, DocumentName(c.Caller.Subject)), c.Caller.Subject}, nil
}

func key(p params) (string, *protocol.Error) {
	k, perr := p.text("key")
	if perr != nil {
		return "", perr
	}
	if len(k) > MaxStorageKey || !storageKey().MatchString(k) {
		return "", invalid("key must match %s and have at most %d bytes", storageKey(), MaxStorageKey)
	}
	return k, nil
}

func (s storage) get(_ context.Context, c Call) (any, *protocol.Error) {
	p, perr := decode(c.Params, []string{"scope", "key"}, nil)
	if perr != nil {
		return nil, perr
	}
	k, perr := key(p)
	if perr != nil {
		return nil, perr
	}
	at, perr := s.place(c, p)
	if perr != nil {
		return nil, perr
	}
	doc, perr := at.read()
	if perr != nil {
		return nil, perr
	}
	return map[string]any{"value": present(doc, k)}, nil
}

func (s storage) keys(_ context.Context, c Call) (any, *protocol.Error) {
	p, perr := decode(c.Params, []string{"scope"}, nil)
	if perr != nil {
		return nil, perr
	}
	at, perr := s.place(c, p)
	if perr != nil {
		return nil, perr
	}
	doc, perr := at.read()
	if perr != nil {
		return nil, perr
	}
	names := make([]string, 0, len(doc.Values))
	for name := range doc.Values {
		names = append(names, name)
	}
	slices.Sort(names)
	return map[string]any{"keys": names}, nil
}

func (s storage) set(ctx context.Context, c Call) (any, *protocol.Error) {
	p, perr := decode(c.Params, []string{"scope", "key", "value"}, nil)
	if perr != nil {
		return nil, perr
	}
	k, perr := key(p)
	if perr != nil {
		return nil, perr
	}
	value, perr := p.text("value")
	if perr != nil {
		return nil, perr
	}
	at, perr := s.place(c, p)
	if perr != nil {
		return nil, perr
	}
	return struct{}{}, s.change(ctx, at, func(doc *storageDocument) (bool, *protocol.Error) {
		return put(doc, k, &value)
	})
}

func (s storage) delete(ctx context.Context, c Call) (any, *protocol.Error) {
	p, perr := decode(c.Params, []string{"scope", "key"}, nil)
	if perr != nil {
		return nil, perr
	}
	k, perr := key(p)
	if perr != nil {
		return nil, perr
	}
	at, perr := s.place(c, p)
	if perr != nil {
		return nil, perr
	}
	return struct{}{}, s.change(ctx, at, func(doc *storageDocument) (bool, *protocol.Error) {
		return put(doc, k, nil)
	})
}

// compareExchange sets key to value when it is expected now; null stands for
// absent in both. The answer tells the value after the decision.
func (s storage) compareExchange(ctx context.Context, c Call) (any, *protocol.Error) {
	p, perr := decode(c.Params, []string{"scope", "key", "expected", "value"}, nil)
	if perr != nil {
		return nil, perr
	}
	k, perr := key(p)
	if perr != nil {
		return nil, perr
	}
	expected, perr := p.textOrNull("expected")
	if perr != nil {
		return nil, perr
	}
	value, perr := p.textOrNull("value")
	if perr != nil {
		return nil, perr
	}
	at, perr := s.place(c, p)
	if perr != nil {
		return nil, perr
	}
	answer := struct {
		Swapped bool    `json:"swapped"`
		Value   *string `json:"value"`
	}{}
	perr = s.change(ctx, at, func(doc *storageDocument) (bool, *protocol.Error) {
		now := present(*doc, k)
		if !same(now, expected) {
			answer.Value = now
			return false, nil
		}
		answer.Swapped, answer.Value = true, value
		return put(doc, k, value)
	})
	if perr != nil {
		return nil, perr
	}
	return answer, nil
}

// put writes or, for nil, deletes one value, and says whether doc changed.
func put(doc *storageDocument, k string, value *string) (bool, *protocol.Error) {
	old, had := doc.Values[k]
	if value == nil {
		delete(doc.Values, k)
		return had, nil
	}
	if len(*value) > MaxStorageValue {
		return false, Errorf(protocol.CodeLimitExceeded, "the value of %q has %d bytes; at most %d are allowed", k, len(*value), MaxStorageValue)
	}
	if !had && len(doc.Values) >= MaxStorageKeys {
		return false, Errorf(protocol.CodeLimitExceeded, "there are %d keys already; at most %d are allowed", len(doc.Values), MaxStorageKeys)
	}
	doc.Values[k] = *value
	return !had || old != *value, nil
}

func present(doc storageDocument, k string) *string {
	if v, ok := doc.Values[k]; ok {
		return &v
	}
	return nil
}

func same(a, b *string) bool {
	if a == nil || b == nil {
		return a == b
	}
	return *a == *b
}
