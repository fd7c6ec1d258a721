package diag

import (
	"bytes"
	"slices"
)

// Apply makes the edits of the findings in src, all offsets being those of
// src. The edits of one finding are made together or not at all. Where two
// findings want to change the same bytes the first of the list wins; left are
// the others, and those whose edits do not fit src. What is wanted twice in
// the same way is made once.
func Apply(src []byte, findings []Finding) (out []byte, applied, left []Finding) {
	var edits []Edit
	for _, f := range findings {
		if len(f.Fix) == 0 {
			continue
		}
		if !fits(f.Fix, len(src)) || slices.ContainsFunc(f.Fix, func(e Edit) bool {
			return slices.ContainsFunc(edits, func(other Edit) bool { return e != other && overlap(e, other) })
		}) {
			left = append(left, f)
			continue
		}
		for _, e := range f.Fix {
			if !slices.Contains(edits, e) {
				edits = append(edits, e)
			}
		}
		applied = append(applied, f)
	}
	slices.SortFunc(edits, func(a, b Edit) int {
		if a.Start != b.Start {
			return a.Start - b.Start
		}
		return a.End - b.End
	})
	var b bytes.Buffer
	at := 0
	for _, e := range edits {
		b.Write(src[at:e.Start])
		b.WriteString(e.Text)
		at = e.End
	}
	b.Write(src[at:])
	return b.Bytes(), applied, left
}

// fits reports whether the edits of one finding lie in a file of size bytes
// and leave each other alone.
func fits(edits []Edit, size int) bool {
	for i, e := range edits {
		if e.Start < 0 || e.End < e.Start || e.End > size {
			return false
		}
		for _, other := range edits[:i] {
			if overlap(e, other) {
				return false
			}
		}
	}
	return true
}

// overlap reports whether the order of two edits would matter.
func overlap(a, b Edit) bool {
	if a.Start == b.Start && (a.Start == a.End) == (b.Start == b.End) {
		return true
	}
	return a.Start < b.End && b.Start < a.End
}
