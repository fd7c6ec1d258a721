package pluginproc_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/wuu-plugins/wuu/internal/pluginproc"
	"github.com/wuu-plugins/wuu/internal/procgroup"
	"github.com/wuu-plugins/wuu/internal/protocol"
	"github.com/wuu-plugins/wuu/internal/testkit"
)

func TestLifecycle(t *testing.T) {
	p := start(t, "echo", nil, nil)
	var r protocol.InitializeResult
	if err := p.Call(t.Context(), protocol.MethodInitialize, protocol.InitializeParams{PluginID: "demo"}, &r); err != nil {
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
	if got, err := call(t.Context(), p, "echo", `{"a":1}`); err != nil || got != `{"a":1}` {
		t.Errorf("got %q, %v", got, err)
	}
	if err := p.Shutdown(t.Context()); err != nil {
		t.Error(err)
	}
	if err := p.Err(); err != nil {
		t.Errorf("after a clean stop: %v", err)
	}
	if _, err := call(t.Context(), p, "echo", `{}`); err == nil {
		t.Error("a call after the end must fail")
	} else {
		wantFault(t, err, "PROCESS_EXITED")
	}
	if err := p.Shutdown(t.Context()); err != nil {
		t.Errorf("second shutdown: %v", err)
	}
}

func TestCallsAreConcurrent(t *testing.T) {
	services := func(_ context.Context, c pluginproc.ServiceCall) (json.RawMessage, *protocol.Error) {
		return c.Params, nil
	}
	p := start(t, "echo", nil, services)
	var wg sync.WaitGroup
	for i := range 40 {
		wg.Go(func() {
			inner := fmt.Sprintf(`{"n":%d}`, i)
			got, err := call(t.Context(), p, "service", `{"service":"test.id","method":"call","params":`+inner+`}`)
			if err != nil || got != inner {
				t.Errorf("got %q, %v; want %q", got, err, inner)
			}
		})
	}
	wg.Wait()
}

func TestServiceCalls(t *testing.T) {
	services := func(_ context.Context, c pluginproc.ServiceCall) (json.RawMessage, *protocol.Error) {
		if c.Service == "test.none" {
			return nil, &protocol.Error{Code: protocol.CodeServiceNotFound, Message: "no such service"}
		}
		return nil, nil
	}
	p := start(t, "echo", nil, services)
	for _, c := range []struct{ params, want string }{
		{`{"service":"test.null","method":"call"}`, "null"},
		{`{"service":"test.none","method":"call"}`, "service_not_found"},
		{`{"service":"test.null","method":"call","params":[1]}`, "invalid_params"},
		{`{"service":7,"method":"call"}`, "invalid_request"},
		{`{"method":"call"}`, "invalid_request"},
	} {
		if got, err := call(t.Context(), p, "service", c.params); err != nil || got != c.want {
			t.Errorf("%s: got %q, %v; want %q", c.params, got, err, c.want)
		}
	}
}

func TestErrorReply(t *testing.T) {
	p := start(t, "echo", nil, nil)
	_, err := call(t.Context(), p, "fail", `{}`)
	var reply *protocol.Error
	if !errors.As(err, &reply) || reply.Code != "boom" || reply.Message != "it broke" {
		t.Errorf("got %v", err)
	}
	var number int
	err = p.Call(t.Context(), protocol.MethodInitialize, nil, &number)
	wantFault(t, err, "RESULT_INVALID", "initialize")
	if _, err := call(t.Context(), p, "echo", `{}`); err != nil {
		t.Errorf("the process must live on: %v", err)
	}
}

func TestCancelReachesThePlugin(t *testing.T) {
	log := newLines()
	p := start(t, "echo", func(s *pluginproc.Spec) { s.Stderr = log }, nil)
	reason := errors.New("the user left")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(reason)
	if _, err := call(ctx, p, "hang", `{}`); !errors.Is(err, reason) {
		t.Errorf("got %v", err)
	}
	log.await(t, "cancelled exec-hang")
	if got, err := call(t.Context(), p, "echo", `1`); err != nil || got != "1" {
		t.Errorf("next call: %q, %v", got, err)
	}
}

func TestLateAndUnknownResponsesAreDropped(t *testing.T) {
	p := start(t, "late", nil, nil)
	ctx, cancel := context.WithCancel(t.Context())
	failed := make(chan error, 1)
	go func() { failed <- p.Call(ctx, "first", nil, nil) }()
	var traced string
	cancel()
	if err := <-failed; !errors.Is(err, context.Canceled) {
		t.Errorf("first: %v", err)
	}
	if err := p.Notify("first", nil); err != nil { // in case the cancelled frame was dropped
		t.Fatal(err)
	}
	if err := p.Call(t.Context(), "second", nil, &traced); err != nil || traced != "in time" {
		t.Errorf("second: %q, %v", traced, err)
	}
}

func TestBadStdout(t *testing.T) {
	for _, c := range []struct{ name, raw, code, text string }{
		{"log line", "Connected\n", "STDOUT_NOISE", `"Connected"`},
		{"says the rule", "Connected\n", "STDOUT_NOISE", "stdout is for protocol frames only"},
		{"empty line", "\n", "STDOUT_NOISE", "empty line"},
		{"long noise is cut", strings.Repeat("y", 500) + "\n", "STDOUT_NOISE", `"` + strings.Repeat("y", 200) + `"…`},
		{"not UTF-8", "\"\xff\xfe\"\n", "STDOUT_NOISE", "not UTF-8"},
		{"no frame", `{"level":"info"}` + "\n", "FRAME_UNKNOWN", `level`},
		{"array", "[]\n", "FRAME_UNKNOWN", "not an object"},
		{"number as id", `{"id":1,"result":null}` + "\n", "FRAME_UNKNOWN", "string"},
		{"request without id", `{"method":"host.service.call","params":{}}` + "\n", "FRAME_UNKNOWN", "id"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := start(t, "raw", nil, nil, "RAW="+c.raw)
			err := p.Call(t.Context(), protocol.MethodInitialize, nil, nil)
			wantFault(t, err, c.code, c.text, "demo")
			<-p.Done()
			wantFault(t, p.Err(), c.code, c.text)
			wantFault(t, p.Shutdown(t.Context()), c.code)
		})
	}
}

func TestMalformedRequestIsAnsweredFirst(t *testing.T) {
	var answer string
	p := start(t, "answered", func(s *pluginproc.Spec) {
		s.Trace = func(toPlugin bool, line []byte) {
			if toPlugin {
				answer = string(line)
			}
		}
	}, nil, `RAW={"id":"x1","method":"host.service.call","params":[]}`)
	<-p.Done()
	wantFault(t, p.Err(), "FRAME_INVALID", "params must be an object")
	if want := `{"id":"x1","error":{"code":"invalid_request","message":"params must be an object"}}`; answer != want {
		t.Errorf("answer %q, want %q", answer, want)
	}
}

func TestUnknownMethodIsRefused(t *testing.T) {
	log := newLines()
	start(t, "answered", func(s *pluginproc.Spec) { s.Stderr = log }, nil, `RAW={"id":"x2","method":"host.storage.get"}`)
	log.await(t, "answer x2 method_not_found")
}

func TestWithoutServices(t *testing.T) {
	p := start(t, "echo", nil, nil)
	if got, err := call(t.Context(), p, "service", `{"service":"a.b","method":"call"}`); err != nil || got != "service_unavailable" {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestExitDuringCall(t *testing.T) {
	p := start(t, "exit", nil, nil)
	err := p.Call(t.Context(), protocol.MethodInitialize, nil, nil)
	wantFault(t, err, "PROCESS_EXITED", "exit status 3", "about to fail:\nout of cheese")
	<-p.Done()
	wantFault(t, p.Err(), "PROCESS_EXITED")
}

func TestTimeLimit(t *testing.T) {
	p := start(t, "deaf", func(s *pluginproc.Spec) { s.Timeout = short }, nil)
	err := p.Call(t.Context(), protocol.MethodInitialize, nil, nil)
	wantFault(t, err, "CALL_TIMEOUT", "initialize", "50ms")
	<-p.Done()
	wantFault(t, p.Err(), "CALL_TIMEOUT")
}

func TestStuckReaderBlocksNobody(t *testing.T) {
	p := start(t, "deaf", nil, nil)
	ctx, cancel := context.WithTimeout(t.Context(), short)
	defer cancel()
	big := json.RawMessage(`"` + strings.Repeat("z", 1<<20) + `"`)
	err := p.Call(ctx, protocol.MethodToolExecute, protocol.ToolExecuteParams{ExecutionID: "e", Arguments: big}, nil)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}

func TestTooLong(t *testing.T) {
	argv, env := testkit.PluginCommand("echo")
	services := func(context.Context, pluginproc.ServiceCall) (json.RawMessage, *protocol.Error) {
		return json.RawMessage(`"` + strings.Repeat("r", 600) + `"`), nil
	}
	p, err := pluginproc.StartLimited(t.Context(), pluginproc.Spec{PluginID: "demo", Argv: argv, Env: env}, services, 512)
	if err != nil {
		t.Fatal(err)
	}
	_, err = call(t.Context(), p, "echo", `"`+strings.Repeat("z", 600)+`"`)
	wantFault(t, err, "FRAME_TOO_LONG", "the limit is 512")
	if got, err := call(t.Context(), p, "service", `{"service":"a.b","method":"call"}`); err != nil || got != "limit_exceeded" {
		t.Errorf("a result that is too long: got %q, %v", got, err)
	}
	err = p.Call(t.Context(), protocol.MethodToolExecute, protocol.ToolExecuteParams{
		ToolID: "echo", Arguments: json.RawMessage(`[` + strings.Repeat(`"",`, 100) + `0]`), // fits; its answer, with quotes escaped, does not
	}, nil)
	wantFault(t, err, "FRAME_TOO_LONG", "exceeds 512 bytes", `it begins "{`)
	<-p.Done()
}

func TestClosedStreams(t *testing.T) {
	grace := func(s *pluginproc.Spec) { s.Grace = short }
	p := start(t, "no-stdout", grace, nil)
	wantFault(t, p.Call(t.Context(), "x", nil, nil), "STDOUT_CLOSED")

	ready := make(chan struct{})
	p = start(t, "no-stdin", func(s *pluginproc.Spec) {
		grace(s)
		s.Trace = func(toPlugin bool, _ []byte) {
			if !toPlugin {
				close(ready)
			}
		}
	}, nil)
	<-ready
	wantFault(t, p.Call(t.Context(), "x", nil, nil), "STDIN_CLOSED")
}

func TestStderrLines(t *testing.T) {
	log := newLines()
	p := start(t, "chatty", func(s *pluginproc.Spec) { s.Stderr = log }, nil)
	<-p.Done()
	got := log.all()
	if len(got) != 4 || got[0] != "one\n" || got[1] != "\n" || got[3] != "last without newline\n" {
		t.Fatalf("got %.200q", got)
	}
	if want := strings.Repeat("x", 64<<10) + " … (line cut)\n"; got[2] != want {
		t.Errorf("long line has %d bytes, want %d", len(got[2]), len(want))
	}
}

func TestGrandchildIsEnded(t *testing.T) {
	for name, end := range map[string]func(*pluginproc.Proc) error{
		"shutdown": func(p *pluginproc.Proc) error { return p.Shutdown(context.Background()) },
		"kill":     func(p *pluginproc.Proc) error { p.Kill(); return nil },
	} {
		t.Run(name, func(t *testing.T) {
			p := start(t, "family", nil, nil)
			var pid int
			if err := p.Call(t.Context(), "pid", nil, &pid); err != nil {
				t.Fatal(err)
			}
			born, err := procgroup.StartTime(pid)
			if err != nil {
				t.Fatal(err)
			}
			if err := end(p); err != nil {
				t.Error(err)
			}
			<-p.Done()
			if procgroup.Alive(pid, born) {
				t.Errorf("grandchild %d is still alive", pid)
			}
			if name == "shutdown" && !p.Leftover() {
				t.Error("the grandchild that was left behind is not reported")
			}
		})
	}
}

func TestTrace(t *testing.T) {
	var got []string
	p := start(t, "echo", func(s *pluginproc.Spec) {
		s.Trace = func(toPlugin bool, line []byte) { got = append(got, fmt.Sprintf("%t %s", toPlugin, line)) }
	}, nil)
	if err := p.Call(t.Context(), protocol.MethodPrepare, nil, nil); err != nil {
		t.Fatal(err)
	}
	if err := p.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := []string{
		`true {"id":"1","method":"prepare"}`, `false {"id":"1","result":null}`,
		`true {"id":"2","method":"shutdown"}`, `false {"id":"2","result":null}`,
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestCommandNotFound(t *testing.T) {
	_, env := testkit.PluginCommand("echo")
	for _, c := range []struct{ command, code string }{{"no-such-command-here", "COMMAND_NOT_FOUND"}, {"./node", "NODE_MISSING"}} {
		_, err := pluginproc.Start(t.Context(), pluginproc.Spec{PluginID: "demo", Argv: []string{c.command}, Env: env, Dir: t.TempDir()}, nil)
		wantFault(t, err, c.code, "demo", c.command)
	}
}
