package registry

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"path/filepath"
	"sync"
	"time"

	"github.com/wuu-plugins/wuu/internal/fsx"
	"github.com/wuu-plugins/wuu/internal/httpx"
	"github.com/wuu-plugins/wuu/internal/origin"
)

// How long the keys of a registry are taken from disk, and the answer that it
// has none. A key that is not among them is always asked for again.
const (
	keysLast   = 24 * time.Hour
	noKeysLast = time.Hour
)

// offer is what a registry answered when it was asked for its keys.
type offer struct {
	keys    *keyDocument // nil when it offers none
	none    string       // then, why
	fromRun bool         // asked by this client, not read from disk
}

// keyring remembers the offers of registries, for the run in memory and
// between runs below dir. Losing the files loses nothing.
type keyring struct {
	dir    string
	store  *Store // whose parts the files are made of
	now    func() time.Time
	mu     sync.Mutex
	offers map[string]offer
}

// storedOffer is an offer on disk.
type storedOffer struct {
	Registry string          `json:"registry"`
	Fetched  time.Time       `json:"fetched"`
	None     string          `json:"none,omitempty"`
	Document json.RawMessage `json:"document,omitempty"`
}

func (k *keyring) path(registry string) string {
	sum := sha256.Sum256([]byte(registry))
	return filepath.Join(k.dir, hex.EncodeToString(sum[:16])+".json")
}

// known returns the offer of a registry without asking it.
func (k *keyring) known(registry string) (offer, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if o, ok := k.offers[registry]; ok {
		return o, true
	}
	src, err := fsx.ReadFile(k.path(registry), 2*maxKeyBytes)
	if err != nil {
		return offer{}, false
	}
	var stored storedOffer
	if json.Unmarshal(src, &stored) != nil || stored.Registry != registry {
		return offer{}, false
	}
	last := keysLast
	if stored.None != "" {
		last = noKeysLast
	}
	if age := k.now().Sub(stored.Fetched); age < 0 || age > last {
		return offer{}, false
	}
	o := offer{none: stored.None}
	if o.none == "" {
		if o.keys, err = readKeys(stored.Document); err != nil {
			return offer{}, false
		}
	}
	k.offers[registry] = o
	return o, true
}

// remember keeps an offer. That it cannot be written is no error: the next run
// asks again.
func (k *keyring) remember(registry string, o offer, document []byte) {
	k.mu.Lock()
	defer k.mu.Unlock()
	o.fromRun = true
	k.offers[registry] = o
	src, err := json.Marshal(storedOffer{registry, k.now().UTC(), o.none, document})
	if err == nil {
		_ = k.store.replace(k.path(registry), append(src, '\n'))
	}
}

// fetchKeys asks a registry for its keys. Statuses that say "there is nothing
// here for you" mean that it offers none; anything else that is no keys
// document is an error, for a check that fails must not look like no signature.
func (c *Client) fetchKeys(ctx context.Context, registry string) (offer, error) {
	within, err := origin.Parse(registry, c.o.InsecureLoopback)
	if err != nil {
		return offer{}, err
	}
	r := httpx.Request{URL: registry + keysPath, Within: within, Accept: acceptDocument, Limit: maxKeyBytes}
	body, err := c.http.Get(ctx, r)
	var e *httpx.Error
	switch {
	case errors.As(err, &e) && offersNone(e):
		o := offer{none: "the registry offers no keys to check it with"}
		if e.Status != http.StatusNotFound {
			o.none += " (" + e.Err.Error() + ")"
		}
		c.keys.remember(registry, o, nil)
		return o, nil
	case err != nil:
		return offer{}, err
	}
	doc, err := readKeys(body)
	if err != nil {
		return offer{}, &httpx.Error{URL: r.URL, Reason: httpx.WrongContent, Status: http.StatusOK, Body: httpx.Sniff(body, int64(len(body))), Err: err}
	}
	o := offer{keys: doc}
	if len(doc.Keys) == 0 {
		o = offer{none: "the registry offers no keys to check it with"}
		body = nil
	}
	c.keys.remember(registry, o, body)
	return o, nil
}

func offersNone(e *httpx.Error) bool {
	if e.Reason != httpx.BadStatus {
		return false
	}
	switch e.Status {
	case http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound,
		http.StatusMethodNotAllowed, http.StatusNotAcceptable, http.StatusGone, http.StatusNotImplemented:
		return true
	}
	return false
}
