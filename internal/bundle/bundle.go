// Package bundle builds a plugin's entries in memory with the esbuild library:
// runtime entries to one ESM file for Node 20 or later, desktop entries to one
// browser ESM file. @wuu/plugin-sdk resolves inside the binary.
package bundle

import (
	"context"
	"io"

	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/internal/manifest"
)

// Platform is where an entry runs.
type Platform string

// The two platforms.
const (
	Node    Platform = "node"
	Browser Platform = "browser"
)

// Entry maps one source to one output, both slash-separated and relative to
// the plugin's root.
type Entry struct {
	Source   string // src/index.ts
	Output   string // dist/index.js
	Platform Platform
}

// Plan says how a plugin folder is built.
type Plan struct {
	Builder string   // "embedded", "command" or "none" (nothing to build)
	Command []string // for "command": the argv, run in the plugin's root
	Entries []Entry
}

// NewPlan reads package.json in root: wuu.build ("embedded" or a command),
// else scripts.build (run by the package manager that the lock file or
// packageManager names, or by manager when set), else the embedded builder
// over src/ for every declared output that has a source.
func NewPlan(root string, m *manifest.Manifest, manager string) (Plan, []diag.Finding, error) {
	panic("not built yet")
}

// Options guide one builder.
type Options struct {
	Root      string // absolute
	Minify    bool
	Sourcemap bool
}

// Output is one built file.
type Output struct {
	Path    string // slash-separated, relative to the root
	Content []byte
}

// Result is one build. Inputs are the absolute paths that were read, Absent
// those that were looked for and would change the build when they appear.
type Result struct {
	Outputs []Output
	Inputs  []string
	Absent  []string
}

// Overlay is Outputs as pack.Options wants them.
func (r *Result) Overlay() map[string][]byte {
	files := make(map[string][]byte, len(r.Outputs))
	for _, o := range r.Outputs {
		files[o.Path] = o.Content
	}
	return files
}

// Builder keeps what makes the next build fast. It is used by one goroutine.
type Builder struct {
	// filled in by its builder
}

// NewBuilder prepares the embedded builder for a plan's entries.
func NewBuilder(p Plan, o Options) (*Builder, error) { panic("not built yet") }

// Build runs once. Findings of severity error (code BUILD_ERROR with file and
// position, or BUILD_MISSING) mean that Result is nil.
func (b *Builder) Build(ctx context.Context) (*Result, []diag.Finding, error) {
	panic("not built yet")
}

// Close frees the builder.
func (b *Builder) Close() { panic("not built yet") }

// RunCommand runs a "command" plan; its output goes to w. The end of ctx kills
// its whole process group.
func RunCommand(ctx context.Context, p Plan, root string, env []string, w io.Writer) error {
	panic("not built yet")
}

// NewFilePlan is the plan of a single-file plugin: file (absolute) with a
// default-exported RuntimePlugin becomes dist/index.js, which runs it.
func NewFilePlan(file string) (Plan, Options, error) { panic("not built yet") }
