package scaffold

import (
	"strings"

	"github.com/wuu-plugins/wuu/internal/fault"
)

// Types are the values of Options.Type, the default first.
var Types = [...]string{"agent", "desktop", "full", "single"}

// layout says what a type of plugin consists of.
type layout struct {
	runtime  *entry
	renderer *entry
	single   bool // one file, runtime.Source, and nothing else
}

// entry is a source and what it is built to, both relative to the plugin.
type entry struct{ Source, Output string }

func findLayout(kind string) (layout, error) {
	index := entry{Source: "src/index.ts", Output: "dist/index.js"}
	switch kind {
	case "agent":
		return layout{runtime: &index}, nil
	case "desktop":
		return layout{renderer: &index}, nil
	case "full":
		return layout{
			runtime:  &entry{Source: "src/runtime.ts", Output: "dist/runtime.js"},
			renderer: &entry{Source: "src/renderer.ts", Output: "dist/renderer.js"},
		}, nil
	case "single":
		return layout{runtime: &index, single: true}, nil
	}
	return layout{}, fault.New(fault.Usage, "TYPE_UNKNOWN", kind, "is not a type of plugin").
		WithHint("use one of %s", strings.Join(Types[:], ", "))
}
