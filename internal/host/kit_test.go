package host_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/wuu-plugins/wuu/internal/protocol"
	"github.com/wuu-plugins/wuu/internal/testkit"
)

func TestMain(m *testing.M) {
	testkit.PluginMain(map[string]func(*testkit.Plugin){
		"kit":     kit,
		"sleeper": func(*testkit.Plugin) { time.Sleep(time.Hour) },
	})
	goleak.VerifyTestMain(m)
}

// kit is a plugin for tests of the host. Its environment says what fails and
// what it declares:
//
//	KIT_FAIL      initialize, prepare, activate or lifecycle
//	KIT_REQUIRES  services, comma-separated, name@major, "!" in front: required
//	KIT_PREPARE   a host.service.call (JSON params) to make during prepare,
//	              which fails with what it saw unless that is KIT_PREPARE_OK
//	KIT_WORD      what the tool word answers
//	KIT_MEET      in shutdown, answer only once the plugin of this name is there too
func kit(p *testkit.Plugin) {
	k := &player{Plugin: p, waiting: map[string]func(protocol.Frame){}}
	for {
		f, ok := p.Next()
		if !ok || !k.play(f) {
			return
		}
	}
}

type player struct {
	*testkit.Plugin
	calls   int
	waiting map[string]func(protocol.Frame) // answers of service calls
	held    []string                        // frames of the tool hold
}

func (k *player) play(f protocol.Frame) bool {
	fail := os.Getenv("KIT_FAIL")
	if f.Method != "" && f.Method == fail {
		k.Fail(f.ID, "kit_failed", "asked to fail in "+fail)
		return true
	}
	switch f.Method {
	case "":
		k.waiting[f.ID](f)
	case protocol.MethodInitialize:
		k.Reply(f.ID, k.declare())
	case protocol.MethodPrepare:
		call := os.Getenv("KIT_PREPARE")
		if call == "" {
			k.Reply(f.ID, nil)
			return true
		}
		k.service(json.RawMessage(call), func(text string) {
			if text == os.Getenv("KIT_PREPARE_OK") {
				k.Reply(f.ID, nil)
				return
			}
			k.Fail(f.ID, "prepare_saw", text)
		})
	case protocol.MethodExecutionCancel:
		fmt.Fprintln(os.Stderr, "cancel", string(f.Params))
	case protocol.MethodToolExecute:
		k.tool(f)
	case protocol.MethodShutdown:
		fmt.Fprintln(os.Stderr, "goodbye from", os.Getenv("KIT_WORD"))
		if other := os.Getenv("KIT_MEET"); other != "" && !meet(os.Getenv("KIT_WORD"), other) {
			os.Exit(9)
		}
		k.Reply(f.ID, nil)
		return false
	default:
		k.Reply(f.ID, nil)
	}
	return true
}

func (k *player) declare() protocol.InitializeResult {
	r := testkit.Declares("echo", "word", "env", "service", "hold", "release", "silent", "crash", "bad", "refuse", "spawn")
	if os.Getenv("KIT_FAIL") == "lifecycle" {
		r.LifecycleVersion = 1
	}
	for name := range strings.SplitSeq(os.Getenv("KIT_REQUIRES"), ",") {
		name, required := strings.CutPrefix(name, "!")
		name, major, _ := strings.Cut(name, "@")
		if name == "" {
			continue
		}
		s := protocol.ServiceRequirement{Name: name, MajorVersion: 1, Required: required}
		if major != "" {
			_, _ = fmt.Sscan(major, &s.MajorVersion)
		}
		r.RequiredServices = append(r.RequiredServices, s)
	}
	return r
}

func (k *player) tool(f protocol.Frame) {
	var call protocol.ToolExecuteParams
	_ = json.Unmarshal(f.Params, &call)
	switch call.ToolID {
	case "echo":
		k.Reply(f.ID, testkit.TextResult(string(f.Params)))
	case "word":
		k.Reply(f.ID, testkit.TextResult(os.Getenv("KIT_WORD")))
	case "env":
		k.Reply(f.ID, testkit.TextResult(strings.Join(os.Environ(), "\n")))
	case "service":
		var in map[string]any
		_ = json.Unmarshal(call.Arguments, &in)
		if in["execution_id"] == "own" {
			in["execution_id"] = call.ExecutionID
		}
		if p, ok := in["params"].(map[string]any); ok && p["execution_id"] == "own" {
			p["execution_id"] = call.ExecutionID
		}
		b, _ := json.Marshal(in)
		k.service(b, func(text string) { k.Reply(f.ID, testkit.TextResult(text)) })
	case "hold":
		k.held = append(k.held, f.ID)
		fmt.Fprintln(os.Stderr, "holding", call.ExecutionID)
	case "release":
		for _, id := range k.held {
			k.Reply(id, testkit.TextResult(os.Getenv("KIT_WORD")))
		}
		k.held = nil
		k.Reply(f.ID, testkit.TextResult("released"))
	case "silent":
		fmt.Fprintln(os.Stderr, "silent", call.ExecutionID)
	case "crash":
		fmt.Fprintln(os.Stderr, "about to crash")
		os.Exit(3)
	case "bad":
		k.Raw(`{"id":"` + f.ID + `","result":{"result":{"content":[{"type":"video"}]}}}` + "\n")
	case "spawn": // a child that outlives everything that does not kill it
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), testkit.PluginEnv+"=sleeper")
		if err := child.Start(); err != nil {
			k.Fail(f.ID, "spawn", err.Error())
			return
		}
		k.Reply(f.ID, testkit.TextResult(fmt.Sprint(child.Process.Pid)))
	case "refuse":
		k.Fail(f.ID, "no_thanks", "not today")
	}
}

// service sends a host.service.call and hands on "ok <result>" or "<code>".
func (k *player) service(params json.RawMessage, then func(text string)) {
	k.calls++
	id := fmt.Sprintf("kit-%d", k.calls)
	k.waiting[id] = func(f protocol.Frame) {
		delete(k.waiting, id)
		if f.Error != nil {
			then(f.Error.Code)
			return
		}
		then("ok " + string(f.Result))
	}
	k.Request(id, protocol.MethodServiceCall, params)
}

// meet waits for another plugin that calls it with the names the other way
// round, as files in KIT_DIR.
func meet(me, other string) bool {
	dir := os.Getenv("KIT_DIR")
	if os.WriteFile(filepath.Join(dir, me), nil, 0o600) != nil {
		return false
	}
	for { // the host's own limit ends a wait in vain
		if _, err := os.Stat(filepath.Join(dir, other)); err == nil {
			return true
		}
		time.Sleep(time.Millisecond)
	}
}
