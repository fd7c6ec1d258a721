package registry

import (
	"crypto/ecdsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"time"

	"github.com/wuu-plugins/wuu/internal/fault"
)

// SignatureState is the outcome of a signature check; the three never mean
// each other.
type SignatureState string

// The states of a signature.
const (
	// SignatureValid: a key that the registry offers signed this name, version
	// and integrity.
	SignatureValid SignatureState = "valid"
	// SignatureInvalid: a signature is there and it is false, or its key is
	// none of the registry's. Fetch refuses such a package.
	SignatureInvalid SignatureState = "invalid"
	// SignatureAbsent: there is nothing that could be judged; the reason says
	// why. It never stands for a check that failed.
	SignatureAbsent SignatureState = "absent"
)

// Signature says who signed a package, as far as the registry's public keys
// tell (npm's "registry signatures"). It proves that the registry vouched for
// these bytes, not that their author is good.
type Signature struct {
	State  SignatureState `json:"state"`
	KeyID  string         `json:"keyid,omitempty"`
	Reason string         `json:"reason,omitempty"` // of absent and invalid, one sentence
}

func absent(reason string) Signature { return Signature{State: SignatureAbsent, Reason: reason} }

// distSignature is one entry of dist.signatures.
type distSignature struct{ KeyID, Sig string }

// maxSignatures bounds the work that metadata can ask for.
const maxSignatures = 16

// readSignatures reads dist.signatures, which may be missing.
func readSignatures(raw json.RawMessage) ([]distSignature, error) {
	if len(raw) == 0 {
		return nil, nil
	}
	var all []distSignature
	if err := json.Unmarshal(raw, &all); err != nil {
		return nil, fmt.Errorf("dist.signatures cannot be read: %w", err)
	}
	if len(all) > maxSignatures {
		return nil, fmt.Errorf("dist.signatures has %d entries, more than %d", len(all), maxSignatures)
	}
	return all, nil
}

// signedText is what npm's registry signs: the integrity stands in it as the
// metadata states it, to the letter.
func signedText(name, version, integrity string) string {
	return name + "@" + version + ":" + integrity
}

// judge compares the signatures of text with the registry's keys. One false
// signature makes the package invalid whatever the others say; else one good
// one makes it valid. An expired key proves nothing, since nothing signed says
// when it was used: the dates in metadata are the sender's to choose.
func judge(text string, signatures []distSignature, keys *keyDocument, now time.Time) Signature {
	var valid, undecided, unknown *Signature
	for _, s := range signatures {
		key := keys.find(s.KeyID)
		switch {
		case key == nil:
			unknown = &Signature{SignatureInvalid, s.KeyID, "it is signed with a key that the registry does not offer"}
		case key.public == nil:
			undecided = &Signature{SignatureAbsent, s.KeyID, fmt.Sprintf("it is signed with a key of the kind %q, which wuu does not know", key.KeyType)}
		case !verifies(key.public, text, s.Sig):
			return Signature{SignatureInvalid, s.KeyID, "the signature does not fit the name, version and integrity"}
		case key.expired(now):
			undecided = &Signature{SignatureAbsent, s.KeyID, "its key expired on " + key.expires.Format(time.DateOnly) + ", and nothing signed says that it was used before"}
		default:
			valid = &Signature{State: SignatureValid, KeyID: s.KeyID}
		}
	}
	for _, outcome := range []*Signature{valid, undecided, unknown} {
		if outcome != nil {
			return *outcome
		}
	}
	return absent("the package has no signature")
}

// verifies checks an ECDSA signature (ASN.1, base64) of text's SHA-256.
func verifies(key *ecdsa.PublicKey, text, sig string) bool {
	der, err := base64.StdEncoding.DecodeString(sig)
	if err != nil {
		return false
	}
	sum := sha256.Sum256([]byte(text))
	return ecdsa.VerifyASN1(key, sum[:], der)
}

// refusal is the error of an invalid signature, nil for the others.
func (g Signature) refusal(s Source) error {
	if g.State != SignatureInvalid {
		return nil
	}
	e := fault.New(fault.Refused, "SIGNATURE_INVALID", s.Spec, "its registry signature is invalid: %s; nothing was kept", g.Reason)
	if g.KeyID != "" {
		e = fault.New(fault.Refused, "SIGNATURE_INVALID", s.Spec, "its registry signature is invalid: %s (key %q); nothing was kept", g.Reason, g.KeyID)
	}
	return e.WithDetails(g).
		WithHint("the metadata was changed, or a mirror passes on signatures without the keys to them; do not install it before you know which")
}
