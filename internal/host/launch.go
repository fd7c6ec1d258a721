package host

import (
	"context"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/wuu-plugins/wuu/internal/host/service"
	"github.com/wuu-plugins/wuu/internal/manifest"
	"github.com/wuu-plugins/wuu/internal/pluginproc"
	"github.com/wuu-plugins/wuu/internal/protocol"
)

// launch starts c's process, initialises it and binds its services. A package
// without a runtime is ready at once. The stage that failed is in the failure,
// and nothing of the process is left.
func (h *Host) launch(ctx context.Context, c *candidate) (*instance, *Failure) {
	release, err := h.snapshots.lease(ctx, c.rec.Fingerprint)
	if err != nil {
		return nil, stage(CodeSnapshot, c.id(), "snapshot", err)
	}
	i := &instance{
		host: h, from: c, identity: h.identity(c), release: release, ended: make(chan struct{}),
		caller: &service.Caller{
			PluginID: c.id(), Subject: h.subject(c), Settings: c.manifest.Contributes.Settings, Restart: &service.Pins{},
		},
	}
	if c.manifest.Runtime == nil {
		i.phase = phaseActive
		return i, nil
	}
	spec, err := h.spec(ctx, c)
	if err == nil {
		i.proc, err = pluginproc.Start(ctx, spec, i.serve)
	}
	if err != nil {
		release()
		return nil, stage("START_FAILED", c.id(), "start", err)
	}
	h.background.Go(i.watch)
	if f := i.initialize(ctx); f != nil {
		i.end(h.hard)
		return nil, f
	}
	return i, nil
}

// spec says how to run c: cwd and plugin_root are its snapshot.
func (h *Host) spec(ctx context.Context, c *candidate) (pluginproc.Spec, error) {
	run := c.manifest.Runtime
	command, err := h.command(ctx, c)
	if err != nil {
		return pluginproc.Spec{}, err
	}
	spec := pluginproc.Spec{
		PluginID: c.id(),
		Argv:     append([]string{command}, run.Args...),
		Env:      environment(h.o.Getenv, run.Env),
		Dir:      c.dir,
		Stderr:   h.log.tagged(c.id() + " #" + strconv.FormatUint(h.current.number+1, 10)), // the generation it is for
		Timeout:  time.Duration(run.Timeout) * time.Second,                                 // 0 is the default of 30 s
	}
	if h.o.Trace != nil {
		spec.Trace = func(toPlugin bool, line []byte) { h.o.Trace(c.id(), toPlugin, line) }
	}
	return spec, nil
}

// command resolves runtime.command: "node" is the host's own choice, a
// program of the package runs from the snapshot, any other name is looked up
// in PATH.
func (h *Host) command(ctx context.Context, c *candidate) (string, error) {
	for _, ref := range c.manifest.References() {
		if ref.Kind == manifest.RefCommand {
			return filepath.Join(c.dir, filepath.FromSlash(ref.Path)), nil
		}
	}
	if c.manifest.Runtime.Command == "node" {
		return h.nodePath(ctx)
	}
	return c.manifest.Runtime.Command, nil
}

// initialize runs the first stage and binds what the plugin declared.
func (i *instance) initialize(ctx context.Context) *Failure {
	var r protocol.InitializeResult
	if err := i.proc.Call(ctx, protocol.MethodInitialize, i.host.initializeParams(i.from), &r); err != nil {
		return stage(CodeInitialize, i.id(), "initialize", err)
	}
	if err := protocol.ValidateInitialize(r); err != nil {
		return stage(CodeInitialize, i.id(), "initialize", err)
	}
	if missing := protocol.MissingHostFeatures(r, hostFeatures()); len(missing) > 0 {
		return failure(CodeFeatureMissing, i.id(), "initialize: it requires the host feature %s, which this wuu has not", strings.Join(missing, ", "))
	}
	if err := i.host.unbound(r); err != nil {
		return failure(CodeServiceMissing, i.id(), "bind: %v", err).
			hint("this host has " + strings.Join(slices.Sorted(maps.Keys(i.host.services)), ", ") + "; declare what others have with required: false and do without")
	}
	requires := map[string]protocol.ServiceRequirement{}
	for _, s := range r.RequiredServices {
		requires[s.Name] = s
	}
	i.mu.Lock()
	i.requires, i.tools, i.phase = requires, nameTools(i.id(), r.Tools), phasePreparing
	i.mu.Unlock()
	return nil
}

// nameTools gives each tool its public name.
func nameTools(pluginID string, list []protocol.Tool) []tool {
	taken := map[string]bool{}
	out := make([]tool, 0, len(list))
	for _, t := range list {
		attempt := 0
		public := protocol.PublicToolName(pluginID, t.ID, attempt)
		for taken[public] {
			attempt++
			public = protocol.PublicToolName(pluginID, t.ID, attempt)
		}
		taken[public] = true
		out = append(out, tool{t, public})
	}
	return out
}

// prepare runs the second stage: the plugin reads and checks its state.
func (i *instance) prepare(ctx context.Context) *Failure {
	if i.proc == nil {
		return nil
	}
	if perr := service.PinRestart(i.host.serviceDeps(), i.caller); perr != nil {
		return stage(CodePrepare, i.id(), "settings", perr)
	}
	if err := i.proc.Call(ctx, protocol.MethodPrepare, nil, nil); err != nil {
		return stage(CodePrepare, i.id(), "prepare", err)
	}
	return nil
}

// activate runs the last stage, after the commit. A failure leaves the plugin
// committed and degraded; its process ends.
func (i *instance) activate(ctx context.Context) {
	if i.proc == nil {
		return
	}
	i.setPhase(phaseActivating)
	if err := i.proc.Call(ctx, protocol.MethodActivate, nil, nil); err != nil {
		f := stage(CodeActivate, i.id(), "activate", err).hint("repair the plugin, then: wuu plugin reload " + i.id())
		i.mu.Lock()
		i.failure, i.degraded = f, true
		i.mu.Unlock()
		i.host.note(i.id(), "degraded: "+f.Message)
		return
	}
	i.setPhase(phaseActive)
}

func (h *Host) initializeParams(c *candidate) protocol.InitializeParams {
	p := protocol.InitializeParams{
		ProtocolVersion:           protocol.TransportVersion,
		CapabilityProtocolVersion: protocol.CapabilityVersion,
		LifecycleVersion:          protocol.LifecycleVersion,
		PluginID:                  c.id(),
		PluginRoot:                c.dir,
		ProjectRoot:               h.o.Project,
		WuuHome:                   h.o.Home.Dir(),
		SupportedHostServices:     []string{protocol.MethodServiceCall},
		HostFeatures:              hostFeatures(),
	}
	if h.o.Project != "" {
		p.WorkspaceID = service.WorkspaceID(h.o.Project)
		p.WorkspaceStateDir = filepath.Join(h.o.Home.Workspaces(), p.WorkspaceID)
	}
	return p
}

// hostFeatures are the optional features that this host has: none yet.
func hostFeatures() []string { return []string{} }
