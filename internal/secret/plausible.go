package secret

import (
	"bytes"
	"math"
)

// placeholders are words of examples. None of them stands in a random text of
// the length of a token by chance.
var placeholders = [...]string{"example", "xxxx", "placeholder", "changeme", "redacted", "yourtoken", "your_", "your-", "dummy", "insert", "replace", "secret", "token"}

// plausible reports whether the random part of a token can be random: no word
// of an example, no long repetition or sequence, enough different characters.
func plausible(body []byte) bool {
	lower := bytes.ToLower(body)
	for _, word := range placeholders {
		if bytes.Contains(lower, []byte(word)) {
			return false
		}
	}
	if run(lower, 0) >= 5 || run(lower, 1) >= 7 {
		return false
	}
	return entropy(body) >= min(3, 0.65*math.Log2(float64(len(body))))
}

// run is the length of the longest run in which each byte is step more than
// the one before: 0 finds aaaa, 1 finds 1234.
func run(b []byte, step byte) int {
	longest, n := 0, 0
	for i := range b {
		if n++; i > 0 && b[i] != b[i-1]+step {
			n = 1
		}
		longest = max(longest, n)
	}
	return longest
}

// entropy is Shannon's, in bits per byte.
func entropy(b []byte) float64 {
	var count [256]int
	for _, c := range b {
		count[c]++
	}
	sum := 0.0
	for _, n := range count {
		if n > 0 {
			p := float64(n) / float64(len(b))
			sum -= p * math.Log2(p)
		}
	}
	return sum
}
