package pathname

import (
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Fold is the key under which two paths are one file on some case-insensitive,
// normalising file system: full Unicode case fold (APFS) and the simple upper
// case of each letter (NTFS, ZFS, which makes "ı" an "I"), compatibility
// normalisation (ZFS with formKC), and without the characters that a folding
// ext4 skips, part by part. Equal keys mean a collision; the key itself is not
// a path.
func Fold(path string) string {
	if isASCII(path) {
		return strings.ToLower(path)
	}
	parts := strings.Split(path, "/")
	for i, part := range parts {
		// A second round is for the few letters whose fold has a new one.
		folded := foldOnce(foldOnce(part))
		// Compatibility forms such as U+2100 expand to text with a slash.
		parts[i] = strings.ReplaceAll(folded, "/", "\x00")
	}
	return strings.Join(parts, "/")
}

func foldOnce(part string) string {
	folded := cases.Fold().String(norm.NFKC.String(part))
	// cases.Fold swaps the two cases of Cherokee instead of choosing one.
	folded = strings.Map(func(r rune) rune {
		if ignorable(r) {
			return -1
		}
		return unicode.ToLower(unicode.ToUpper(r))
	}, folded)
	return norm.NFKC.String(folded)
}

// ignorable reports characters that have no glyph and that some systems leave
// out when they compare names (Default_Ignorable_Code_Point of Unicode).
func ignorable(r rune) bool {
	return r >= 0x80 && unicode.In(r, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}

// NFC is the composed form in which pack stores names; macOS tools often hand
// out the decomposed one.
func NFC(path string) string {
	if isASCII(path) {
		return path
	}
	return norm.NFC.String(path)
}

// SameText reports whether two names differ in Unicode normalisation and in
// characters without a glyph only.
func SameText(a, b string) bool { return plainText(a) == plainText(b) }

func plainText(s string) string {
	return norm.NFKC.String(strings.Map(func(r rune) rune {
		if ignorable(r) {
			return -1
		}
		return r
	}, s))
}

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}
