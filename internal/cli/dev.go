package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/wuu-plugins/wuu/internal/catalog"
	"github.com/wuu-plugins/wuu/internal/dev"
	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/host"
	"github.com/wuu-plugins/wuu/internal/host/control"
	"github.com/wuu-plugins/wuu/internal/term"
	"github.com/wuu-plugins/wuu/internal/version"
)

const devProduct = "wuu dev"

type devOptions struct {
	Path    string
	Watch   bool
	Poll    time.Duration
	Manager string
	Types   bool
	Call    string
	List    bool
	Revoke  string
	Move    string
}

func newDevCmd(a *App, run func(context.Context, *devOptions) error) *cobra.Command {
	o := &devOptions{Path: "."}
	cmd := &cobra.Command{
		Use:   "dev [dir|file]",
		Short: "Build, check and publish a plugin again after every save",
		Long: `Build, check and publish a plugin again after every save, into a host of its
own and every other live host. A broken save keeps the last good version.
--json prints one event a line.`,
		Example: `  wuu plugin dev hello
  wuu plugin dev hello --poll 500ms --call 'greet={"name":"Ada"}'
  wuu plugin dev tool.ts --watch=false
  wuu plugin dev --revoke hello`,
		Args: args(exclusive(cobra.MaximumNArgs(1), "list", "revoke", "move")),
		RunE: func(cmd *cobra.Command, argv []string) error {
			if len(argv) > 0 {
				o.Path = argv[0]
			}
			if cmd.Flags().Changed("poll") && o.Poll <= 0 {
				return fault.New(fault.Usage, "USAGE", "", "--poll %s: want a positive duration, like 2s", o.Poll)
			}
			if o.Poll == 0 {
				o.Poll = a.config.DevPoll
			}
			if run == nil {
				run = a.runDev
			}
			return run(cmd.Context(), o)
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&o.Watch, "watch", true, "go on after the first publish")
	flags.DurationVar(&o.Poll, "poll", 0, "compare files at this `INTERVAL` (alone: 2s) instead of file events")
	flags.Lookup("poll").NoOptDefVal = "2s"
	flags.StringVar(&o.Manager, "package-manager", "", "`npm`, pnpm, yarn or bun for a build script")
	flags.BoolVar(&o.Types, "types", true, "keep .wuu/types up to date for editors")
	flags.StringVar(&o.Call, "call", "", "call this `TOOL[=JSON]` after each publish and show the answer")
	flags.BoolVar(&o.List, "list", false, "list dev overrides")
	flags.StringVar(&o.Revoke, "revoke", "", "end the dev override of `ID`")
	flags.StringVar(&o.Move, "move", "", "tell wuu that the source of `ID` is now at the path given as argument")
	return cmd
}

func (a *App) runDev(ctx context.Context, o *devOptions) error {
	switch {
	case o.List:
		return a.runDevList()
	case o.Revoke != "":
		return a.change(ctx, func(tx *catalog.Tx) (catalog.Change, error) { return tx.RevokeDev(o.Revoke) })
	}
	path := o.Path
	if !filepath.IsAbs(path) {
		path = filepath.Join(a.Dir, path)
	}
	if _, err := os.Stat(path); err != nil {
		return fault.New(fault.Usage, "PATH_MISSING", o.Path, "no such file or folder").
			WithHint("make a plugin with: wuu plugin create %s", filepath.Base(path))
	}
	if o.Move != "" {
		return a.change(ctx, func(tx *catalog.Tx) (catalog.Change, error) { return tx.MoveDev(o.Move, path) })
	}
	return a.devLoop(ctx, o, path)
}

// devLoop embeds a host that runs what the loop publishes, reachable for
// `call`, `hosts` and the other verbs like any other live host.
func (a *App) devLoop(ctx context.Context, o *devOptions, path string) error {
	tool, toolArgs, err := splitCall(o.Call)
	if err != nil {
		return err
	}
	state, err := a.catalog().Snapshot()
	if err != nil {
		return err
	}
	h, _, closeHost, err := a.embed(ctx, devProduct, state, nil)
	if err != nil {
		return err
	}
	defer closeHost()
	server, err := control.Serve(a.home, h, a.Getenv, nil)
	if err != nil {
		return err
	}
	defer server.Close()
	if o.Watch {
		a.note("watching %s (%s); Ctrl-C to stop", a.rel(path), watchWord(o.Poll))
	}
	view := &devView{App: a, id: "<id>"}
	err = dev.Run(ctx, dev.Options{
		Home: a.home, Catalog: a.catalog(), Path: path, Watch: o.Watch, Poll: o.Poll, Manager: o.Manager, Types: o.Types,
		Call: tool, CallArgs: toolArgs, Version: version.Base(), Node: a.config.Node, BuildLog: a.IO.Err,
		Hosts: a.devHosts(h), Emit: view.event, Now: a.Now,
		Note: func(code, message string) { a.warn("%s: %s", code, message) },
	})
	if ctx.Err() != nil {
		a.note("stopped; what was published stays until: wuu plugin dev --revoke %s", view.id)
		return reported{fault.As(context.Cause(ctx))}
	}
	if o.Watch {
		return err
	}
	if err != nil {
		return reported{fault.As(err)} // the failed event has said it
	}
	a.note("it stays as an override until: wuu plugin dev --revoke %s", view.id)
	return view.callFailed
}

// devHosts gives the loop its own host and every other live one.
func (a *App) devHosts(own *host.Host) func(context.Context) ([]host.Controller, func(), error) {
	return func(ctx context.Context) ([]host.Controller, func(), error) {
		clients, release := a.liveHosts(ctx)
		list := []host.Controller{own}
		for _, c := range clients {
			if c.Entry().ID != own.ID() {
				list = append(list, c)
			}
		}
		return list, release, nil
	}
}

func watchWord(poll time.Duration) string {
	if poll > 0 {
		return "polling every " + poll.String()
	}
	return "file events"
}

// splitCall reads TOOL[=JSON].
func splitCall(text string) (tool string, arguments json.RawMessage, err error) {
	tool, args, ok := strings.Cut(text, "=")
	if !ok {
		return tool, nil, nil
	}
	if !json.Valid([]byte(args)) {
		return "", nil, fault.New(fault.Usage, "USAGE", "", "--call %s: the part after = is not JSON", text).
			WithHint(`write it like --call 'greet={"name":"Ada"}'`)
	}
	return tool, json.RawMessage(args), nil
}

func (a *App) runDevList() error {
	state, err := a.catalog().Snapshot()
	if err != nil {
		return err
	}
	doc := listDoc{Plugins: []packageRecord{}}
	for _, r := range state.Dev {
		doc.Plugins = append(doc.Plugins, installedRecord(r, nil))
	}
	return a.emit(doc, func(w io.Writer, s term.Style) {
		if len(doc.Plugins) == 0 {
			fmt.Fprintln(w, "no dev overrides")
		}
		for _, r := range doc.Plugins {
			fmt.Fprintf(w, "%s %s  %s  %s\n", s.Bold(r.ID), r.Version, r.word(s), a.rel(r.Source.Path))
		}
	})
}
