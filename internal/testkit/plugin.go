package testkit

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"github.com/wuu-plugins/wuu/internal/protocol"
)

// PluginEnv names the behaviour that a re-executed test binary plays.
const PluginEnv = "WUU_TESTKIT_PLUGIN"

// Plugin is the plugin's side of the wire, for behaviours that PluginMain runs
// inside a re-executed test binary.
type Plugin struct {
	in  *bufio.Reader
	out io.Writer
	mu  sync.Mutex
}

// PluginMain turns the test binary into a plugin when its environment asks for
// it; otherwise it returns. Call it first in TestMain:
//
//	func TestMain(m *testing.M) {
//		testkit.PluginMain(map[string]func(*testkit.Plugin){"echo": echo})
//		goleak.VerifyTestMain(m)
//	}
func PluginMain(behaviours map[string]func(*Plugin)) {
	name, ok := os.LookupEnv(PluginEnv)
	if !ok {
		return
	}
	play, ok := behaviours[name]
	if !ok {
		fmt.Fprintf(os.Stderr, "testkit: no behaviour %q\n", name)
		os.Exit(2)
	}
	play(&Plugin{in: bufio.NewReader(os.Stdin), out: os.Stdout})
	os.Exit(0)
}

// PluginCommand is the argv and environment that run this test binary as the
// named behaviour. extra are more KEY=value pairs.
func PluginCommand(name string, extra ...string) (argv, env []string) {
	exe, err := os.Executable()
	if err != nil {
		panic(err) // a test binary always knows where it is
	}
	// The race detector otherwise sleeps a second at exit.
	env = append([]string{PluginEnv + "=" + name, "GORACE=atexit_sleep_ms=0"}, extra...)
	for _, key := range []string{"PATH", "SYSTEMROOT", "TMPDIR", "TEMP", "TMP"} {
		if v, ok := os.LookupEnv(key); ok {
			env = append(env, key+"="+v)
		}
	}
	return []string{exe}, env
}

// Next reads one frame; false at the end of stdin.
func (p *Plugin) Next() (protocol.Frame, bool) {
	line, err := p.in.ReadBytes('\n')
	if err != nil {
		return protocol.Frame{}, false
	}
	var f protocol.Frame
	if err := json.Unmarshal(line, &f); err != nil {
		fmt.Fprintf(os.Stderr, "testkit: bad line from the host: %v\n", err)
		os.Exit(2)
	}
	return f, true
}

// Raw writes s as it is; newlines are the caller's.
func (p *Plugin) Raw(s string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, _ = io.WriteString(p.out, s) // the host is gone: Next will tell
}

// Reply answers request id.
func (p *Plugin) Reply(id string, result any) { p.send(map[string]any{"id": id, "result": result}) }

// Fail answers request id with an error.
func (p *Plugin) Fail(id, code, message string) {
	p.send(map[string]any{"id": id, "error": protocol.Error{Code: code, Message: message}})
}

// Request sends a request without waiting for its answer, which Next gives.
func (p *Plugin) Request(id, method string, params any) {
	p.send(map[string]any{"id": id, "method": method, "params": params})
}

func (p *Plugin) send(frame any) {
	b, err := json.Marshal(frame)
	if err != nil {
		panic(err) // a behaviour of a test gave something that is not JSON
	}
	p.Raw(string(b) + "\n")
}

// Serve answers the life cycle: init for initialize, null for prepare,
// activate and shutdown, and handle for everything else. It returns after
// shutdown or at the end of stdin.
func (p *Plugin) Serve(init protocol.InitializeResult, handle func(f protocol.Frame)) {
	for {
		f, ok := p.Next()
		if !ok {
			return
		}
		switch f.Method {
		case protocol.MethodInitialize:
			p.Reply(f.ID, init)
		case protocol.MethodPrepare, protocol.MethodActivate:
			p.Reply(f.ID, nil)
		case protocol.MethodShutdown:
			p.Reply(f.ID, nil)
			return
		case protocol.MethodExecutionCancel, "":
			if handle != nil {
				handle(f)
			}
		default:
			if handle == nil {
				p.Fail(f.ID, protocol.CodeMethodNotFound, f.Method)
				continue
			}
			handle(f)
		}
	}
}

// Declares is an initialize result with the given tools, each without
// arguments; further members are the caller's to set.
func Declares(tools ...string) protocol.InitializeResult {
	r := protocol.InitializeResult{ProtocolVersion: protocol.CapabilityVersion, LifecycleVersion: protocol.LifecycleVersion}
	for _, id := range tools {
		r.Tools = append(r.Tools, protocol.Tool{
			ID: id, Description: "Test tool " + id + ".", InputSchema: json.RawMessage(`{"type":"object"}`),
		})
	}
	return r
}

// TextResult is the result of tool.execute with one text part.
func TextResult(lines ...string) protocol.ToolExecuteResult {
	return protocol.ToolExecuteResult{Result: protocol.ToolResult{
		Content: []protocol.ContentPart{{Type: "text", Text: strings.Join(lines, "\n")}},
	}}
}
