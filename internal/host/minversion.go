package host

import (
	"strconv"
	"strings"
)

// atLeast compares CalVer triples (design/cli.md): two-part shorthand counts
// as ending in .0, a leading v is allowed, and what cannot be read on either
// side is no (reference/wuu-facts.md §2.10: it fails closed).
func atLeast(current, least string) bool {
	have, ok := triple(current)
	want, fine := triple(least)
	if !ok || !fine {
		return false
	}
	for i := range have {
		if have[i] != want[i] {
			return have[i] > want[i]
		}
	}
	return true
}

// triple reads up to three numbers without leading zeros.
func triple(s string) ([3]uint64, bool) {
	var out [3]uint64
	parts := strings.Split(strings.TrimPrefix(s, "v"), ".")
	if len(parts) > len(out) {
		return out, false
	}
	for i, part := range parts {
		if part == "" || len(part) > 1 && part[0] == '0' || strings.Trim(part, "0123456789") != "" {
			return out, false
		}
		n, err := strconv.ParseUint(part, 10, 64)
		if err != nil {
			return out, false
		}
		out[i] = n
	}
	return out, true
}
