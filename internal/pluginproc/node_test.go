package pluginproc_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/wuu-plugins/wuu/internal/pluginproc"
	"github.com/wuu-plugins/wuu/internal/protocol"
	"github.com/wuu-plugins/wuu/internal/testkit"
)

// startNode runs a script with the real Node.js.
func startNode(t *testing.T, dir, script string, change func(*pluginproc.Spec)) *pluginproc.Proc {
	t.Helper()
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("node is not installed")
	}
	_, env := testkit.PluginCommand("none")
	spec := pluginproc.Spec{PluginID: "plain-node", Argv: []string{"node", script}, Env: env, Dir: dir}
	if change != nil {
		change(&spec)
	}
	p, err := pluginproc.Start(t.Context(), spec, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		p.Kill()
		<-p.Done()
	})
	return p
}

// TestRuntimeWithoutSDK walks a hand-written runtime through the life cycle.
func TestRuntimeWithoutSDK(t *testing.T) {
	p := startNode(t, filepath.Join("..", "..", "testdata", "plugins", "plain-node"), "runtime.mjs", nil)
	var r protocol.InitializeResult
	if err := p.Call(t.Context(), protocol.MethodInitialize, protocol.InitializeParams{
		ProtocolVersion: 1, CapabilityProtocolVersion: 3, LifecycleVersion: 2, PluginID: "plain-node",
	}, &r); err != nil {
		t.Fatal(err)
	}
	if err := protocol.ValidateInitialize(r); err != nil {
		t.Error(err)
	}
	for _, m := range []string{protocol.MethodPrepare, protocol.MethodActivate} {
		if err := p.Call(t.Context(), m, nil, nil); err != nil {
			t.Errorf("%s: %v", m, err)
		}
	}
	var answer protocol.ToolExecuteResult
	if err := p.Call(t.Context(), protocol.MethodToolExecute, protocol.ToolExecuteParams{
		ToolID: "greet", Arguments: json.RawMessage(`{"name":"Ada"}`),
	}, &answer); err != nil {
		t.Fatal(err)
	}
	if err := protocol.ValidateToolResult(answer.Result); err != nil {
		t.Error(err)
	}
	if got := answer.Result.Content; len(got) != 1 || got[0].Text != "Hello, Ada!" {
		t.Errorf("got %+v", got)
	}
	if err := p.Shutdown(t.Context()); err != nil {
		t.Error(err)
	}
	if err := p.Err(); err != nil {
		t.Error(err)
	}
}

func TestNodeConsoleLogIsNoise(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "log.mjs"), []byte(`console.log("Server ready"); setInterval(() => {}, 1000)`), 0o600); err != nil {
		t.Fatal(err)
	}
	p := startNode(t, dir, "log.mjs", nil)
	wantFault(t, p.Call(t.Context(), protocol.MethodInitialize, nil, nil), "STDOUT_NOISE", "Server ready")
}

func TestNodeThrowingAtLoadShowsItsStack(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "throw.mjs"), []byte(`throw new Error("no configuration")`), 0o600); err != nil {
		t.Fatal(err)
	}
	p := startNode(t, dir, "throw.mjs", nil)
	wantFault(t, p.Call(t.Context(), protocol.MethodInitialize, nil, nil), "PROCESS_EXITED", "exit status 1", "no configuration", "throw.mjs")
}

func TestCheckNode(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the stand-ins are shell scripts")
	}
	dir := t.TempDir()
	script := func(name, body string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("#!/bin/sh\n"+body+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, c := range []struct{ path, version, code, text string }{
		{script("new", "echo v22.7.0"), "22.7.0", "", ""},
		{script("oldest", "echo v20.0.0"), "20.0.0", "", ""},
		{script("old", "echo v18.19.1"), "18.19.1", "NODE_TOO_OLD", "18.19.1"},
		{script("other", "echo hello"), "", "NODE_MISSING", "hello"},
		{script("broken", "echo libc is too old >&2; exit 127"), "", "NODE_MISSING", "libc is too old"},
		{filepath.Join(dir, "absent"), "", "NODE_MISSING", "absent"},
	} {
		version, err := pluginproc.CheckNode(t.Context(), c.path)
		if version != c.version {
			t.Errorf("%s: version %q, want %q", c.path, version, c.version)
		}
		if c.code == "" {
			if err != nil {
				t.Errorf("%s: %v", c.path, err)
			}
			continue
		}
		wantFault(t, err, c.code, c.text)
	}
	if _, err := exec.LookPath("node"); err == nil {
		version, err := pluginproc.CheckNode(t.Context(), "")
		if err != nil || !strings.Contains(version, ".") {
			t.Errorf("node of this machine: %q, %v", version, err)
		}
	}
}
