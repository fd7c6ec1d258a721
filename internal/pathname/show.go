package pathname

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// shown is the number of bytes of a hostile name that a message repeats.
const shown = 200

// Show makes any name safe to print: names of visible characters stay as
// they are, everything else is escaped as in Go strings, and what is longer
// than 200 bytes is cut in its middle with "…" so that both ends can be seen.
func Show(name string) string {
	if len(name) > shown {
		head, tail := name[:shown*3/4], name[len(name)-shown/4:]
		for len(head) > 0 && !utf8.ValidString(head) && utf8.ValidString(name) {
			head = head[:len(head)-1]
		}
		for len(tail) > 0 && !utf8.ValidString(tail) && utf8.ValidString(name) {
			tail = tail[1:]
		}
		return Show(head) + "…" + Show(tail)
	}
	if utf8.ValidString(name) && strings.IndexFunc(name, unprintable) < 0 {
		return name
	}
	quoted := strconv.QuoteToASCII(name)
	return quoted[1 : len(quoted)-1]
}

func unprintable(r rune) bool { return !unicode.IsPrint(r) && r != ' ' || ignorable(r) }
