// Package secret finds what must not leave a machine by accident: private
// keys, tokens, files that hold credentials, and characters that do not show.
//
// It looks for shapes that are secrets and nothing else. Where a format has a
// checksum (GitHub tokens: CRC-32 in base 62 over the random part,
// github.blog 2021-04-05) it is verified; elsewhere the random part has to
// look random, so that examples and placeholders are no findings. One pass
// over the bytes decides: see table.
package secret

import (
	"fmt"
	"unicode/utf8"
)

// The codes of what can be found.
const (
	PrivateKey = "SECRET_PRIVATE_KEY"
	Token      = "SECRET_TOKEN"
	File       = "SECRET_FILE"
	Hidden     = "HIDDEN_UNICODE"
)

// MaxHits bounds the hits of one file.
const MaxHits = 20

// Hit is one find. Start and End are byte offsets in the file. Message is a
// clause without the secret: at most its first four characters and its length.
type Hit struct {
	Code       string
	Message    string
	Hint       string
	Start, End int64
}

// Known reports whether code is one of this package.
func Known(code string) bool {
	return code == PrivateKey || code == Token || code == File || code == Hidden
}

// Show is how a secret is named: its first four characters and its length.
func Show(secret []byte) string {
	n := 0
	for i := 0; i < 4 && n < len(secret); i++ {
		_, size := utf8.DecodeRune(secret[n:])
		n += size
	}
	if len(secret) < 8 { // four characters of so few would be half of it
		n = 0
	}
	return fmt.Sprintf("%s…, %d characters", secret[:n], utf8.RuneCount(secret))
}
