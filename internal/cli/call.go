package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/wuu-plugins/wuu/internal/catalog"
	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/host"
	"github.com/wuu-plugins/wuu/internal/protocol"
	"github.com/wuu-plugins/wuu/internal/term"
	"github.com/wuu-plugins/wuu/registry"
)

type callOptions struct {
	Target   string
	Tool     string
	Args     string
	Session  string
	Timeout  time.Duration
	Embedded bool
	Frames   bool
}

func newCallCmd(a *App, run func(context.Context, *callOptions) error) *cobra.Command {
	o := &callOptions{}
	cmd := &cobra.Command{
		Use:   "call <id|dir|file> <tool> [JSON]",
		Short: "Call a tool of a plugin and print its answer",
		Long:  "Call a tool of a plugin: on a live host that serves it, else on one embedded for this call. A folder or a single source file is built and run as it is. JSON - is read from stdin.",
		Example: `  wuu plugin call hello greet '{"name":"Ada"}'
  wuu plugin call ./hello greet --frames
  wuu plugin call ./tool.ts greet '{"name":"Ada"}'`,
		Args:              args(cobra.RangeArgs(2, 3)),
		ValidArgsFunction: a.completeIDs,
		RunE: func(cmd *cobra.Command, argv []string) error {
			if err := checkLimit("timeout", o.Timeout); err != nil {
				return err
			}
			o.Target, o.Tool, o.Args = argv[0], argv[1], "{}"
			if len(argv) > 2 {
				o.Args = argv[2]
			}
			if run == nil {
				run = a.runCall
			}
			return run(cmd.Context(), o)
		},
	}
	cmd.Flags().StringVar(&o.Session, "session", "", "session `ID` given to the tool")
	cmd.Flags().DurationVar(&o.Timeout, "timeout", 0, "cancel the call after this `DURATION` (0: never)")
	cmd.Flags().BoolVar(&o.Embedded, "embedded", false, "do not use a live host")
	cmd.Flags().BoolVar(&o.Frames, "frames", false, "show the frames on stderr (implies --embedded)")
	return cmd
}

func (a *App) runCall(ctx context.Context, o *callOptions) error {
	arguments, err := a.callArguments(ctx, o.Args)
	if err != nil {
		return err
	}
	call := host.ToolCall{
		PluginID: o.Target, Tool: o.Tool, Arguments: arguments, SessionID: o.Session, Cwd: a.Dir, Timeout: o.Timeout,
	}
	result, err := a.dispatchCall(ctx, o, call)
	if err != nil {
		return err
	}
	err = a.emit(result, func(w io.Writer, _ term.Style) { writeToolResult(w, result) })
	if err == nil && result.IsError {
		return checkFailed(fault.Plugin, "TOOL_ERROR")
	}
	return err
}

func (a *App) callArguments(ctx context.Context, text string) (json.RawMessage, error) {
	src := []byte(text)
	if text == "-" {
		var err error
		if src, err = io.ReadAll(io.LimitReader(a.IO.Input(ctx), protocol.MaxLine)); err != nil {
			return nil, fmt.Errorf("read stdin: %w", err)
		}
	}
	var object map[string]json.RawMessage
	dec := json.NewDecoder(bytes.NewReader(src))
	if err := dec.Decode(&object); err != nil || object == nil {
		problem := "not a JSON object but another value"
		if !json.Valid(src) {
			problem = "not a JSON object: it is no JSON at all"
		}
		return nil, fault.New(fault.Usage, "ARGUMENTS", text, "%s", problem).WithHint(`write it like '{"name":"Ada"}'`)
	}
	if dec.More() {
		return nil, fault.New(fault.Usage, "ARGUMENTS", text, "has text after the JSON object")
	}
	return bytes.TrimSpace(src), nil
}

// dispatchCall finds who answers: a folder's own host, a live host, or an
// embedded one.
func (a *App) dispatchCall(ctx context.Context, o *callOptions, call host.ToolCall) (host.ToolResult, error) {
	if a.isPluginDir(o.Target) {
		return a.callDir(ctx, o, call)
	}
	if !o.Embedded && !o.Frames {
		clients, release := a.liveHosts(ctx)
		defer release()
		for _, c := range clients {
			if s, err := c.Status(ctx); err == nil && serves(s, call.PluginID) {
				return c.CallTool(ctx, call, a.showUpdate)
			}
		}
	}
	state, err := a.catalog().Snapshot()
	if err != nil {
		return host.ToolResult{}, err
	}
	if _, ok := state.Find(call.PluginID); !ok {
		return host.ToolResult{}, fault.New(fault.Usage, "NOT_INSTALLED", call.PluginID, "is not installed").
			WithHint("see what is: wuu plugin list; a folder is written ./%s", call.PluginID)
	}
	return a.callEmbedded(ctx, o, call, closure(state, call.PluginID))
}

func serves(s host.Status, id string) bool {
	for _, p := range s.Plugins {
		if p.ID == id && (p.State == "active" || p.State == "degraded") {
			return true
		}
	}
	return false
}

func (a *App) callEmbedded(ctx context.Context, o *callOptions, call host.ToolCall, state catalog.State) (host.ToolResult, error) {
	var trace func(string, bool, []byte)
	if o.Frames {
		trace = a.writeFrame
	}
	start, cancel := withLimit(ctx, o.Timeout)
	defer cancel()
	h, seen, closeHost, err := a.embed(start, "wuu call", state, trace)
	if err != nil {
		return host.ToolResult{}, err
	}
	defer closeHost()
	for _, s := range seen {
		if s.PluginID == call.PluginID && s.Err != nil {
			return host.ToolResult{}, notCallable(s)
		}
	}
	return h.CallTool(ctx, call, a.showUpdate)
}

// withLimit bounds ctx when limit is positive.
func withLimit(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	if limit <= 0 {
		return ctx, func() {}
	}
	return context.WithTimeoutCause(ctx, limit,
		fault.New(fault.Plugin, "TIMEOUT", "", "not answered within %s", limit).WithHint("give it longer with --timeout"))
}

// notCallable is the error of calling a plugin that does not run. That it is
// disabled is no failure for the host, but it is one for the call.
func notCallable(o host.Observation) error {
	e := o.Err.Fault()
	if e.Kind == fault.Done {
		e.Kind = fault.Plugin
	}
	return e
}

// callDir builds a folder or a single file and runs it from a stage, as a dev
// plugin would.
func (a *App) callDir(ctx context.Context, o *callOptions, call host.ToolCall) (host.ToolResult, error) {
	src := registry.Source{Kind: singleFile, Spec: o.Target, Path: filepath.Join(a.Dir, o.Target)}
	if filepath.IsAbs(o.Target) {
		src.Path = filepath.Clean(o.Target)
	}
	if !isSingleFile(src.Path) {
		dir, err := a.pluginDir(o.Target)
		if err != nil {
			return host.ToolResult{}, err
		}
		src.Kind, src.Path = registry.Directory, dir
	}
	p, err := a.open(ctx, src, sourceFlags{})
	if err != nil {
		return host.ToolResult{}, err
	}
	defer p.Close()
	if err := p.failure(a); err != nil {
		return host.ToolResult{}, err
	}
	if err := p.fillStage(ctx, a.catalog()); err != nil {
		return host.ToolResult{}, err
	}
	call.PluginID = p.report.Manifest.ID
	return a.callEmbedded(ctx, o, call, catalog.State{Dev: []catalog.Record{p.devRecord()}})
}

// devRecord describes a staged folder to a host, as if it were published.
func (p *opened) devRecord() catalog.Record {
	m, c := p.report.Manifest, p.candidate()
	return catalog.Record{
		ID: m.ID, Name: m.Name, Version: m.Version, Description: m.Description, Origin: c.Origin,
		ManifestPath: c.ManifestPath, FileCount: c.FileCount, UnpackedSize: c.UnpackedSize,
		PackageFingerprint: c.PackageFingerprint, Fingerprint: c.PackageFingerprint,
		MinimumWuuVersion: m.MinimumWuuVersion, Platforms: m.Platforms,
		Trusted: true, DefaultEnabled: true, Dev: true, Root: p.stage.Dir(),
	}
}

// isPluginDir tells a path from an id: ids have no separators, so anything
// with one, a dot name, or a source file that is there, is a path.
func (a *App) isPluginDir(target string) bool {
	return isSingleFile(filepath.Join(a.Dir, target)) || target == "." || target == ".." || strings.ContainsRune(target, '/') || strings.ContainsRune(target, filepath.Separator)
}

func (a *App) showUpdate(u host.Update) { a.IO.Status().Show(u.Message) }

func (a *App) writeFrame(pluginID string, toPlugin bool, line []byte) {
	arrow := "<-"
	if toPlugin {
		arrow = "->"
	}
	fmt.Fprintf(a.IO.Err, "%s %s %s\n", pluginID, arrow, term.Clean(string(line)))
}

func writeToolResult(w io.Writer, r host.ToolResult) {
	for _, part := range r.Content {
		switch part.Type {
		case "text":
			fmt.Fprintln(w, term.CleanLines(part.Text))
		default:
			fmt.Fprintf(w, "[%s %s %s]\n", part.Type, term.Clean(part.MimeType), term.Clean(part.Name+part.URI))
		}
	}
}
