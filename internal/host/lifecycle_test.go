package host_test

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/host"
	"github.com/wuu-plugins/wuu/internal/procgroup"
	"github.com/wuu-plugins/wuu/internal/protocol"
)

// One package that cannot run never harms the others, and says why.
func TestStates(t *testing.T) {
	disabled := kitPackage(t, "disabled", nil, nil)
	off := false
	disabled.EnabledOverride = &off
	untrusted := kitPackage(t, "untrusted", nil, nil)
	untrusted.Trusted = false
	broken := kitPackage(t, "broken", nil, nil)
	broken.Broken = "plugin.json is gone"
	replaced := kitPackage(t, "replaced", nil, nil)
	replaced.Fingerprint = strings.Repeat("0", 64)
	f := newHost(t)
	seen := f.start(t,
		kitPackage(t, "active", nil, nil), disabled, untrusted, broken, replaced,
		packageOf(t, map[string]any{"plugin.json": map[string]any{"id": "declarative", "version": "1.0.0"}}),
		kitPackage(t, "initialize", map[string]string{"KIT_FAIL": "initialize"}, nil),
		kitPackage(t, "lifecycle", map[string]string{"KIT_FAIL": "lifecycle"}, nil),
		kitPackage(t, "prepare", map[string]string{"KIT_FAIL": "prepare"}, nil),
		kitPackage(t, "activate", map[string]string{"KIT_FAIL": "activate"}, nil),
		kitPackage(t, "service", map[string]string{"KIT_REQUIRES": "!host.time-travel"}, nil),
		kitPackage(t, "optional", map[string]string{"KIT_REQUIRES": "host.time-travel"}, nil),
		kitPackage(t, "major", map[string]string{"KIT_REQUIRES": "!host.storage.get@2"}, nil),
		packageOf(t, map[string]any{"plugin.json": map[string]any{
			"id": "command", "version": "1.0.0",
			"runtime": map[string]any{"protocol": "wuu-plugin-v1", "command": "no-such-command-anywhere"},
		}}),
		packageOf(t, map[string]any{"plugin.json": `{"id": "manifest", "version": "1.0.0", "runtime": 7}`}),
	)
	want := strings.Join([]string{
		"activate:degraded(ACTIVATE_FAILED)", "active:active", "broken:failed(PACKAGE_BROKEN)",
		"command:failed(COMMAND_NOT_FOUND)", "declarative:active", "disabled:inactive(PLUGIN_DISABLED)",
		"initialize:failed(INITIALIZE_FAILED)", "lifecycle:failed(LIFECYCLE_UNSUPPORTED)", "major:failed(SERVICE_MISSING)",
		"manifest:failed(MANIFEST_TYPE)", "optional:active", "prepare:failed(PREPARE_FAILED)", "replaced:failed(SNAPSHOT_FAILED)",
		"service:failed(SERVICE_MISSING)", "untrusted:inactive(PLUGIN_UNTRUSTED)",
	}, " ")
	if got := states(seen); got != want {
		t.Errorf("observations:\n%s\nwant\n%s", strings.ReplaceAll(got, " ", "\n"), strings.ReplaceAll(want, " ", "\n"))
	}
	for _, o := range seen {
		switch {
		case o.State == host.StateActive && o.Err != nil:
			t.Errorf("%s is active and has the error %v", o.PluginID, o.Err)
		case o.PluginID == "service" && !strings.Contains(o.Err.Message, "host.time-travel"):
			t.Errorf("the message does not name the service: %s", o.Err.Message)
		case o.PluginID == "prepare" && !strings.Contains(o.Err.Message, "prepare: kit_failed: asked to fail in prepare"):
			t.Errorf("the message does not name the stage and the reason: %s", o.Err.Message)
		case o.PluginID == "lifecycle" && o.Err.Hint == "":
			t.Error("an old lifecycle has no advice")
		}
	}
	if got := f.call(t, "active", "echo", ""); !strings.Contains(got, `"arguments":{}`) {
		t.Errorf("the active one does not serve: %s", got)
	}
	_, err := f.CallTool(t.Context(), host.ToolCall{PluginID: "activate", Tool: "echo"}, nil)
	if e := fault.As(err); e == nil || e.Code != host.CodeNotRunning || !strings.Contains(e.Error(), "asked to fail in activate") {
		t.Errorf("a call of the degraded one: %v", err)
	}
}

// The frames of a whole life, in order, for a runtime written without any SDK.
func TestPlainNode(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("skipped: node is not installed")
	}
	var sent []string
	f := newHost(t, func(o *host.Options) {
		o.Trace = func(_ string, toPlugin bool, line []byte) {
			var frame protocol.Frame
			if toPlugin && json.Unmarshal(line, &frame) == nil && frame.Method != "" {
				sent = append(sent, frame.Method)
			}
		}
	})
	if got := states(f.start(t, describe(t, filepath.Join("..", "..", "testdata", "plugins", "plain-node")))); got != "plain-node:active" {
		t.Fatalf("observations: %s", got)
	}
	if got := f.call(t, "plain-node", "greet", `{"name":"Ada"}`); got != "Hello, Ada!" {
		t.Errorf("greet: %q", got)
	}
	if err := f.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(sent, " "); got != "initialize prepare activate tool.execute shutdown" {
		t.Errorf("frames: %s", got)
	}
}

// What the plugin is told, and what it is not.
func TestInitializeAndEnvironment(t *testing.T) {
	project := t.TempDir()
	var params protocol.InitializeParams
	f := newHost(t, func(o *host.Options) {
		o.Project = project
		o.Getenv = func(name string) string {
			return map[string]string{"PATH": os.Getenv("PATH"), "LANG": "C.UTF-8", "WUU_HOME": "/secret", "TOKEN": "secret"}[name]
		}
		o.Trace = func(_ string, toPlugin bool, line []byte) {
			var frame protocol.Frame
			if json.Unmarshal(line, &frame) == nil && frame.Method == protocol.MethodInitialize {
				_ = json.Unmarshal(frame.Params, &params)
			}
		}
	})
	rec := kitPackage(t, "kit", map[string]string{"OWN": "value"}, nil)
	f.start(t, rec)
	env := "\n" + f.call(t, "kit", "env", "") + "\n"
	for _, want := range []string{"\nLANG=C.UTF-8\n", "\nOWN=value\n", "\nPATH="} {
		if !strings.Contains(env, want) {
			t.Errorf("the environment lacks %q:%s", want, env)
		}
	}
	for _, secret := range []string{"WUU_HOME", "TOKEN"} {
		if strings.Contains(env, secret) {
			t.Errorf("the environment holds %s:%s", secret, env)
		}
	}
	snapshot := f.home.Generation(rec.Fingerprint)
	switch {
	case params.ProtocolVersion != 1, params.CapabilityProtocolVersion != 3, params.LifecycleVersion != 2:
		t.Errorf("versions: %+v", params)
	case params.PluginRoot != snapshot, params.ProjectRoot != project, params.WuuHome != f.home.Dir(), params.PluginID != "kit":
		t.Errorf("places: %+v", params)
	case params.HostFeatures == nil, len(params.SupportedHostServices) != 1:
		t.Errorf("lists: %+v", params)
	case !strings.HasPrefix(params.WorkspaceStateDir, f.home.Workspaces()), !strings.HasSuffix(params.WorkspaceStateDir, params.WorkspaceID):
		t.Errorf("workspace: %+v", params)
	}
	info, err := os.Stat(filepath.Join(snapshot, "plugin.json"))
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm()&0o222 != 0 {
		t.Errorf("the snapshot can be written: %v", info.Mode())
	}
}

// A crash is seen, and reload recovers.
func TestCrashAndReload(t *testing.T) {
	f := newHost(t)
	f.start(t, kitPackage(t, "kit", nil, nil))
	first := f.plugin(t, "kit").PID
	_, err := f.CallTool(t.Context(), host.ToolCall{PluginID: "kit", Tool: "crash"}, nil)
	if e := fault.As(err); e == nil || e.Kind != fault.Plugin || e.Code != "PROCESS_EXITED" || !strings.HasPrefix(e.Error(), "kit: tool crash: the process ended (exit status 3)") || !strings.Contains(e.Error(), "about to crash") {
		t.Fatalf("the call that crashes: %v", err)
	}
	f.log.await(t, "[kit] failed: ")
	if p := f.plugin(t, "kit"); p.State != host.StateFailed || p.Err == nil || p.Err.Code != "PROCESS_EXITED" || p.Err.Hint == "" {
		t.Fatalf("status after the crash: %+v %+v", p, p.Err)
	}
	_, err = f.CallTool(t.Context(), host.ToolCall{PluginID: "kit", Tool: "echo"}, nil)
	if e := fault.As(err); e == nil || e.Code != host.CodeNotRunning || !strings.HasPrefix(e.Error(), "kit: the process ended") || !strings.Contains(e.Hint, "wuu plugin reload kit") {
		t.Fatalf("a call after the crash: %v", err)
	}
	seen, err := f.Reload(t.Context(), "kit")
	if err != nil || states(seen) != "kit:active" || seen[0].Generation != 2 {
		t.Fatalf("Reload: %v %v", seen, err)
	}
	if p := f.plugin(t, "kit"); p.PID == first || p.PID == 0 {
		t.Errorf("reload gave no new process: %+v", p)
	}
	f.call(t, "kit", "echo", "")

	_, err = f.Reload(t.Context(), "kid")
	if e := fault.As(err); e == nil || e.Kind != fault.Usage || e.Hint != "did you mean kit?" {
		t.Errorf("Reload of an unknown plugin: %v", err)
	}
}

// After Close nothing works, and nothing is left, what plugins started
// included.
func TestClosed(t *testing.T) {
	f := newHost(t)
	f.start(t, kitPackage(t, "kit", nil, nil))
	child, err := strconv.Atoi(f.call(t, "kit", "spawn", ""))
	if err != nil {
		t.Fatal(err)
	}
	starts := map[int]string{}
	for _, pid := range []int{child, f.plugin(t, "kit").PID} {
		if starts[pid], err = procgroup.StartTime(pid); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	for pid, start := range starts {
		if procgroup.Alive(pid, start) {
			t.Errorf("process %d is left", pid)
		}
	}
	if _, err := f.CallTool(t.Context(), host.ToolCall{PluginID: "kit", Tool: "echo"}, nil); err == nil {
		t.Error("a closed host takes calls")
	}
	for name, err := range map[string]error{
		"Preflight": second(f.Preflight(t.Context(), state())),
		"Adopt":     second(f.Adopt(t.Context(), 0)),
		"Reload":    second(f.Reload(t.Context(), "")),
		"Discard":   f.Discard(t.Context()),
	} {
		var e *fault.Error
		if !errors.As(err, &e) || e.Code != host.CodeHostClosed {
			t.Errorf("%s on a closed host: %v", name, err)
		}
	}
}

func second[T any](_ T, err error) error { return err }
