package registrytest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"slices"
	"time"
)

// SigningKey is a key pair with which a registry signs (ECDSA, P-256).
type SigningKey struct {
	ID      string    // SHA256:…
	Expires time.Time // zero: never
	private *ecdsa.PrivateKey
	public  []byte // SubjectPublicKeyInfo, DER
}

// NewSigningKey makes a fresh key.
func NewSigningKey() (*SigningKey, error) {
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("make signing key: %w", err)
	}
	public, err := x509.MarshalPKIXPublicKey(&private.PublicKey)
	if err != nil {
		return nil, fmt.Errorf("make signing key: %w", err)
	}
	sum := sha256.Sum256(public)
	return &SigningKey{ID: "SHA256:" + base64.RawStdEncoding.EncodeToString(sum[:]), private: private, public: public}, nil
}

// Sign returns an entry of dist.signatures.
func (k *SigningKey) Sign(name, version, integrity string) (map[string]any, error) {
	sum := sha256.Sum256([]byte(name + "@" + version + ":" + integrity))
	sig, err := ecdsa.SignASN1(rand.Reader, k.private, sum[:])
	if err != nil {
		return nil, fmt.Errorf("sign %s@%s: %w", name, version, err)
	}
	return map[string]any{"keyid": k.ID, "sig": base64.StdEncoding.EncodeToString(sig)}, nil
}

// document is the key's entry in the keys document.
func (k *SigningKey) document() map[string]any {
	doc := map[string]any{
		"keyid": k.ID, "keytype": "ecdsa-sha2-nistp256", "scheme": "ecdsa-sha2-nistp256",
		"key": base64.StdEncoding.EncodeToString(k.public), "expires": nil,
	}
	if !k.Expires.IsZero() {
		doc["expires"] = k.Expires.UTC().Format("2006-01-02T15:04:05.000Z")
	}
	return doc
}

// OfferKeys sets what /-/npm/v1/keys lists; before it is called, and without
// keys, the answer is 404.
func (s *Server) OfferKeys(keys ...*SigningKey) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.offered = slices.Clone(keys)
}

// SignWith makes every version be signed with these keys when it is published.
func (s *Server) SignWith(keys ...*SigningKey) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.signers = slices.Clone(keys)
}

// sign adds the signatures of the registry's keys to a release. s.mu is held.
func (s *Server) sign(r *release) error {
	for _, k := range s.signers {
		sig, err := k.Sign(r.Name, r.Version, r.Integrity)
		if err != nil {
			return err
		}
		r.signatures = append(r.signatures, sig)
	}
	return nil
}

// keysDocument is nil when no keys are offered. s.mu is held.
func (s *Server) keysDocument() map[string]any {
	if len(s.offered) == 0 {
		return nil
	}
	keys := make([]any, len(s.offered))
	for i, k := range s.offered {
		keys[i] = k.document()
	}
	return map[string]any{"keys": keys}
}
