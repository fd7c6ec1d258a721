// Package nearest finds the name that a person most likely meant, for every
// "did you mean".
package nearest

import "strings"

// Name returns the member of known that a person most likely meant by
// word, or "". known holds names of one kind only, so a suggestion never
// leads from a field to a value or from an event to a permission.
func Name(word string, known []string) string {
	if len(word) > 64 {
		return ""
	}
	best, distance := beginsWith(word, known), 1+max(1, len(word)/3)
	for _, name := range known {
		if d := levenshtein(plainWord(word), plainWord(name)); d < distance {
			best, distance = name, d
		}
	}
	return best
}

// beginsWith returns the one name that starts with word, or "".
func beginsWith(word string, known []string) string {
	found := ""
	for _, name := range known {
		if len(word) >= 4 && strings.HasPrefix(plainWord(name), plainWord(word)) {
			if found != "" && plainWord(found) != plainWord(name) {
				return ""
			}
			found = name
		}
	}
	return found
}

// plainWord drops what people mix up most: case, "-" and "_".
func plainWord(word string) string {
	return strings.ReplaceAll(strings.ReplaceAll(strings.ToLower(word), "-", ""), "_", "")
}

// levenshtein counts the insertions, deletions, replacements and swaps of
// neighbours that turn a into b, in bytes.
func levenshtein(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before, last, row = last, row, before
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(last[j+1]+1, row[j]+1, last[j]+cost)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
	}
	return row[len(b)]
}
