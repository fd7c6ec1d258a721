package contract_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/wuu-plugins/wuu/internal/contract"
	"github.com/wuu-plugins/wuu/internal/protocol"
	"github.com/wuu-plugins/wuu/internal/term"
	"github.com/wuu-plugins/wuu/internal/testkit"
	"github.com/wuu-plugins/wuu/pack"
)

func TestMain(m *testing.M) {
	testkit.PluginMain(map[string]func(*testkit.Plugin){
		"good":          good,
		"noisy":         func(p *testkit.Plugin) { p.Raw("just saying\n"); hang() },
		"old":           func(p *testkit.Plugin) { p.Serve(protocol.InitializeResult{LifecycleVersion: 1}, nil) },
		"bad-tools":     badTools,
		"needy":         needy,
		"no-init":       func(p *testkit.Plugin) { f, _ := p.Next(); p.Fail(f.ID, "", "not today"); hang() },
		"crash-init":    func(*testkit.Plugin) { fmt.Fprintln(os.Stderr, "no configuration"); os.Exit(4) },
		"crash-prepare": func(p *testkit.Plugin) { refuse(p, protocol.MethodPrepare) },
		"bad-activate":  func(p *testkit.Plugin) { refuse(p, protocol.MethodActivate) },
		"stays":         func(p *testkit.Plugin) { p.Serve(testkit.Declares("hello"), answer(p)); hang() },
		"leaves":        leaves,
		"once":          once,
		"hang":          func(*testkit.Plugin) { hang() },
		"dies":          dies,
		"toolless":      func(p *testkit.Plugin) { p.Serve(testkit.Declares(), nil) },
	})
	goleak.VerifyTestMain(m)
}

// hang never returns; the runtime would take an empty select for a deadlock.
func hang() {
	for {
		time.Sleep(time.Hour)
	}
}

func good(p *testkit.Plugin) {
	p.Serve(testkit.Declares("hello", "fail", "throw", "crash", "slow", "idle"), answer(p))
}

// answer plays the tools that good declares.
func answer(p *testkit.Plugin) func(protocol.Frame) {
	return func(f protocol.Frame) {
		if f.Method != protocol.MethodToolExecute {
			return
		}
		var call struct {
			ToolID    string `json:"tool_id"`
			Arguments struct{ Name string }
		}
		_ = json.Unmarshal(f.Params, &call)
		switch call.ToolID {
		case "hello":
			fmt.Fprintln(os.Stderr, "greeting", call.Arguments.Name)
			p.Reply(f.ID, testkit.TextResult("Hello, "+call.Arguments.Name+"!", "How do you do?"))
		case "fail":
			r := testkit.TextResult("no such person")
			r.Result.IsError = true
			p.Reply(f.ID, r)
		case "throw":
			p.Fail(f.ID, "", "it broke")
		case "crash":
			os.Exit(3)
		}
	}
}

func badTools(p *testkit.Plugin) {
	r := testkit.Declares("ok", "not ok")
	r.Tools[0].Description = " "
	p.Serve(r, nil)
}

func needy(p *testkit.Plugin) {
	r := testkit.Declares()
	r.RequiredServices = []protocol.ServiceRequirement{{Name: "host.time-machine", MajorVersion: 1, Required: true}}
	p.Serve(r, nil)
}

// refuse answers everything but one method.
func refuse(p *testkit.Plugin, method string) {
	for {
		f, ok := p.Next()
		switch {
		case !ok:
			return
		case f.Method == method:
			p.Fail(f.ID, "", "cannot "+method)
		case f.Method == protocol.MethodInitialize:
			p.Reply(f.ID, testkit.Declares())
		default:
			p.Reply(f.ID, nil)
		}
	}
}

// leaves shuts down well but for a child.
func leaves(p *testkit.Plugin) {
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), testkit.PluginEnv+"=hang")
	if err := child.Start(); err != nil {
		panic(err)
	}
	p.Serve(testkit.Declares(), nil)
}

// once starts only on a home that it has not seen.
func once(p *testkit.Plugin) {
	f, _ := p.Next()
	var params protocol.InitializeParams
	_ = json.Unmarshal(f.Params, &params)
	mark := filepath.Join(params.WuuHome, "was-here")
	p.Reply(f.ID, testkit.Declares())
	prepare, _ := p.Next()
	if _, err := os.Stat(mark); err == nil {
		p.Fail(prepare.ID, "", "cannot read what I wrote")
		return
	}
	p.Reply(prepare.ID, nil)
	_ = os.WriteFile(mark, nil, 0o600)
	p.Serve(testkit.Declares(), nil)
}

// plugin is a package whose runtime is a behaviour of TestMain.
func plugin(t *testing.T, behaviour string, more map[string]any) *pack.Package {
	t.Helper()
	argv, pairs := testkit.PluginCommand(behaviour)
	env := map[string]string{}
	for _, pair := range pairs {
		name, value, _ := strings.Cut(pair, "=")
		env[name] = value
	}
	m := map[string]any{
		"schema_version": 1, "id": "demo", "name": "demo", "version": "1.2.3",
		"runtime": map[string]any{"protocol": "wuu-plugin-v1", "command": argv[0], "env": env},
	}
	for k, v := range more {
		m[k] = v
	}
	raw, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "plugin.json"), raw, 0o600); err != nil {
		t.Fatal(err)
	}
	return open(t, dir)
}

func open(t *testing.T, dir string) *pack.Package {
	t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	p, findings, err := pack.OpenDir(t.Context(), root, pack.Options{})
	if err != nil || p == nil {
		t.Fatalf("open %s: %v, %v", dir, findings, err)
	}
	return p
}

func caseFile(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "demo.wuu.yaml")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func run(t *testing.T, o contract.Options) *contract.Report {
	t.Helper()
	r, err := contract.Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if want := 4; len(r.Stages) != want {
		t.Fatalf("%d stages, want %d", len(r.Stages), want)
	}
	return r
}

// check finds a check by its id.
func check(t *testing.T, r *contract.Report, id string) contract.Check {
	t.Helper()
	for _, s := range r.Stages {
		for _, c := range s.Checks {
			if c.ID == id {
				return c
			}
		}
	}
	t.Fatalf("no check %s in\n%s", id, text(r))
	return contract.Check{}
}

func text(r *contract.Report) string {
	var b bytes.Buffer
	contract.WriteText(&b, r, term.Style{})
	return b.String()
}

// stages is "package:pass handshake:fail …".
func stages(r *contract.Report) string {
	var all []string
	for _, s := range r.Stages {
		all = append(all, s.Name+":"+string(s.Status))
	}
	return strings.Join(all, " ")
}

// dies when its tool is called, and for good: it lives twice, as the lifecycle
// stage needs, and not a third time.
func dies(p *testkit.Plugin) {
	f, _ := p.Next()
	var params protocol.InitializeParams
	_ = json.Unmarshal(f.Params, &params)
	life, err := os.OpenFile(filepath.Join(params.WuuHome, "lives"), os.O_CREATE|os.O_APPEND|os.O_RDWR, 0o600)
	if err != nil {
		panic(err)
	}
	_, _ = life.WriteString("x")
	info, err := life.Stat()
	if err != nil {
		panic(err)
	}
	if info.Size() > 2 {
		os.Exit(5)
	}
	p.Reply(f.ID, testkit.Declares("hello"))
	p.Serve(testkit.Declares("hello"), func(protocol.Frame) { os.Exit(3) })
}
