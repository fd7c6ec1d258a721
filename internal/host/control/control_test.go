package control_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/wuu-plugins/wuu/internal/catalog"
	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/fsx"
	"github.com/wuu-plugins/wuu/internal/host"
	"github.com/wuu-plugins/wuu/internal/host/control"
	"github.com/wuu-plugins/wuu/internal/manifest"
	"github.com/wuu-plugins/wuu/internal/paths"
	"github.com/wuu-plugins/wuu/internal/procgroup"
	"github.com/wuu-plugins/wuu/internal/protocol"
	"github.com/wuu-plugins/wuu/internal/testkit"
	"github.com/wuu-plugins/wuu/pack"
)

func TestMain(m *testing.M) {
	testkit.PluginMain(map[string]func(*testkit.Plugin){"kit": kit})
	goleak.VerifyTestMain(m)
}

// kit has the tools word, progress (one update, then its answer) and silent,
// which says on stderr when it begins and when it is cancelled.
func kit(p *testkit.Plugin) {
	init := testkit.Declares("word", "progress", "silent")
	init.RequiredServices = []protocol.ServiceRequirement{{Name: "execution.update", MajorVersion: 1}}
	answers := map[string]string{}
	p.Serve(init, func(f protocol.Frame) {
		var call protocol.ToolExecuteParams
		_ = json.Unmarshal(f.Params, &call)
		switch {
		case f.Method == "":
			p.Reply(answers[f.ID], testkit.TextResult("done"))
		case f.Method == protocol.MethodExecutionCancel:
			fmt.Fprintln(os.Stderr, "cancel", string(f.Params))
		case call.ToolID == "word":
			p.Reply(f.ID, testkit.TextResult(os.Getenv("KIT_WORD")))
		case call.ToolID == "progress":
			answers["p"+f.ID] = f.ID
			p.Request("p"+f.ID, protocol.MethodServiceCall, protocol.ServiceCallParams{
				Service: "execution.update", Method: "call",
				Params: json.RawMessage(`{"execution_id":"` + call.ExecutionID + `","message":"half","detail":[1]}`),
			})
		case call.ToolID == "silent":
			fmt.Fprintln(os.Stderr, "silent", call.ExecutionID)
		}
	})
}

// log hands every line on.
type log chan string

func (l log) Write(p []byte) (int, error) {
	l <- string(p)
	return len(p), nil
}

func (l log) await(t *testing.T, want string) {
	t.Helper()
	limit := time.After(20 * time.Second)
	for {
		select {
		case line := <-l:
			if strings.Contains(line, want) {
				return
			}
		case <-limit:
			t.Fatalf("the log never said %q", want)
		}
	}
}

type fixture struct {
	home   paths.Home
	host   *host.Host
	server *control.Server
	log    log
	stops  chan struct{}
}

// serve runs a host with its control channel; env overlays the environment.
func serve(t *testing.T, home paths.Home) *fixture {
	t.Helper()
	f := &fixture{home: home, log: make(log, 1000), stops: make(chan struct{}, 10)}
	var err error
	f.host, err = host.New(host.Options{Home: home, Product: "test host", Log: f.log})
	if err != nil {
		t.Fatal(err)
	}
	f.server, err = control.Serve(home, f.host, os.Getenv, func() { f.stops <- struct{}{} })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := f.server.Close(); err != nil {
			t.Errorf("Server.Close: %v", err)
		}
		if err := f.host.Close(context.Background()); err != nil {
			t.Errorf("Host.Close: %v", err)
		}
	})
	return f
}

func newHome(t *testing.T) paths.Home {
	t.Helper()
	home, err := paths.At(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return home
}

func (f *fixture) dial(t *testing.T) *control.Client {
	t.Helper()
	c, err := control.Dial(t.Context(), f.server.Entry())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// install publishes a version of the kit on hosts.
func (f *fixture) install(t *testing.T, version string, env map[string]string, hosts ...host.Controller) ([]host.Observation, error) {
	t.Helper()
	argv, own := testkit.PluginCommand("kit")
	for _, pair := range own {
		if name, value, _ := strings.Cut(pair, "="); name != "PATH" {
			env[name] = value
		}
	}
	b, err := json.Marshal(map[string]any{
		"id": "kit", "name": "Kit", "version": version,
		"runtime": map[string]any{"protocol": "wuu-plugin-v1", "command": argv[0], "env": env},
	})
	if err != nil {
		t.Fatal(err)
	}
	m, _ := manifest.Parse("plugin.json", b)
	c := catalog.Open(f.home, time.Now)
	stage, err := c.NewStage()
	if err != nil {
		t.Fatal(err)
	}
	defer stage.Close()
	if err := fsx.WriteFile(filepath.Join(stage.Dir(), "plugin.json"), b, 0o644); err != nil {
		t.Fatal(err)
	}
	print, err := pack.FingerprintDir(t.Context(), stage.Root())
	if err != nil {
		t.Fatal(err)
	}
	tx, err := c.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Close()
	_, err = tx.Put(stage, catalog.Candidate{
		Manifest: m, ManifestPath: "plugin.json", PackageFingerprint: print, FileCount: 1,
		Origin: catalog.Origin{Kind: "directory", Spec: "./kit", Path: "/src/kit", Identity: "directory:/src/kit"},
	}, catalog.Consent{Yes: true})
	if err != nil {
		t.Fatal(err)
	}
	return host.Publish(t.Context(), tx, hosts)
}

func text(t *testing.T, r host.ToolResult, err error) string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return r.Content[0].Text
}

// The whole Controller over the socket does what the host does.
func TestController(t *testing.T) {
	f := serve(t, newHome(t))
	c := f.dial(t)
	seen, err := f.install(t, "1.0.0", map[string]string{"KIT_WORD": "one"}, c)
	if err != nil || len(seen) != 1 || seen[0].State != host.StateActive || seen[0].HostID != f.host.ID() {
		t.Fatalf("publish: %+v %v", seen, err)
	}
	r, err := c.CallTool(t.Context(), host.ToolCall{PluginID: "kit", Tool: "word"}, nil)
	if got := text(t, r, err); got != "one" {
		t.Errorf("word: %s", got)
	}
	var updates []host.Update
	r, err = c.CallTool(t.Context(), host.ToolCall{PluginID: "kit", Tool: "progress"}, func(u host.Update) { updates = append(updates, u) })
	if got := text(t, r, err); got != "done" || len(updates) != 1 || updates[0].Message != "half" || string(updates[0].Detail) != "[1]" {
		t.Errorf("progress: %s %+v", got, updates)
	}

	s, err := c.Status(t.Context())
	if err != nil || s.ID != f.host.ID() || s.PID != os.Getpid() || s.Product != "test host" || s.Epoch != 1 || len(s.Plugins) != 1 || len(s.Plugins[0].Tools) != 3 {
		t.Errorf("status: %+v %v", s, err)
	}
	if p, err := c.Plugins(t.Context()); err != nil || len(p) != 1 || p[0].PID != s.Plugins[0].PID || p[0].PID == 0 {
		t.Errorf("plugin/list: %+v %v", p, err)
	}
	seen, err = c.Reload(t.Context(), "kit")
	if err != nil || len(seen) != 1 || seen[0].Generation != s.Generation+1 {
		t.Errorf("reload: %+v %v", seen, err)
	}
	if err := c.Discard(t.Context()); err != nil {
		t.Errorf("discard: %v", err)
	}
	if seen, err := c.Adopt(t.Context(), 1); err != nil || seen[0].Generation != s.Generation+1 {
		t.Errorf("adopting what is adopted: %+v %v", seen, err)
	}
}

// Errors come back as what they were.
func TestErrors(t *testing.T) {
	f := serve(t, newHome(t))
	c := f.dial(t)
	_, err := c.CallTool(t.Context(), host.ToolCall{PluginID: "kit", Tool: "word"}, nil)
	check(t, err, fault.Usage, host.CodeUnknownPlugin, "kit: this host has no such plugin")
	_, err = c.Adopt(t.Context(), 9)
	check(t, err, fault.Plugin, host.CodeHostStale, "epoch 9")

	if _, err := f.install(t, "1.0.0", map[string]string{}, c); err != nil {
		t.Fatal(err)
	}
	_, err = c.CallTool(t.Context(), host.ToolCall{PluginID: "kit", Tool: "wurd"}, nil)
	e := check(t, err, fault.Usage, host.CodeUnknownTool, `kit: has no tool "wurd"`)
	if e.Hint != "did you mean word?" {
		t.Errorf("hint: %q", e.Hint)
	}
	_, err = c.CallTool(t.Context(), host.ToolCall{PluginID: "kit", Tool: "silent", Timeout: time.Millisecond}, nil)
	check(t, err, fault.Plugin, host.CodeTimeout, "gave no answer within 1ms")
}

func check(t *testing.T, err error, kind fault.Kind, code, says string) *fault.Error {
	t.Helper()
	var e *fault.Error
	if !errors.As(err, &e) || e.Kind != kind || e.Code != code || !strings.Contains(e.Error(), says) {
		t.Fatalf("%v (%+v), want kind %d, %s, %q", err, e, kind, code, says)
	}
	return e
}

// A call ends with its context, with the client, and with the server.
func TestCancel(t *testing.T) {
	f := serve(t, newHome(t))
	if _, err := f.install(t, "1.0.0", map[string]string{}, f.host); err != nil {
		t.Fatal(err)
	}
	call := func(ctx context.Context, c *control.Client) chan error {
		done := make(chan error, 1)
		go func() {
			_, err := c.CallTool(ctx, host.ToolCall{PluginID: "kit", Tool: "silent"}, nil)
			done <- err
		}()
		return done
	}
	c := f.dial(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	done := call(ctx, c)
	f.log.await(t, "silent exec-1")
	if list, err := c.Executions(t.Context()); err != nil || len(list) != 1 || list[0].ID != "exec-1" || list[0].Scope.Tool != "silent" {
		t.Errorf("executions: %+v %v", list, err)
	}
	reason := errors.New("no more")
	cancel(reason)
	if err := <-done; !errors.Is(err, reason) {
		t.Errorf("the call returned %v", err)
	}
	f.log.await(t, `cancel {"execution_id":"exec-1","reason":"no more"}`)

	done = call(t.Context(), c)
	f.log.await(t, "silent exec-2")
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	check(t, <-done, fault.Plugin, host.CodeHostGone, "has ended")
	f.log.await(t, `cancel {"execution_id":"exec-2"`)

	c = f.dial(t)
	done = call(t.Context(), c)
	f.log.await(t, "silent exec-3")
	if err := f.server.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err == nil {
		t.Error("a call survived the end of the server")
	}
	f.log.await(t, `cancel {"execution_id":"exec-3"`)
	if _, err := c.Status(t.Context()); fault.As(err).Code != host.CodeHostGone {
		t.Errorf("a request after the end: %v", err)
	}
}

func TestStop(t *testing.T) {
	f := serve(t, newHome(t))
	for range 2 {
		if err := f.dial(t).Stop(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	<-f.stops
	if err := f.server.Close(); err != nil {
		t.Fatal(err)
	}
	select {
	case <-f.stops:
		t.Error("stop was called twice")
	default:
	}
}

// Live hosts are found, dead entries removed, silent hosts named.
func TestDiscovery(t *testing.T) {
	home := newHome(t)
	if list, err := control.List(home); err != nil || len(list) != 0 {
		t.Fatalf("a new home: %v %v", list, err)
	}
	a, b := serve(t, home), serve(t, home)
	start, err := procgroup.StartTime(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	silent, err := net.Listen("unix", filepath.Join(filepath.Dir(a.server.Entry().Socket), "silent.sock"))
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	for name, content := range map[string]string{
		"dead":    `{"id":"dead","pid":2147483646,"start_time":"1","socket":"/nowhere"}`,
		"reused":  fmt.Sprintf(`{"id":"reused","pid":%d,"start_time":"another"}`, os.Getpid()),
		"damaged": `{"id":`,
		"renamed": fmt.Sprintf(`{"id":"other","pid":%d,"start_time":%q}`, os.Getpid(), start),
		"silent":  fmt.Sprintf(`{"id":"silent","pid":%d,"start_time":%q,"socket":%q,"product":"stuck"}`, os.Getpid(), start, silent.Addr()),
	} {
		if err := os.WriteFile(filepath.Join(home.Hosts(), name+".json"), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	list, err := control.List(home)
	if err != nil || len(list) != 3 {
		t.Fatalf("List: %+v %v", list, err)
	}
	left, err := filepath.Glob(filepath.Join(home.Hosts(), "*.json"))
	if err != nil || len(left) != 3 {
		t.Errorf("stale entries are left: %v", left)
	}
	clients, errs := control.DialAllWithin(t.Context(), home, 300*time.Millisecond)
	for _, c := range clients {
		defer c.Close()
	}
	if len(clients) != 2 || len(errs) != 1 {
		t.Fatalf("DialAll: %d clients, %v", len(clients), errs)
	}
	check(t, errs[0], fault.Plugin, "HOST_SILENT", "silent: the host (stuck")
	if clients[0].ID() > clients[1].ID() {
		t.Error("the clients are not in order")
	}
	if err := b.server.Close(); err != nil {
		t.Fatal(err)
	}
	if list, err := control.List(home); err != nil || len(list) != 2 {
		t.Errorf("after the end of one host: %+v %v", list, err)
	}
}

// Only the owner reaches the socket.
func TestPrivacy(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("skipped: modes mean nothing on Windows")
	}
	home := newHome(t)
	f := serve(t, home)
	socket := f.server.Entry().Socket
	for path, want := range map[string]os.FileMode{
		socket: 0o600, filepath.Dir(socket): 0o700, filepath.Join(home.Hosts(), f.host.ID()+".json"): 0o600,
	} {
		info, err := os.Stat(path)
		if err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v %v, want %v", path, info.Mode(), err, want)
		}
	}

	runtimeDir := t.TempDir()
	env := func(string) string { return runtimeDir }
	if len(runtimeDir) > 40 {
		short, err := os.MkdirTemp("", "wuu")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(short)
		runtimeDir = short
	}
	h, err := host.New(host.Options{Home: home})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close(context.Background())
	dir := home.SocketDir(env)
	for name, prepare := range map[string]func() error{
		"open to others": func() error { return errors.Join(os.Mkdir(dir, 0o700), os.Chmod(dir, 0o755)) },
		"a link":         func() error { return os.Symlink(t.TempDir(), dir) },
		"a file":         func() error { return os.WriteFile(dir, nil, 0o600) },
	} {
		if err := prepare(); err != nil {
			t.Fatal(err)
		}
		if s, err := control.Serve(home, h, env, nil); err == nil {
			t.Errorf("%s: the folder was taken", name)
			_ = s.Close()
		}
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
	}
}

// Lines that no client of ours sends.
func TestRawLines(t *testing.T) {
	f := serve(t, newHome(t))
	n, err := net.Dial("unix", f.server.Entry().Socket)
	if err != nil {
		t.Fatal(err)
	}
	defer n.Close()
	in := bufio.NewReader(n)
	for _, c := range []struct{ line, want string }{
		{`{"jsonrpc":"2.0","id":"a","method":"host/fly"}`, `{"jsonrpc":"2.0","id":"a","error":{"code":-32601`},
		{`{"jsonrpc":"2.0","id":1,"method":"plugin/adopt","params":{"epok":1}}`, `{"jsonrpc":"2.0","id":1,"error":{"code":-32602`},
		{`{"jsonrpc":"2.0","id":1,"method":"plugin/adopt","params":[]}`, `{"jsonrpc":"2.0","id":1,"error":{"code":-32602`},
		{`{"id":1,"method":"host/status"}`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600`},
		{`[]`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600`},
		{`{"jsonrpc":"2.0","method":"tool/cancel","params":{"call":77}}` + "\n" + `{"jsonrpc":"2.0","method":"no/such"}` + "\n" +
			`{"jsonrpc":"2.0","id":2,"method":"plugin/list"}`, `{"jsonrpc":"2.0","id":2,"result":{"plugins":[]}}`},
		{`not JSON`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700`},
	} {
		if _, err := n.Write([]byte(c.line + "\n")); err != nil {
			t.Fatal(err)
		}
		got, err := in.ReadString('\n')
		if err != nil || !strings.HasPrefix(got, c.want) {
			t.Errorf("%s\n got %s %v\nwant %s", c.line, got, err, c.want)
		}
	}
	if _, err := in.ReadString('\n'); err == nil {
		t.Error("the connection goes on after a line that is not JSON")
	}
}
