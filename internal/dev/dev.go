// Package dev is the development loop: save → settle → build → validate →
// preflight → publish → activate → report.
package dev

import (
	"context"
	"encoding/json"
	"io"
	"time"

	"github.com/wuu-plugins/wuu/internal/catalog"
	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/internal/host"
	"github.com/wuu-plugins/wuu/internal/paths"
)

// Event is one step of the loop. Type is building, built, invalid, published,
// adopted, failed or idle.
type Event struct {
	Type         string             `json:"event"`
	Schema       int                `json:"schema"`
	Time         time.Time          `json:"time"`
	PluginID     string             `json:"plugin_id,omitempty"`
	Seq          uint64             `json:"seq"`
	Changes      []string           `json:"changes,omitempty"` // relative paths that started the build
	Fingerprint  string             `json:"fingerprint,omitempty"`
	Epoch        uint64             `json:"epoch,omitempty"`
	Millis       int64              `json:"ms,omitempty"`
	Findings     []diag.Finding     `json:"findings,omitempty"`
	Observations []host.Observation `json:"observations,omitempty"`
	Call         *CallReport        `json:"call,omitempty"`
	Error        *host.Failure      `json:"error,omitempty"`
	Kept         string             `json:"kept,omitempty"` // fingerprint that still serves after a failure
}

// CallReport is the answer of the --call tool after a publish.
type CallReport struct {
	Tool   string           `json:"tool"`
	Result *host.ToolResult `json:"result,omitempty"`
	Error  *host.Failure    `json:"error,omitempty"`
}

// Options configure a loop.
type Options struct {
	Home     paths.Home
	Catalog  *catalog.Catalog
	Path     string // absolute: a plugin folder or a single .ts, .mts or .js file
	Watch    bool
	Poll     time.Duration // 0: file events plus reconciliation
	Manager  string        // --package-manager
	Types    bool          // refresh .wuu/types
	Call     string        // tool to call after each publish
	CallArgs json.RawMessage
	Version  string    // of wuu, for minimum_wuu_version
	BuildLog io.Writer // output of package scripts
	// Hosts returns the live hosts to preflight and adopt on, the loop's own
	// embedded host among them; release is called when they are done with.
	Hosts   func(ctx context.Context) (hosts []host.Controller, release func(), err error)
	Emit    func(Event)
	Rebuild <-chan struct{} // a value starts a build without a change; may be nil
	Now     func() time.Time
}

// Run builds and publishes once and, with Watch, again after every change
// until ctx ends. Without Watch the error says why the one build failed; with
// it an error means that the loop itself could not go on.
func Run(ctx context.Context, o Options) error { panic("not built yet") }
