package pack

import (
	"crypto/sha256"
	"encoding/hex"
)

// Fingerprint is the identity of a list of files: lower-case hex of SHA-256
// over the lines of List. The order of files does not matter.
func Fingerprint(files []File) string {
	sum := sha256.New()
	var line []byte
	for _, f := range sorted(files) {
		line = appendLine(line[:0], f)
		sum.Write(line)
	}
	return hex.EncodeToString(sum.Sum(nil))
}
