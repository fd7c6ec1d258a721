package host

import (
	"slices"
	"strings"

	"github.com/wuu-plugins/wuu/internal/fault"
)

func unknownPlugin(id string, known []string) error {
	e := fault.New(fault.Usage, CodeUnknownPlugin, id, "this host has no such plugin; it has %s", listed(known))
	if near := nearest(id, known); near != "" {
		e.Hint = "did you mean " + near + "?"
	}
	return e
}

func unknownTool(s *slot, name string) error {
	var known []string
	for _, t := range s.inst.toolList() {
		known = append(known, t.ID)
	}
	e := fault.New(fault.Usage, CodeUnknownTool, s.c.id(), "has no tool %q; it has %s", name, listed(known))
	if near := nearest(name, known); near != "" {
		e.Hint = "did you mean " + near + "?"
	}
	return e
}

// listed is "none", or at most twenty names.
func listed(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	names = slices.Sorted(slices.Values(names))
	if len(names) > 20 {
		names = append(names[:20], "…")
	}
	return strings.Join(names, ", ")
}

// nearest is the known name with the fewest edits from name, if they are few.
func nearest(name string, known []string) string {
	best, least := "", len(name)/3+2
	for _, k := range known {
		if d := edits(name, k); d < least {
			best, least = k, d
		}
	}
	return best
}

// edits is the Levenshtein distance in bytes.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j+1]+1, row[j]+1)
		}
	}
	return row[len(b)]
}
