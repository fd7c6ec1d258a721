package bundle

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// Module is one file that a build read. Path is absolute, or the name of a
// module that is inside this binary (see Embedded).
type Module struct {
	Path     string
	Embedded bool
	Used     bool     // something of it is left in an output
	Imports  []string // the Paths of the modules that it imports
}

// metafile is the part of esbuild's own record that says what became of what.
type metafile struct {
	Inputs map[string]struct {
		Imports []struct {
			Path     string
			External bool
		}
	}
	Outputs map[string]struct {
		Inputs map[string]struct{ BytesInOutput int }
	}
}

// modules reads the record of one build.
func modules(root, text string) ([]Module, error) {
	var m metafile
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		return nil, fmt.Errorf("read the record of the build: %w", err)
	}
	used := map[string]bool{}
	for _, out := range m.Outputs {
		for name, in := range out.Inputs {
			if in.BytesInOutput > 0 {
				used[name] = true
			}
		}
	}
	var list []Module
	for _, name := range slices.Sorted(maps.Keys(m.Inputs)) {
		mod := module(root, name)
		mod.Used = used[name]
		for _, i := range m.Inputs[name].Imports {
			if !i.External {
				mod.Imports = append(mod.Imports, module(root, i.Path).Path)
			}
		}
		list = append(list, mod)
	}
	return list, nil
}

// module makes a path of the record, relative to root, one of ours.
func module(root, name string) Module {
	if rest, ok := strings.CutPrefix(name, sdkNamespace+":"); ok {
		return Module{Path: rest, Embedded: true}
	}
	if rest, ok := strings.CutPrefix(name, runNamespace+":"); ok {
		name = rest
	}
	return Module{Path: filepath.Join(root, filepath.FromSlash(name))}
}
