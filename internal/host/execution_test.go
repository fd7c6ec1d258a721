package host_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/host"
)

func TestToolCalls(t *testing.T) {
	f := newHost(t, func(o *host.Options) { o.Project = t.TempDir() })
	f.start(t, kitPackage(t, "kit", nil, nil))
	public := ""
	{
		var sent struct {
			Tool        string
			ExecutionID string `json:"execution_id"`
			CallID      string `json:"call_id"`
			SessionID   string `json:"session_id"`
			Cwd         string
			ToolID      string `json:"tool_id"`
			Arguments   json.RawMessage
		}
		r, err := f.CallTool(t.Context(), host.ToolCall{
			PluginID: "kit", Tool: "echo", Arguments: json.RawMessage(` {"a": 1} `), SessionID: "s1", Cwd: "/somewhere",
		}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(r.Content[0].Text), &sent); err != nil {
			t.Fatal(err)
		}
		if sent.ToolID != "echo" || sent.SessionID != "s1" || sent.Cwd != "/somewhere" || string(sent.Arguments) != `{"a":1}` ||
			!strings.HasPrefix(sent.ExecutionID, "exec-") || !strings.HasPrefix(sent.CallID, "call-") {
			t.Errorf("tool.execute: %s", r.Content[0].Text)
		}
		public = sent.Tool
	}
	if got := f.call(t, "", public, ""); !strings.Contains(got, `"cwd":"`+f.project) {
		t.Errorf("by public name alone, in the project: %s", got)
	}

	for _, c := range []struct {
		name string
		call host.ToolCall
		kind fault.Kind
		code string
		says string
	}{
		{"unknown plugin", host.ToolCall{PluginID: "kitt", Tool: "echo"}, fault.Usage, host.CodeUnknownPlugin, "it has kit"},
		{"unknown tool", host.ToolCall{PluginID: "kit", Tool: "ecco"}, fault.Usage, host.CodeUnknownTool, "it has bad, crash, echo"},
		{"unknown public name", host.ToolCall{Tool: "ecco"}, fault.Usage, host.CodeUnknownTool, "ecco"},
		{"list", host.ToolCall{PluginID: "kit", Tool: "echo", Arguments: json.RawMessage(`[]`)}, fault.Usage, host.CodeArguments, "JSON object"},
		{"bad JSON", host.ToolCall{PluginID: "kit", Tool: "echo", Arguments: json.RawMessage(`{`)}, fault.Usage, host.CodeArguments, "JSON object"},
		{"error reply", host.ToolCall{PluginID: "kit", Tool: "refuse"}, fault.Plugin, host.CodeToolFailed, "no_thanks: not today"},
		{"bad result", host.ToolCall{PluginID: "kit", Tool: "bad"}, fault.Plugin, "TOOL_RESULT_INVALID", "video"},
	} {
		_, err := f.CallTool(t.Context(), c.call, nil)
		var e *fault.Error
		if !errors.As(err, &e) || e.Kind != c.kind || e.Code != c.code || !strings.Contains(e.Error(), c.says) {
			t.Errorf("%s: %v (%+v)", c.name, err, e)
		}
	}
	f.call(t, "kit", "echo", "") // none of that hurt it
}

// Cancelling never waits for the plugin, tells it why, and the next call works.
func TestCancel(t *testing.T) {
	f := newHost(t)
	f.start(t, kitPackage(t, "kit", nil, nil))
	ctx, cancel := context.WithCancelCause(t.Context())
	reason := errors.New("changed my mind")
	done := make(chan error, 1)
	go func() {
		_, err := f.CallTool(ctx, host.ToolCall{PluginID: "kit", Tool: "silent", SessionID: "s"}, nil)
		done <- err
	}()
	f.log.await(t, "silent exec-1")
	running := f.Executions()
	if len(running) != 1 || running[0].ID != "exec-1" || running[0].PluginID != "kit" || running[0].GenerationID != 1 ||
		running[0].Scope != (host.Scope{Tool: "silent", SessionID: "s"}) || running[0].Retained {
		t.Errorf("executions: %+v", running)
	}
	cancel(reason)
	if err := <-done; !errors.Is(err, reason) {
		t.Errorf("the call returned %v", err)
	}
	f.log.await(t, `cancel {"execution_id":"exec-1","reason":"changed my mind"}`)
	if left := f.Executions(); len(left) != 0 {
		t.Errorf("executions after the cancellation: %+v", left)
	}

	_, err := f.CallTool(t.Context(), host.ToolCall{PluginID: "kit", Tool: "silent", Timeout: time.Millisecond}, nil)
	if e := fault.As(err); e == nil || e.Code != host.CodeTimeout || e.Kind != fault.Plugin {
		t.Errorf("the time limit: %v", err)
	}
	f.log.await(t, `cancel {"execution_id":"exec-2","reason":"time limit"}`)
	f.call(t, "kit", "echo", "")
}

func TestUpdates(t *testing.T) {
	f := newHost(t)
	f.start(t, kitPackage(t, "kit", map[string]string{"KIT_REQUIRES": "execution.update"}, nil))
	var mu sync.Mutex
	var got []host.Update
	report := func(arguments string) string {
		t.Helper()
		r, err := f.CallTool(t.Context(), host.ToolCall{PluginID: "kit", Tool: "service", Arguments: json.RawMessage(arguments)}, func(u host.Update) {
			mu.Lock()
			defer mu.Unlock()
			got = append(got, u)
		})
		if err != nil {
			t.Fatal(err)
		}
		return r.Content[0].Text
	}
	if text := report(`{"service":"execution.update","method":"call","params":{"execution_id":"own","message":"half","detail":{"n":1}}}`); text != "ok {}" {
		t.Errorf("execution.update: %s", text)
	}
	if len(got) != 1 || got[0].ExecutionID != "exec-1" || got[0].Message != "half" || string(got[0].Detail) != `{"n":1}` {
		t.Errorf("updates: %+v", got)
	}
	if text := report(`{"service":"execution.update","method":"call","params":{"execution_id":"exec-1","message":"late"}}`); text != "execution_not_found" {
		t.Errorf("an update of a closed execution: %s", text)
	}
	if len(got) != 1 {
		t.Errorf("a late update was passed on: %+v", got)
	}
}

// Every call during reloads is answered, by the old process or the new one.
func TestCallsDuringReload(t *testing.T) {
	f := newHost(t)
	f.start(t, kitPackage(t, "kit", map[string]string{"KIT_WORD": "here"}, nil))
	ctx, stop := context.WithCancel(t.Context())
	var calls sync.WaitGroup
	answered := make(chan struct{}, 1)
	for range 4 {
		calls.Go(func() {
			for ctx.Err() == nil {
				r, err := f.CallTool(t.Context(), host.ToolCall{PluginID: "kit", Tool: "word"}, nil)
				if err != nil || r.Content[0].Text != "here" {
					t.Errorf("a call during reload: %v %+v", err, r)
					return
				}
				select {
				case answered <- struct{}{}:
				default:
				}
			}
		})
	}
	for n := range 5 {
		<-answered // calls are under way
		seen, err := f.Reload(t.Context(), "")
		if err != nil || states(seen) != "kit:active" || seen[0].Generation != uint64(n+2) {
			t.Errorf("Reload: %v %v", seen, err)
		}
	}
	stop()
	calls.Wait()
}
