package term

import (
	"fmt"
	"strings"
	"time"
	"unicode"
)

// Clean makes text from a plugin or a network safe to print on one line:
// control, direction and zero-width characters are shown as escapes.
func Clean(text string) string { return clean(text, false) }

// CleanLines is Clean for text of several lines: newlines and tabs stay.
func CleanLines(text string) string { return clean(text, true) }

func clean(text string, lines bool) string {
	if strings.IndexFunc(text, unsafe) < 0 {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		switch {
		case lines && (r == '\n' || r == '\t'), !unsafe(r):
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, "\\u%04x", r)
		}
	}
	return b.String()
}

// unsafe also covers the byte order mark and the Unicode tag characters, all
// of which are in category Cf.
func unsafe(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == '\u2028' || r == '\u2029'
}

// Size writes a number of bytes as a person reads it: B, kB or MB with one
// decimal.
func Size(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d B", n)
	case n < 1_000_000:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	default:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	}
}

// Duration writes a time in ms below 10 s, else in seconds.
func Duration(d time.Duration) string {
	if d < 10*time.Second {
		return fmt.Sprintf("%d ms", d.Milliseconds())
	}
	return fmt.Sprintf("%.1f s", d.Seconds())
}
