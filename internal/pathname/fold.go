package pathname

import (
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Fold is the key under which two paths are one file on some case-insensitive,
// normalising file system: full Unicode case fold between two compatibility
// normalisations, part by part. Equal keys mean a collision; the key itself is
// not a path.
func Fold(path string) string {
	if isASCII(path) {
		return strings.ToLower(path)
	}
	parts := strings.Split(path, "/")
	for i, part := range parts {
		folded := cases.Fold().String(norm.NFKC.String(part))
		// cases.Fold swaps the two cases of Cherokee instead of choosing one.
		folded = norm.NFKC.String(strings.Map(unicode.ToLower, folded))
		// Compatibility forms such as U+2100 expand to text with a slash.
		parts[i] = strings.ReplaceAll(folded, "/", "\x00")
	}
	return strings.Join(parts, "/")
}

// NFC is the composed form in which pack stores names; macOS tools often hand
// out the decomposed one.
func NFC(path string) string {
	if isASCII(path) {
		return path
	}
	return norm.NFC.String(path)
}

// SameText reports whether two names differ in Unicode normalisation only.
func SameText(a, b string) bool { return norm.NFKC.String(a) == norm.NFKC.String(b) }

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}
