package pluginproc_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/pluginproc"
	"github.com/wuu-plugins/wuu/internal/protocol"
	"github.com/wuu-plugins/wuu/internal/testkit"
)

func TestMain(m *testing.M) {
	testkit.PluginMain(map[string]func(*testkit.Plugin){
		"echo":       echo,
		"raw":        func(p *testkit.Plugin) { p.Raw(os.Getenv("RAW")); wait(p) },
		"answered":   answered,
		"exit":       exitWhileBusy,
		"deaf":       func(*testkit.Plugin) { hang() },
		"stubborn":   stubborn,
		"silent-end": func(p *testkit.Plugin) { wait(p) },
		"bad-end":    func(p *testkit.Plugin) { wait(p); os.Exit(7) },
		"refuse-end": refuseEnd,
		"no-stdout":  func(p *testkit.Plugin) { _ = os.Stdout.Close(); wait(p) },
		"no-stdin":   func(p *testkit.Plugin) { _ = os.Stdin.Close(); p.Request("r", "ready", struct{}{}); hang() },
		"late":       late,
		"family":     family,
		"chatty":     chatty,
	})
	goleak.VerifyTestMain(m)
}

// wait reads to the end of stdin.
func wait(p *testkit.Plugin) {
	for {
		if _, ok := p.Next(); !ok {
			return
		}
	}
}

// echo answers a tool with its arguments; its tool "service" passes the
// arguments through a service of the host.
func echo(p *testkit.Plugin) {
	waiting := map[string]string{}
	p.Serve(testkit.Declares("echo", "service", "hang"), func(f protocol.Frame) {
		if f.Method == "" {
			text := string(f.Result)
			if f.Error != nil {
				text = f.Error.Code
			}
			p.Reply(waiting[f.ID], testkit.TextResult(text))
			return
		}
		var call protocol.ToolExecuteParams
		if f.Method == protocol.MethodExecutionCancel {
			var c protocol.CancelParams
			_ = json.Unmarshal(f.Params, &c)
			fmt.Fprintf(os.Stderr, "cancelled %s\n", c.ExecutionID)
			return
		}
		_ = json.Unmarshal(f.Params, &call)
		switch call.ToolID {
		case "echo":
			p.Reply(f.ID, testkit.TextResult(string(call.Arguments)))
		case "service":
			waiting["s"+f.ID] = f.ID
			p.Request("s"+f.ID, protocol.MethodServiceCall, call.Arguments)
		case "fail":
			p.Fail(f.ID, "boom", "it broke")
		}
	})
}

// answered sends RAW after initialize and prints what the host answers.
func answered(p *testkit.Plugin) {
	p.Raw(os.Getenv("RAW") + "\n")
	for {
		f, ok := p.Next()
		if !ok {
			return
		}
		if f.Error != nil {
			fmt.Fprintf(os.Stderr, "answer %s %s\n", f.ID, f.Error.Code)
		}
	}
}

func exitWhileBusy(p *testkit.Plugin) {
	p.Next()
	fmt.Fprintln(os.Stderr, "about to fail:\nout of cheese")
	os.Exit(3)
}

func stubborn(p *testkit.Plugin) {
	p.Serve(testkit.Declares(), nil)
	hang()
}

func refuseEnd(p *testkit.Plugin) {
	for {
		f, ok := p.Next()
		if !ok {
			return
		}
		p.Fail(f.ID, "", "the cat sleeps on it")
	}
}

// late answers the first call only after the second.
func late(p *testkit.Plugin) {
	first, _ := p.Next()
	second := first
	for second.Method != "second" {
		second, _ = p.Next()
	}
	p.Reply(first.ID, "late")
	p.Reply("unknown", "nobody asked")
	p.Reply(second.ID, "in time")
	wait(p)
}

// family starts a grandchild in the group and tells its pid.
func family(p *testkit.Plugin) {
	exe, _ := os.Executable()
	child := exec.Command(exe)
	child.Env = append(os.Environ(), testkit.PluginEnv+"=deaf")
	child.Stdout, child.Stderr = os.Stdout, os.Stderr // holds the pipes open
	if err := child.Start(); err != nil {
		panic(err)
	}
	f, _ := p.Next()
	p.Reply(f.ID, child.Process.Pid)
	p.Serve(testkit.Declares(), nil)
}

func chatty(p *testkit.Plugin) {
	fmt.Fprintf(os.Stderr, "one\r\n\n%s\nlast without newline", strings.Repeat("x", 100<<10))
}

// lines collects what a plugin prints to stderr and lets a test wait for a line.
type lines struct {
	mu   sync.Mutex
	got  []string
	more chan struct{}
}

func newLines() *lines { return &lines{more: make(chan struct{}, 1)} }

func (l *lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	l.got = append(l.got, string(b))
	l.mu.Unlock()
	select {
	case l.more <- struct{}{}:
	default:
	}
	return len(b), nil
}

func (l *lines) all() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]string(nil), l.got...)
}

func (l *lines) await(t *testing.T, want string) {
	t.Helper()
	for {
		for _, line := range l.all() {
			if strings.Contains(line, want) {
				return
			}
		}
		select {
		case <-l.more:
		case <-t.Context().Done():
			t.Fatalf("no line %q; got %q", want, l.all())
		}
	}
}

// start runs a behaviour of TestMain; the process is gone when the test ends.
func start(t *testing.T, behaviour string, change func(*pluginproc.Spec), h pluginproc.Services, env ...string) *pluginproc.Proc {
	t.Helper()
	argv, all := testkit.PluginCommand(behaviour, env...)
	spec := pluginproc.Spec{PluginID: "demo", Argv: argv, Env: all, Dir: t.TempDir()}
	if change != nil {
		change(&spec)
	}
	p, err := pluginproc.Start(t.Context(), spec, h)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		p.Kill()
		<-p.Done()
	})
	return p
}

func wantFault(t *testing.T, err error, code string, texts ...string) {
	t.Helper()
	var f *fault.Error
	if !errors.As(err, &f) {
		t.Fatalf("got %v, want a fault with code %s", err, code)
	}
	if f.Code != code {
		t.Errorf("code %s, want %s (%v)", f.Code, code, err)
	}
	for _, text := range texts {
		if !strings.Contains(err.Error(), text) {
			t.Errorf("message %q does not contain %q", err, text)
		}
	}
}

func call(ctx context.Context, p *pluginproc.Proc, tool, arguments string) (string, error) {
	var r protocol.ToolExecuteResult
	err := p.Call(ctx, protocol.MethodToolExecute, protocol.ToolExecuteParams{
		ToolID: tool, ExecutionID: "exec-" + tool, Arguments: json.RawMessage(arguments),
	}, &r)
	if err != nil || len(r.Result.Content) == 0 {
		return "", err
	}
	return r.Result.Content[0].Text, nil
}

const short = 50 * time.Millisecond

// hang never returns; the runtime would take an empty select for a deadlock.
func hang() {
	for {
		time.Sleep(time.Hour)
	}
}
