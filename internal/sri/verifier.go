package sri

import (
	"crypto/sha1" //nolint:gosec // npm still states it beside sha512; it never decides alone
	"crypto/sha256"
	"crypto/sha512"
	"fmt"
	"hash"
)

// Verifier hashes what is written to it with SHA-512 and with every algorithm
// of a value. Write never fails.
type Verifier struct {
	want   Integrity
	hashes map[Algorithm]hash.Hash
	n      int64
}

// NewVerifier starts a verifier; want may be nil, then only SHA-512 is computed.
func NewVerifier(want Integrity) *Verifier {
	v := &Verifier{want: want, hashes: map[Algorithm]hash.Hash{SHA512: sha512.New()}}
	for _, h := range want {
		if v.hashes[h.Algorithm] == nil {
			v.hashes[h.Algorithm] = newHash(h.Algorithm)
		}
	}
	return v
}

func newHash(a Algorithm) hash.Hash {
	switch a {
	case SHA1:
		return sha1.New() //nolint:gosec // see the import
	case SHA256:
		return sha256.New()
	case SHA384:
		return sha512.New384()
	default:
		return sha512.New()
	}
}

// Write adds p to every hash.
func (v *Verifier) Write(p []byte) (int, error) {
	for _, h := range v.hashes {
		h.Write(p)
	}
	v.n += int64(len(p))
	return len(p), nil
}

// Reset forgets what was written.
func (v *Verifier) Reset() {
	for _, h := range v.hashes {
		h.Reset()
	}
	v.n = 0
}

// N is the number of bytes written.
func (v *Verifier) N() int64 { return v.n }

// SHA512 is the digest of what was written so far.
func (v *Verifier) SHA512() (sum [64]byte) {
	v.hashes[SHA512].Sum(sum[:0])
	return sum
}

// Mismatch says which stated hash the bytes do not have.
type Mismatch struct{ Want, Got string }

// Error shows both values.
func (m *Mismatch) Error() string { return fmt.Sprintf("wanted %s, got %s", m.Want, m.Got) }

// Check compares every stated algorithm, strongest first, and returns a
// *Mismatch for the first one of which no stated digest fits. A weaker hash
// that disagrees is an error too: somebody stated it, and it is wrong.
func (v *Verifier) Check() error {
	for rest := v.want; len(rest) > 0; {
		alternatives := rest.Strongest()
		got := Hash{alternatives[0].Algorithm, string(v.hashes[alternatives[0].Algorithm].Sum(nil))}
		if !Integrity(alternatives).Has(got) {
			return &Mismatch{Want: Integrity(alternatives).String(), Got: got.String()}
		}
		rest = rest[len(alternatives):]
	}
	return nil
}
