// Package dev is the development loop: save → settle → build → validate →
// preflight → publish → activate → report.
package dev

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/wuu-plugins/wuu/internal/catalog"
	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/host"
	"github.com/wuu-plugins/wuu/internal/paths"
)

// The types of an Event. An attempt begins with Building and ends with Adopted,
// Invalid or Failed, or says no more when a newer change has overtaken it; Idle
// follows when no other attempt does. Failed of kind Busy is the one that the
// loop goes on from by itself, to Published and Adopted.
const (
	Building  = "building"  // an attempt begins
	Built     = "built"     // the candidate is built and valid
	Invalid   = "invalid"   // it does not build or is not valid: Findings
	Published = "published" // it is committed
	Adopted   = "adopted"   // what each live host made of it: Observations
	Failed    = "failed"    // something else went wrong: Error
	Idle      = "idle"      // waiting for changes, or nothing new to publish
)

// Event is one step of the loop.
type Event struct {
	Type         string             `json:"event"`
	Schema       int                `json:"schema"`
	Time         time.Time          `json:"time"`
	PluginID     string             `json:"plugin_id,omitempty"`
	Seq          uint64             `json:"seq"`               // counts attempts from 1
	Root         string             `json:"root,omitempty"`    // with Findings: what their files are relative to
	Changes      []string           `json:"changes,omitempty"` // relative paths that started the build
	Effects      []string           `json:"effects,omitempty"` // what a publish changed: trust, runtime, desktop, theme
	Fingerprint  string             `json:"fingerprint,omitempty"`
	Epoch        uint64             `json:"epoch,omitempty"`
	Millis       int64              `json:"ms,omitempty"` // since the first of Changes, else since the attempt began
	Findings     []diag.Finding     `json:"findings,omitempty"`
	Observations []host.Observation `json:"observations,omitempty"`
	Call         *CallReport        `json:"call,omitempty"`
	Error        *host.Failure      `json:"error,omitempty"`
	Kept         string             `json:"kept,omitempty"` // fingerprint that still serves after a failure or without a change
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
	Path     string // absolute: a plugin folder or a single .ts, .mts, .js or .mjs file
	Watch    bool
	Poll     time.Duration // 0: file events plus reconciliation
	Manager  string        // --package-manager
	Types    bool          // refresh .wuu/types of a plugin folder
	Call     string        // tool to call after each publish
	CallArgs json.RawMessage
	Version  string    // of wuu, for minimum_wuu_version
	Node     string    // for the load check of a single file; default "node"
	Env      []string  // of package scripts and the load check; nil means os.Environ()
	BuildLog io.Writer // output of package scripts, and notes when Note is nil
	// Hosts returns the live hosts to preflight and adopt on, the loop's own
	// embedded host among them; release is called when they are done with.
	Hosts   func(ctx context.Context) (hosts []host.Controller, release func(), err error)
	Emit    func(Event)                // called by one goroutine at a time
	Note    func(code, message string) // what the watcher has to say, once each; several goroutines call it
	Rebuild <-chan struct{}            // a value starts a build without a change; may be nil
	Now     func() time.Time
}

// Run builds and publishes once and, with Watch, again after every change
// until ctx ends, which is no error. Without Watch the error says why the one
// build failed; with it an error means that the loop itself could not go on.
func Run(ctx context.Context, o Options) error {
	o = o.withDefaults()
	p, err := openProject(&o)
	if err != nil {
		return err
	}
	defer p.close()
	l := newLoop(o, p)
	l.types()
	if !o.Watch {
		r := l.attempt(ctx, ctx, trigger{})
		if r.err == nil && !r.published {
			l.idle(r)
		}
		return r.err
	}
	return l.run(ctx)
}

func (o Options) withDefaults() Options {
	if o.BuildLog == nil {
		o.BuildLog = io.Discard
	}
	if o.Emit == nil {
		o.Emit = func(Event) {}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Node == "" {
		o.Node = "node"
	}
	if o.Env == nil {
		o.Env = os.Environ()
	}
	if o.Note == nil {
		log := o.BuildLog
		o.Note = func(code, message string) { fmt.Fprintf(log, "%s: %s\n", code, message) }
	}
	return o
}

// openProject decides what Path is.
func openProject(o *Options) (project, error) {
	path, err := filepath.Abs(o.Path)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, fault.New(fault.Usage, "PATH_MISSING", o.Path, "no such file or folder")
	}
	if info.IsDir() {
		// The real path: links above the plugin must not hide what is in it.
		if path, err = filepath.EvalSymlinks(path); err != nil {
			return nil, fault.New(fault.Usage, "PATH_MISSING", o.Path, "cannot be read: %w", err)
		}
		return newFolder(o, path), nil
	}
	return newSingle(o, path)
}
