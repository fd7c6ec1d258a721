package host_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/wuu-plugins/wuu/internal/catalog"
	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/fsx"
	"github.com/wuu-plugins/wuu/internal/host"
	"github.com/wuu-plugins/wuu/internal/manifest"
	"github.com/wuu-plugins/wuu/internal/protocol"
)

// change runs a transaction that edit fills, and publishes it on hosts.
func (f *fixture) change(t *testing.T, edit func(*catalog.Tx) error, hosts ...host.Controller) ([]host.Observation, error) {
	t.Helper()
	c := catalog.Open(f.home, time.Now)
	if err := f.home.Ensure(); err != nil {
		t.Fatal(err)
	}
	tx, err := c.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Close()
	if err := edit(tx); err != nil {
		t.Fatal(err)
	}
	return host.Publish(t.Context(), tx, hosts)
}

// install puts the package of rec into the catalog.
func (f *fixture) install(t *testing.T, rec catalog.Record, hosts ...host.Controller) ([]host.Observation, error) {
	t.Helper()
	stage, err := catalog.Open(f.home, time.Now).NewStage()
	if err != nil {
		t.Fatal(err)
	}
	defer stage.Close()
	src, err := os.OpenRoot(rec.Root)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	if err := fsx.CopyTree(t.Context(), src, stage.Root()); err != nil {
		t.Fatal(err)
	}
	b, err := src.ReadFile("plugin.json")
	if err != nil {
		t.Fatal(err)
	}
	m, findings := manifest.Parse("plugin.json", b)
	if m == nil {
		t.Fatal(findings)
	}
	return f.change(t, func(tx *catalog.Tx) error {
		_, err := tx.Put(stage, catalog.Candidate{
			Manifest: m, ManifestPath: "plugin.json", PackageFingerprint: rec.Fingerprint, FileCount: 1,
			Origin: catalog.Origin{Kind: "directory", Spec: "./kit", Path: "/src/" + m.ID, Identity: "directory:/src/" + m.ID},
		}, catalog.Consent{Yes: true, AllowDowngrade: true})
		return err
	}, hosts...)
}

func word(w string) map[string]string { return map[string]string{"KIT_WORD": w} }

// An update reaches new calls at once; what runs on the old process ends there.
func TestPublishUpdate(t *testing.T) {
	f := newHost(t)
	f.start(t)
	seen, err := f.install(t, kitPackage(t, "kit", word("one"), nil), f)
	if err != nil || states(seen) != "kit:active" {
		t.Fatalf("install: %s %v", states(seen), err)
	}
	if got := f.call(t, "kit", "word", ""); got != "one" {
		t.Fatalf("first version: %s", got)
	}
	old := f.plugin(t, "kit")
	held := make(chan string, 1)
	go func() {
		r, err := f.CallTool(t.Context(), host.ToolCall{PluginID: "kit", Tool: "hold"}, nil)
		if err != nil {
			held <- err.Error()
			return
		}
		held <- r.Content[0].Text
	}()
	f.log.await(t, "holding exec-2")
	seen, err = f.install(t, kitPackage(t, "kit", word("two"), map[string]any{"version": "1.0.1"}), f)
	if err != nil || states(seen) != "kit:active" || seen[0].Generation != 3 {
		t.Fatalf("update: %+v %v", seen, err)
	}
	if got := f.call(t, "kit", "word", ""); got != "two" {
		t.Errorf("second version: %s", got)
	}
	running := f.Executions()
	if len(running) != 1 || !running[0].Retained || running[0].GenerationID != 2 {
		t.Errorf("executions: %+v", running)
	}
	if _, err := os.Stat(f.home.Generation(old.Fingerprint)); err != nil {
		t.Errorf("the snapshot in use is gone: %v", err)
	}
	// The held call is answered by the process it began on, although nobody
	// else reaches that process: shutting the host down lets go of it.
	select {
	case got := <-held:
		t.Errorf("the held call ended early: %s", got)
	default:
	}
	if err := f.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := <-held; !strings.Contains(got, "host is closing") {
		t.Errorf("the held call: %s", got)
	}
	if _, err := os.Stat(f.home.Generation(old.Fingerprint)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the old snapshot was not removed: %v", err)
	}
	if _, err := os.Stat(f.home.Generation(seen[0].Fingerprint)); err != nil {
		t.Errorf("the selected snapshot was removed: %v", err)
	}
}

// The process that preflight prepared is the one that is activated, and the
// old one ends with its last execution.
func TestAdoptTakesWhatWasPrepared(t *testing.T) {
	var starts atomic.Int32
	f := newHost(t, func(o *host.Options) {
		o.Trace = func(_ string, toPlugin bool, line []byte) {
			var frame protocol.Frame
			if toPlugin && json.Unmarshal(line, &frame) == nil && frame.Method == protocol.MethodInitialize {
				starts.Add(1)
			}
		}
	})
	f.start(t)
	if _, err := f.install(t, kitPackage(t, "kit", word("one"), nil), f); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	held := make(chan error, 1)
	go func() {
		_, err := f.CallTool(ctx, host.ToolCall{PluginID: "kit", Tool: "hold"}, nil)
		held <- err
	}()
	f.log.await(t, "holding exec-1")
	if _, err := f.install(t, kitPackage(t, "kit", word("two"), map[string]any{"version": "1.0.1"}), f); err != nil {
		t.Fatal(err)
	}
	if n := starts.Load(); n != 2 {
		t.Errorf("%d processes were initialised for two versions", n)
	}
	if strings.Contains(f.log.text(), "goodbye from one") {
		t.Error("the old process ended below its execution")
	}
	cancel()
	if err := <-held; !errors.Is(err, context.Canceled) {
		t.Errorf("the held call: %v", err)
	}
	f.log.await(t, "[kit #2] goodbye from one")

	// Prepared for one state, adopted in another: what does not fit ends.
	third := kitPackage(t, "kit", word("three"), map[string]any{"version": "1.0.2"})
	if seen, err := f.Preflight(t.Context(), state(third)); err != nil || states(seen) != "kit:prepared" {
		t.Fatalf("Preflight: %s %v", states(seen), err)
	}
	if got := f.call(t, "kit", "word", ""); got != "two" {
		t.Errorf("after a preflight alone: %s", got)
	}
	seen, err := f.Adopt(t.Context(), 2)
	if err != nil || states(seen) != "kit:active" || seen[0].Generation != 3 {
		t.Errorf("adopting what is current: %+v %v", seen, err)
	}
	f.log.await(t, "goodbye from three")
	if got := f.call(t, "kit", "word", ""); got != "two" {
		t.Errorf("after the adoption: %s", got)
	}
	if _, err := f.Preflight(t.Context(), state(third)); err != nil {
		t.Fatal(err)
	}
	before := strings.Count(f.log.text(), "goodbye from three")
	if err := f.Discard(t.Context()); err != nil {
		t.Fatal(err)
	}
	if after := strings.Count(f.log.text(), "goodbye from three"); after != before+1 {
		t.Error("Discard left the prepared process")
	}
}

// An update that breaks an active consumer is refused; turning its provider
// off is the person's choice, and a plugin that failed before stops nothing.
func TestPreflightOfRelations(t *testing.T) {
	provider := func(version string) catalog.Record {
		return kitPackage(t, "provider", nil, map[string]any{"version": version})
	}
	needs := map[string]any{"dependencies": []map[string]any{{"id": "provider", "version": "^1.0.0"}}}
	one, consumer := provider("1.0.0"), kitPackage(t, "consumer", nil, needs)
	failing := kitPackage(t, "failing", map[string]string{"KIT_FAIL": "initialize"}, nil)
	f := newHost(t)
	if got := states(f.start(t, one, consumer, failing)); got != "consumer:active failing:failed(INITIALIZE_FAILED) provider:active" {
		t.Fatal(got)
	}
	off := one
	no := false
	off.EnabledOverride = &no
	for _, c := range []struct {
		name string
		next host.State
		want string // the refusal's code, or the states
	}{
		{"provider of another major version", state(provider("2.0.0"), consumer, failing), host.CodeDependencyVersion},
		{"provider that still fits", state(provider("1.2.0"), consumer, failing), "consumer:active failing:failed(INITIALIZE_FAILED) provider:prepared"},
		{"provider turned off", state(off, consumer, failing), "consumer:inactive(DEPENDENCY_INACTIVE) failing:failed(INITIALIZE_FAILED) provider:inactive(PLUGIN_DISABLED)"},
		{"provider removed", state(consumer, failing), "consumer:inactive(DEPENDENCY_MISSING) failing:failed(INITIALIZE_FAILED)"},
		{"new one that breaks another", state(one, consumer, failing, kitPackage(t, "rival", nil, map[string]any{"breaks": []string{"provider"}})), host.CodeBreaks},
		{"new one without its dependency", state(one, consumer, failing, kitPackage(t, "rival", nil, map[string]any{"requires": []string{"absent"}})), host.CodeMissing},
	} {
		seen, err := f.Preflight(t.Context(), c.next)
		got := states(seen)
		if err != nil {
			got = fault.As(err).Code
		}
		if got != c.want {
			t.Errorf("%s: %s (%v), want %s", c.name, got, err, c.want)
		}
	}
	if n := strings.Count(f.log.text(), "[failing] failed"); n != 1 {
		t.Errorf("the failing plugin was tried %d times", n)
	}
}

// A candidate that fails in prepare is refused: nothing is committed, the old
// process serves on, and no process of the candidate is left.
func TestPreflightRefusal(t *testing.T) {
	for _, stage := range []string{"initialize", "prepare"} {
		t.Run(stage, func(t *testing.T) {
			f := newHost(t)
			f.start(t)
			if _, err := f.install(t, kitPackage(t, "kit", word("one"), nil), f); err != nil {
				t.Fatal(err)
			}
			before := f.plugin(t, "kit")
			bad := kitPackage(t, "kit", map[string]string{"KIT_FAIL": stage}, map[string]any{"version": "2.0.0"})
			seen, err := f.install(t, bad, f)
			var e *fault.Error
			if !errors.As(err, &e) || e.Kind != fault.Plugin || e.Subject != "kit" || e.Hint == "" ||
				!strings.Contains(e.Error(), stage+": kit_failed: asked to fail in "+stage) {
				t.Fatalf("refusal: %v %+v (%s)", err, e, states(seen))
			}
			if after := f.plugin(t, "kit"); after.PID != before.PID || after.Fingerprint != before.Fingerprint {
				t.Errorf("the old process is not the one that serves: %+v, before %+v", after, before)
			}
			if got := f.call(t, "kit", "word", ""); got != "one" {
				t.Errorf("word: %s", got)
			}
			s, err := catalog.Open(f.home, time.Now).Snapshot()
			if err != nil || s.Epoch != 1 || s.Plugins[0].Version != "1.0.0" {
				t.Errorf("the catalog has changed: %+v %v", s, err)
			}
			if seen, err := f.install(t, kitPackage(t, "kit", word("three"), map[string]any{"version": "3.0.0"}), f); err != nil {
				t.Errorf("the next publish: %s %v", states(seen), err)
			}
			if got := f.call(t, "kit", "word", ""); got != "three" {
				t.Errorf("word after the repair: %s", got)
			}
		})
	}
}

// One host refuses: the other one drops what it had prepared.
func TestPublishManyHosts(t *testing.T) {
	var mu sync.Mutex
	var sent []string
	f := newHost(t, func(o *host.Options) {
		o.Trace = func(_ string, toPlugin bool, line []byte) {
			var frame protocol.Frame
			if toPlugin && json.Unmarshal(line, &frame) == nil {
				mu.Lock()
				defer mu.Unlock()
				sent = append(sent, frame.Method)
			}
		}
	})
	f.start(t)
	// The two hosts differ in what a package may need: here, in a project's
	// settings, which one of them cannot read.
	other := hostAt(t, f.home, func(o *host.Options) { o.Project = t.TempDir() })
	other.start(t)
	picky := map[string]string{"KIT_REQUIRES": "host.storage.keys", "KIT_PREPARE_OK": "service_unavailable",
		"KIT_PREPARE": `{"service":"host.storage.keys","method":"call","params":{"scope":"workspace"}}`}
	seen, err := f.install(t, kitPackage(t, "picky", picky, nil), f, other)
	if err == nil || !strings.Contains(err.Error(), "prepare_saw") {
		t.Fatalf("no host refused: %s %v", states(seen), err)
	}
	mu.Lock()
	if got := strings.Join(sent, " "); got != "initialize prepare  shutdown" {
		t.Errorf("frames to the plugin that was prepared in vain: %q", got)
	}
	mu.Unlock()
	if seen, err := f.install(t, kitPackage(t, "kit", word("all"), nil), f, other, gone{code: host.CodeHostGone}, gone{code: host.CodeHostSilent}); err != nil || len(seen) != 4 {
		t.Fatalf("publish: %+v %v", seen, err)
	}
	for _, h := range []*fixture{f, other} {
		if got := h.call(t, "kit", "word", ""); got != "all" {
			t.Errorf("word on %s: %s", h.ID(), got)
		}
	}
}

// gone is a host that ended before it was asked, or does not answer.
type gone struct {
	host.Controller
	code string
}

func (gone) ID() string { return "host-gone" }

func (g gone) Preflight(context.Context, host.State) ([]host.Observation, error) {
	return nil, fault.New(fault.Plugin, g.code, "host-gone", "the host has ended")
}

// An activation failure comes after the commit: published, degraded, not
// rolled back; reload tries again.
func TestActivationFailure(t *testing.T) {
	f := newHost(t)
	f.start(t)
	if _, err := f.install(t, kitPackage(t, "kit", word("one"), nil), f); err != nil {
		t.Fatal(err)
	}
	seen, err := f.install(t, kitPackage(t, "kit", map[string]string{"KIT_FAIL": "activate"}, map[string]any{"version": "1.1.0"}), f)
	if err != nil || states(seen) != "kit:degraded(ACTIVATE_FAILED)" {
		t.Fatalf("publish: %s %v", states(seen), err)
	}
	if err := host.Failed(seen, "kit"); fault.As(err).Kind != fault.Plugin {
		t.Errorf("Failed: %v", err)
	}
	s, err := catalog.Open(f.home, time.Now).Snapshot()
	if err != nil || s.Plugins[0].Version != "1.1.0" {
		t.Errorf("rolled back: %+v %v", s, err)
	}
	seen, err = f.Reload(t.Context(), "kit")
	if err != nil || states(seen) != "kit:degraded(ACTIVATE_FAILED)" {
		t.Errorf("reload: %s %v", states(seen), err)
	}
}

// Disabling cancels what runs and ends the process; only that plugin's.
func TestDisableRevokes(t *testing.T) {
	f := newHost(t)
	f.start(t)
	for _, id := range []string{"kit", "other"} {
		if _, err := f.install(t, kitPackage(t, id, word("one"), nil), f); err != nil {
			t.Fatal(err)
		}
	}
	other := f.plugin(t, "other").PID
	done := make(chan error, 1)
	go func() {
		_, err := f.CallTool(t.Context(), host.ToolCall{PluginID: "kit", Tool: "silent"}, nil)
		done <- err
	}()
	f.log.await(t, "silent exec-1")
	seen, err := f.change(t, func(tx *catalog.Tx) error { _, err := tx.Set("kit", false); return err }, f)
	if err != nil || states(seen) != "kit:inactive(PLUGIN_DISABLED) other:active" {
		t.Fatalf("disable: %s %v", states(seen), err)
	}
	if e := fault.As(<-done); e == nil || e.Code != host.CodeCancelled {
		t.Errorf("the running call: %v", e)
	}
	_, err = f.CallTool(t.Context(), host.ToolCall{PluginID: "kit", Tool: "echo"}, nil)
	if e := fault.As(err); e == nil || e.Code != host.CodeNotRunning || !strings.Contains(e.Error(), "disabled") {
		t.Errorf("a call of the disabled one: %v", err)
	}
	if p := f.plugin(t, "other"); p.PID != other {
		t.Error("the other plugin lost its process")
	}
	seen, err = f.change(t, func(tx *catalog.Tx) error { _, err := tx.Set("kit", true); return err }, f)
	if err != nil || states(seen) != "kit:active other:active" {
		t.Fatalf("enable: %s %v", states(seen), err)
	}
	seen, err = f.change(t, func(tx *catalog.Tx) error { _, err := tx.Remove("kit", true); return err }, f)
	if err != nil || states(seen) != "other:active" {
		t.Fatalf("remove: %s %v", states(seen), err)
	}
}

// A host that nobody told finds out by itself.
func TestFollow(t *testing.T) {
	f := newHost(t)
	f.start(t)
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- f.Follow(ctx) }()
	if _, err := f.install(t, kitPackage(t, "kit", map[string]string{"KIT_FAIL": "activate"}, nil)); err != nil {
		t.Fatal(err)
	}
	f.log.await(t, "[kit]") // its failed activation is noted
	stop()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("Follow: %v", err)
	}
	if p := f.plugin(t, "kit"); p.State != host.StateDegraded {
		t.Errorf("status: %+v", p)
	}
	if _, err := f.Adopt(t.Context(), 99); fault.As(err).Code != host.CodeHostStale {
		t.Errorf("Adopt of an epoch that is not there: %v", err)
	}
}
