// Package bundle builds a plugin's entries in memory with the esbuild library:
// runtime entries to one ESM file for Node 20 or later, desktop entries to one
// browser ESM file. @wuu/plugin-sdk resolves inside the binary.
package bundle

import (
	"github.com/wuu-plugins/wuu/internal/diag"
)

// Platform is where an entry runs.
type Platform string

// The two platforms.
const (
	Node    Platform = "node"
	Browser Platform = "browser"
)

// The builders of a Plan.
const (
	Embedded = "embedded" // the esbuild library in this binary
	Command  = "command"  // a package script or wuu.build's command
	None     = "none"     // nothing to build: the outputs are written by hand
)

// The finding codes of this package.
const (
	CodeError   = "BUILD_ERROR"       // the sources do not build
	CodeWarning = "BUILD_WARNING"     // they build, with a doubt
	CodeMissing = "BUILD_MISSING"     // a declared output exists neither as file nor as source
	CodeConfig  = "BUILD_CONFIG"      // package.json asks for a build that cannot be
	CodeModule  = "BUILD_MODULE_TYPE" // Node would read the ESM output as CommonJS
)

// Entry maps one source to one output, both slash-separated and relative to
// the plugin's root.
type Entry struct {
	Source   string // src/index.ts
	Output   string // dist/index.js
	Platform Platform
	// Run makes the output run the source's default-exported RuntimePlugin: a
	// single-file plugin. The output started with LoadCheckArg only loads it.
	Run bool
}

// LoadCheckArg, as the only argument of a single-file plugin's output, makes
// it load the plugin and end: top-level code runs, initialize does not.
const LoadCheckArg = "--wuu-load-check"

// Plan says how a plugin folder is built.
type Plan struct {
	Builder string   // Embedded, Command or None
	Command []string // for Command: the argv, run in the plugin's root
	Shell   bool     // Command is one line for the system's shell
	Entries []Entry  // for Embedded: what it builds
	Outputs []string // every file that the manifest declares, slash-separated
	AsIs    []string // those of Outputs that are used as they stand on disk
}

// Result is one build. Inputs are the absolute paths that were read, Absent
// those that were looked for and would change the build when they appear; both
// are sorted.
type Result struct {
	Outputs []Output
	Inputs  []string
	Absent  []string
	Modules []Module // with Options.Modules: every file that was read, sorted by path
}

// Output is one built file.
type Output struct {
	Path    string // slash-separated, relative to the root
	Content []byte
}

// Overlay is Outputs as pack.Options wants them.
func (r *Result) Overlay() map[string][]byte {
	files := make(map[string][]byte, len(r.Outputs))
	for _, o := range r.Outputs {
		files[o.Path] = o.Content
	}
	return files
}

// Options guide one builder.
type Options struct {
	Root      string // absolute
	Minify    bool
	Sourcemap bool // a linked x.js.map beside each output
	Modules   bool // fill in Result.Modules
}

func failed(findings []diag.Finding) bool { return diag.Count(findings).Errors > 0 }
