// Package scaffold makes new plugins from embedded templates.
package scaffold

import "context"

// Options describe the plugin to make.
type Options struct {
	Name string // ^[a-z][a-z0-9_-]{0,63}$
	Type string // agent, desktop, full or single
	Dir  string // absolute target, a folder or, for single, a .ts file; must not exist
	From string // absolute folder that Next is typed in; "" for none
}

// Result lists what was made.
type Result struct {
	Path  string   `json:"path"`
	Files []string `json:"files"` // slash-separated, relative to Path
	Next  []string `json:"next"`  // commands to type next
}

// Create builds the plugin in a staging folder beside Dir and renames it into
// place; on any error nothing is left. Errors are *fault.Error of kind Usage.
func Create(ctx context.Context, o Options) (*Result, error) { panic("not built yet") }

// WriteTypes writes the SDK's declarations and the manifest schema into
// root/.wuu/types, so that editors and tsc see them. Files that already hold
// the right bytes are not touched.
func WriteTypes(root string) error { panic("not built yet") }
