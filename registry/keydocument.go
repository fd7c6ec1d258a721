package registry

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// keysPath is where npm registries offer their public keys.
const keysPath = "/-/npm/v1/keys"

// ecdsaP256 is the one kind of key that npm uses.
const ecdsaP256 = "ecdsa-sha2-nistp256"

// The limits of a keys document: bytes, keys.
const (
	maxKeyBytes = 256 << 10
	maxKeys     = 64
)

// keyDocument is the registry's public keys, {"keys": [...]}.
type keyDocument struct {
	Keys []*publicKey `json:"keys"`
}

// publicKey is one entry. public is nil for a kind that wuu does not know.
type publicKey struct {
	KeyID   string `json:"keyid"`
	KeyType string `json:"keytype"`
	Scheme  string `json:"scheme"`
	Key     string `json:"key"`     // SubjectPublicKeyInfo, DER in base64
	Expires any    `json:"expires"` // RFC 3339, or null
	public  *ecdsa.PublicKey
	expires time.Time
}

// readKeys reads a keys document. A key of another kind is kept, unusable; a
// key of the known kind that cannot be read, an expiry that is no date and a
// key id that stands twice are errors: a document in which one key is broken
// proves nothing about the rest.
func readKeys(src []byte) (*keyDocument, error) {
	var doc keyDocument
	if err := json.Unmarshal(src, &doc); err != nil {
		return nil, err
	}
	if doc.Keys == nil {
		return nil, errors.New(`it has no "keys"`)
	}
	if len(doc.Keys) > maxKeys {
		return nil, fmt.Errorf("it has %d keys, more than %d", len(doc.Keys), maxKeys)
	}
	seen := map[string]bool{}
	for i, k := range doc.Keys {
		switch {
		case k == nil || k.KeyID == "":
			return nil, fmt.Errorf("key %d has no keyid", i)
		case seen[k.KeyID]:
			return nil, fmt.Errorf("two keys have the keyid %q", k.KeyID)
		}
		seen[k.KeyID] = true
		if err := k.prepare(); err != nil {
			return nil, fmt.Errorf("key %q: %w", k.KeyID, err)
		}
	}
	return &doc, nil
}

func (k *publicKey) prepare() (err error) {
	switch at := k.Expires.(type) {
	case nil:
	case string:
		if k.expires, err = time.Parse(time.RFC3339, at); err != nil {
			return fmt.Errorf("expires: %w", err)
		}
	default:
		return errors.New("expires is neither a date nor null")
	}
	if k.KeyType != ecdsaP256 || k.Scheme != "" && k.Scheme != ecdsaP256 {
		return nil
	}
	der, err := base64.StdEncoding.DecodeString(k.Key)
	if err != nil {
		return err
	}
	public, err := x509.ParsePKIXPublicKey(der)
	if err != nil {
		return err
	}
	key, ok := public.(*ecdsa.PublicKey)
	if !ok || key.Curve != elliptic.P256() {
		return errors.New("it is no P-256 key")
	}
	k.public = key
	return nil
}

func (k *publicKey) expired(now time.Time) bool {
	return !k.expires.IsZero() && !now.Before(k.expires)
}

func (d *keyDocument) find(id string) *publicKey {
	for _, k := range d.Keys {
		if k.KeyID == id {
			return k
		}
	}
	return nil
}
