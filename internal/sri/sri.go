// Package sri reads and writes Subresource Integrity values ("sha512-…"), the
// form in which npm states the hashes of a package
// (https://www.w3.org/TR/SRI/#the-integrity-attribute).
package sri

import (
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Algorithm is a hash function; a higher one is stronger.
type Algorithm uint8

// The algorithms that npm writes. Anything else in a value is ignored.
const (
	SHA1 Algorithm = iota + 1
	SHA256
	SHA384
	SHA512
)

// String is the name as it stands in a value.
func (a Algorithm) String() string {
	return [...]string{"", "sha1", "sha256", "sha384", "sha512"}[a]
}

// Size is the length of a digest in bytes.
func (a Algorithm) Size() int {
	return [...]int{0, 20, 32, 48, 64}[a]
}

func algorithmOf(name string) (Algorithm, bool) {
	for a := SHA1; a <= SHA512; a++ {
		if a.String() == name {
			return a, true
		}
	}
	return 0, false
}

// Hash is one stated digest.
type Hash struct {
	Algorithm Algorithm
	Digest    string // raw bytes, Algorithm.Size() of them
}

// String is the canonical form, without options.
func (h Hash) String() string {
	return h.Algorithm.String() + "-" + base64.StdEncoding.EncodeToString([]byte(h.Digest))
}

// Integrity is the known hashes of a value, strongest first, without repeats.
type Integrity []Hash

// ErrEmpty says that a value names no algorithm that wuu knows.
var ErrEmpty = errors.New("states no hash that wuu knows (sha512, sha384, sha256, sha1)")

// Parse reads hashes separated by white space. Options ("?…") are ignored and
// so are unknown algorithms; a known algorithm with bad base64 or a digest of
// the wrong length is an error, and so is a value that leaves nothing.
func Parse(value string) (Integrity, error) {
	var all Integrity
	for _, field := range strings.Fields(value) {
		name, rest, ok := strings.Cut(field, "-")
		if !ok {
			return nil, fmt.Errorf("%q is not of the form algorithm-base64", clip(field))
		}
		algorithm, known := algorithmOf(name)
		if !known {
			continue
		}
		encoded, _, _ := strings.Cut(rest, "?")
		digest, err := base64.StdEncoding.Strict().DecodeString(encoded)
		if err != nil {
			return nil, fmt.Errorf("%s: not valid base64: %q", name, clip(encoded))
		}
		if len(digest) != algorithm.Size() {
			return nil, fmt.Errorf("%s: digest of %d bytes, want %d", name, len(digest), algorithm.Size())
		}
		all = append(all, Hash{algorithm, string(digest)})
	}
	if len(all) == 0 {
		return nil, ErrEmpty
	}
	slices.SortStableFunc(all, func(a, b Hash) int { return int(b.Algorithm) - int(a.Algorithm) })
	return slices.Compact(all), nil
}

// ParseSHA512 is Parse for places where the strongest hash must be a sha512.
func ParseSHA512(value string) (Integrity, error) {
	all, err := Parse(value)
	if err != nil {
		return nil, err
	}
	if all[0].Algorithm != SHA512 {
		return nil, fmt.Errorf("its strongest hash is %s, want sha512", all[0].Algorithm)
	}
	return all, nil
}

// FormatSHA512 is the canonical value of one SHA-512 digest.
func FormatSHA512(sum [64]byte) string { return Hash{SHA512, string(sum[:])}.String() }

// Strongest returns the hashes of the strongest algorithm; they are
// alternatives, any of them may match.
func (i Integrity) Strongest() []Hash {
	n := 0
	for n < len(i) && i[n].Algorithm == i[0].Algorithm {
		n++
	}
	return i[:n]
}

// Has says whether the value states exactly this hash.
func (i Integrity) Has(h Hash) bool { return slices.Contains(i, h) }

// String joins the hashes with spaces, strongest first.
func (i Integrity) String() string {
	out := make([]string, len(i))
	for n, h := range i {
		out[n] = h.String()
	}
	return strings.Join(out, " ")
}

func clip(s string) string {
	if len(s) > 40 {
		return s[:40] + "…"
	}
	return s
}
