package catalog

import "github.com/wuu-plugins/wuu/internal/pathname"

// nearest returns the id that was probably meant, "" when none is close.
func nearest(id string, all []Record) (best string) {
	if len(id) > 64 {
		return ""
	}
	limit := 1 + len(id)/3
	for _, r := range all {
		if d := edits(pathname.Fold(id), pathname.Fold(r.ID)); d < limit {
			best, limit = r.ID, d
		}
	}
	return best
}

// edits counts the insertions, deletions and replacements of bytes that turn
// a into b.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		corner := row[0]
		row[0] = i + 1
		for j := range len(b) {
			next := min(row[j], row[j+1]) + 1
			if a[i] == b[j] {
				next = min(next, corner)
			} else {
				next = min(next, corner+1)
			}
			corner, row[j+1] = row[j+1], next
		}
	}
	return row[len(b)]
}
