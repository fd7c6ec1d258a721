package host

import (
	"slices"
	"strings"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/nearest"
)

func unknownPlugin(id string, known []string) error {
	e := fault.New(fault.Usage, CodeUnknownPlugin, id, "this host has no such plugin; it has %s", listed(known))
	if near := nearest.Name(id, known); near != "" {
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
	if near := nearest.Name(name, known); near != "" {
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
