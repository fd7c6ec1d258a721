package host_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wuu-plugins/wuu/internal/catalog"
	"github.com/wuu-plugins/wuu/internal/host"
	"github.com/wuu-plugins/wuu/internal/host/service"
)

const allStorage = "host.storage.get,host.storage.set,host.storage.delete,host.storage.keys,host.storage.compare-exchange"

// service makes the plugin call a service and returns "ok <result>" or the code.
func (f *fixture) service(t *testing.T, id, name, params string) string {
	t.Helper()
	return f.call(t, id, "service", fmt.Sprintf(`{"service":%q,"method":"call","params":%s}`, name, params))
}

// Good, bad and limit inputs of host.storage.*, in one document, in order.
func TestStorageConformance(t *testing.T) {
	f := newHost(t, func(o *host.Options) { o.Project = t.TempDir() })
	f.start(t, kitPackage(t, "kit", map[string]string{"KIT_REQUIRES": allStorage}, nil))
	long := strings.Repeat("k", 128)
	for _, c := range []struct{ service, params, want string }{
		{"get", `{"scope":"user","key":"a"}`, `ok {"value":null}`},
		{"keys", `{"scope":"user"}`, `ok {"keys":[]}`},
		{"set", `{"scope":"user","key":"a","value":"1"}`, `ok {}`},
		{"get", `{"scope":"user","key":"a"}`, `ok {"value":"1"}`},
		{"get", `{"scope":"workspace","key":"a"}`, `ok {"value":null}`},
		{"set", `{"scope":"workspace","key":"w","value":""}`, `ok {}`},
		{"get", `{"scope":"workspace","key":"w"}`, `ok {"value":""}`},
		{"set", `{"scope":"user","key":"B.c_d-e","value":"é \u0000 \ud83d\ude00"}`, `ok {}`},
		{"get", `{"scope":"user","key":"B.c_d-e"}`, "ok {\"value\":\"é \\u0000 😀\"}"},
		{"keys", `{"scope":"user"}`, `ok {"keys":["B.c_d-e","a"]}`},
		{"delete", `{"scope":"user","key":"a"}`, `ok {}`},
		{"delete", `{"scope":"user","key":"a"}`, `ok {}`},
		{"get", `{"scope":"user","key":"a"}`, `ok {"value":null}`},

		{"compare-exchange", `{"scope":"user","key":"n","expected":"0","value":"1"}`, `ok {"swapped":false,"value":null}`},
		{"compare-exchange", `{"scope":"user","key":"n","expected":null,"value":"1"}`, `ok {"swapped":true,"value":"1"}`},
		{"compare-exchange", `{"scope":"user","key":"n","expected":null,"value":"2"}`, `ok {"swapped":false,"value":"1"}`},
		{"compare-exchange", `{"scope":"user","key":"n","expected":"1","value":"1"}`, `ok {"swapped":true,"value":"1"}`},
		{"compare-exchange", `{"scope":"user","key":"n","expected":"1","value":null}`, `ok {"swapped":true,"value":null}`},
		{"compare-exchange", `{"scope":"user","key":"n","expected":null,"value":null}`, `ok {"swapped":true,"value":null}`},
		{"compare-exchange", `{"scope":"user","key":"n","expected":1,"value":null}`, `invalid_params`},
		{"compare-exchange", `{"scope":"user","key":"n","value":null}`, `invalid_params`},

		{"get", `{"scope":"team","key":"a"}`, `invalid_params`},
		{"get", `{"key":"a"}`, `invalid_params`},
		{"get", `{"scope":"user"}`, `invalid_params`},
		{"get", `{"scope":"user","key":null}`, `invalid_params`},
		{"get", `{"scope":"user","key":7}`, `invalid_params`},
		{"get", `{"scope":"user","key":""}`, `invalid_params`},
		{"get", `{"scope":"user","key":".hidden"}`, `invalid_params`},
		{"get", `{"scope":"user","key":"a/b"}`, `invalid_params`},
		{"get", `{"scope":"user","key":"a","more":1}`, `invalid_params`},
		{"get", `{"scope":"user","Key":"a"}`, `invalid_params`},
		{"set", `{"scope":"user","key":"a","value":null}`, `invalid_params`},
		{"set", `{"scope":"user","key":"a","value":{"b":1}}`, `invalid_params`},
		{"set", `{"scope":"user","key":"a"}`, `invalid_params`},
		{"keys", `{"scope":"user","key":"a"}`, `invalid_params`},

		{"set", `{"scope":"user","key":"` + long + `","value":"x"}`, `ok {}`},
		{"set", `{"scope":"user","key":"` + long + `k","value":"x"}`, `invalid_params`},
		{"set", `{"scope":"user","key":"big","value":"` + strings.Repeat("x", service.MaxStorageValue) + `"}`, `ok {}`},
		{"set", `{"scope":"user","key":"big2","value":"` + strings.Repeat("x", service.MaxStorageValue+1) + `"}`, `limit_exceeded`},
		{"set", `{"scope":"user","key":"big2","value":"` + strings.Repeat("x", service.MaxStorageValue) + `"}`, `limit_exceeded`}, // 2 MiB in all
		{"get", `{"scope":"user","key":"big2"}`, `ok {"value":null}`},
		{"delete", `{"scope":"user","key":"big"}`, `ok {}`},
	} {
		if got := f.service(t, "kit", "host.storage."+c.service, c.params); got != c.want {
			t.Errorf("%s %.80s: %.80s, want %.80s", c.service, c.params, got, c.want)
		}
	}

	path := filepath.Join(f.home.PluginStorage(), "user", service.DocumentName("plugin:user:kit"))
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		SchemaVersion int    `json:"schema_version"`
		PluginID      string `json:"plugin_id"`
		Values        map[string]string
	}
	if err := json.Unmarshal(b, &doc); err != nil || doc.SchemaVersion != 1 || doc.PluginID != "plugin:user:kit" || len(doc.Values) != 2 {
		t.Errorf("the document: %v\n%s", err, b)
	}
	if !strings.HasPrefix(string(b), "{\n  \"schema_version\"") || !strings.HasSuffix(string(b), "}\n") {
		t.Errorf("the document's layout:\n%s", b)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the document's mode: %v %v", info.Mode(), err)
	}

	values := map[string]string{}
	for n := range service.MaxStorageKeys {
		values[fmt.Sprintf("k%d", n)] = ""
	}
	doc.Values = values
	full, err := json.Marshal(map[string]any{"schema_version": 1, "plugin_id": "plugin:user:kit", "values": values})
	if err != nil {
		t.Fatal(err)
	}
	for content, wants := range map[string][2]string{
		string(full): {"limit_exceeded", `ok {"value":null}`},
		`{"schema_version": 1, "plugin_id": "plugin:user:other", "values": {}}`: {"host_error", "host_error"},
		`{"schema_version": 7, "plugin_id": "plugin:user:kit", "values": {}}`:   {"host_error", "host_error"},
		`{"schema_version": 1, "values"`:                                        {"host_error", "host_error"},
	} {
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := f.service(t, "kit", "host.storage.set", `{"scope":"user","key":"new","value":""}`); got != wants[0] {
			t.Errorf("set over %.60s: %s", content, got)
		}
		if got := f.service(t, "kit", "host.storage.get", `{"scope":"user","key":"new"}`); got != wants[1] {
			t.Errorf("get over %.60s: %s", content, got)
		}
		if b, err := os.ReadFile(path); err != nil || string(b) != content {
			t.Errorf("a document that cannot be used was changed: %.60s", content)
		}
	}
}

// Who may call what, when.
func TestAuthorisation(t *testing.T) {
	f := newHost(t)
	f.start(t,
		kitPackage(t, "kit", map[string]string{"KIT_REQUIRES": "host.storage.get,host.storage.keys@2,host.time-travel,execution.update"}, nil),
		kitPackage(t, "other", map[string]string{"KIT_REQUIRES": "host.storage.get"}, nil),
	)
	get := `"params":{"scope":"user","key":"a"}`
	for _, c := range []struct{ in, want string }{
		{`{"service":"host.storage.get","method":"call",` + get + `}`, `ok {"value":null}`},
		{`{"service":"host.storage.get","method":"call","execution_id":"own",` + get + `}`, `ok {"value":null}`},
		{`{"service":"host.storage.set","method":"call",` + get + `}`, "service_not_authorized"},
		{`{"service":"host.no-such-thing","method":"call"}`, "service_not_authorized"},
		{`{"service":"host.time-travel","method":"call"}`, "service_not_found"},
		{`{"service":"host.storage.keys","method":"call"}`, "service_version_mismatch"},
		{`{"service":"host.storage.get","method":"fetch",` + get + `}`, "method_not_found"},
		{`{"service":"host.storage.get","method":"call","execution_id":"exec-1",` + get + `}`, "execution_not_found"},
		{`{"service":"host.storage.get","method":"call","execution_id":"nonsense",` + get + `}`, "execution_not_found"},
		{`{"service":"host.storage.get","method":"call","params":[]}`, "invalid_params"},
		{`{"service":"host.storage.get"}`, "invalid_request"},
		{`{"service":"host.storage.get","method":"call",` + get + `}`, `ok {"value":null}`}, // a refusal never ends the process
		{`{"service":"host.storage.get","method":"call","params":{"scope":"workspace","key":"a"}}`, "service_unavailable"},
		{`{"service":"execution.update","method":"call","params":{"execution_id":"own","note":"x"}}`, "invalid_request"},
		{`{"service":"execution.update","method":"call","params":{}}`, "invalid_request"},
		{`{"service":"execution.update","method":"call","params":{"execution_id":"own","message":"` + strings.Repeat("m", 65<<10) + `"}}`, "limit_exceeded"},
	} {
		if got := f.call(t, "kit", "service", c.in); got != c.want {
			t.Errorf("%.100s: %s, want %s", c.in, got, c.want)
		}
	}
	done := make(chan error, 1)
	go func() {
		_, err := f.CallTool(t.Context(), host.ToolCall{PluginID: "other", Tool: "hold"}, nil)
		done <- err
	}()
	f.log.await(t, "[other #1] holding ")
	foreign := f.Executions()[0].ID
	if got := f.call(t, "kit", "service", `{"service":"execution.update","method":"call","params":{"execution_id":"`+foreign+`"}}`); got != "service_not_authorized" {
		t.Errorf("another plugin's execution: %s", got)
	}
	f.call(t, "other", "release", "")
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// Before the commit only reading is allowed.
func TestPreparePhase(t *testing.T) {
	for service, want := range map[string]string{
		"host.storage.get": `ok {"value":null}`, "host.storage.keys": "invalid_params", "host.storage.set": "not_prepared",
		"host.storage.delete": "not_prepared", "host.storage.compare-exchange": "not_prepared",
		"host.settings.list": `ok {"entries":{},`, "host.settings.get": "invalid_params", "execution.update": "not_prepared",
	} {
		f := newHost(t)
		call := `{"service":"` + service + `","method":"call","params":{"scope":"user","key":"a"}}`
		if service == "host.settings.list" {
			call = `{"service":"` + service + `","method":"call"}`
		}
		seen := f.start(t, kitPackage(t, "kit", map[string]string{"KIT_REQUIRES": service, "KIT_PREPARE": call}, nil))
		if got := seen[0].Err; got == nil || !strings.Contains(got.Message, "prepare_saw: "+want) {
			t.Errorf("%s during prepare: %+v, want %s", service, got, want)
		}
	}
}

// Writers of several hosts never lose each other's updates.
func TestCompareExchangeAcrossHosts(t *testing.T) {
	a := newHost(t)
	b := hostAt(t, a.home)
	rec := kitPackage(t, "kit", map[string]string{"KIT_REQUIRES": allStorage}, nil)
	a.start(t, rec)
	b.start(t, rec)
	const rounds = 15
	done := make(chan int, 2)
	for _, f := range []*fixture{a, b} {
		go func() {
			swaps := 0
			for swaps < rounds {
				var got struct{ Value *string }
				text := f.service(t, "kit", "host.storage.get", `{"scope":"user","key":"n"}`)
				if json.Unmarshal([]byte(strings.TrimPrefix(text, "ok ")), &got) != nil {
					break
				}
				expected, next := "null", `"x"`
				if got.Value != nil {
					expected, next = fmt.Sprintf("%q", *got.Value), fmt.Sprintf("%q", *got.Value+"x")
				}
				text = f.service(t, "kit", "host.storage.compare-exchange", `{"scope":"user","key":"n","expected":`+expected+`,"value":`+next+`}`)
				if strings.HasPrefix(text, `ok {"swapped":true`) {
					swaps++
				}
			}
			done <- swaps
		}()
	}
	total := <-done + <-done
	if got := a.service(t, "kit", "host.storage.get", `{"scope":"user","key":"n"}`); got != `ok {"value":"`+strings.Repeat("x", total)+`"}` || total != 2*rounds {
		t.Errorf("%d swaps left %s", total, got)
	}
}

// Storage belongs to the plugin: a dev override keeps the installed one's, a
// stand-alone dev plugin has its own.
func TestStorageIdentity(t *testing.T) {
	f := newHost(t)
	env := map[string]string{"KIT_REQUIRES": allStorage}
	installed, alone := kitPackage(t, "kit", env, nil), kitPackage(t, "alone", env, nil)
	override := installed
	override.Dev, override.Trusted, alone.Dev = true, false, true
	f.start(t, installed, override, alone)
	f.service(t, "kit", "host.storage.set", `{"scope":"user","key":"a","value":"kit"}`)
	f.service(t, "alone", "host.storage.set", `{"scope":"user","key":"a","value":"alone"}`)
	for _, subject := range []string{"plugin:user:kit", "plugin:dev:alone"} {
		if _, err := os.Stat(filepath.Join(f.home.PluginStorage(), "user", service.DocumentName(subject))); err != nil {
			t.Errorf("%s has no document: %v", subject, err)
		}
	}
	kept := alone
	kept.StorageSubject = "plugin:user:alone"
	g := hostAt(t, f.home)
	g.start(t, kept)
	if got := g.service(t, "alone", "host.storage.get", `{"scope":"user","key":"a"}`); got != `ok {"value":null}` {
		t.Errorf("the recorded storage subject is not used: %s", got)
	}
}

// A counter in plain Node keeps its state over a restart of its process.
func TestNodeStorage(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("skipped: node is not installed")
	}
	f := newHost(t, func(o *host.Options) { o.Project = t.TempDir() })
	rec := describe(t, filepath.Join("testdata", "counter"))
	if got := states(f.start(t, rec)); got != "counter:active" {
		t.Fatalf("observations: %s\n%s", got, f.log.text())
	}
	if got := f.call(t, "counter", "add", `{"by":2}`); got != "2" {
		t.Errorf("add 2: %s", got)
	}
	if _, err := f.Reload(t.Context(), "counter"); err != nil {
		t.Fatal(err)
	}
	if got := f.call(t, "counter", "add", `{"by":3}`); got != "5" {
		t.Errorf("add 3: %s", got)
	}
}

func settingsPackage(t *testing.T) catalog.Record {
	setting := func(kind string, def any, more map[string]any) map[string]any {
		s := map[string]any{"type": kind, "title": "T", "scope": "user", "apply": "live"}
		if def != nil {
			s["default"] = def
		}
		for k, v := range more {
			s[k] = v
		}
		return s
	}
	env := map[string]string{"KIT_REQUIRES": "host.settings.get,host.settings.list"}
	return kitPackage(t, "kit", env, map[string]any{"contributes": map[string]any{"settings": map[string]any{
		"live":   setting("string", "d", nil),
		"op":     setting("number", 1, map[string]any{"apply": "next-operation"}),
		"boot":   setting("boolean", false, map[string]any{"apply": "restart"}),
		"choice": setting("enum", "a", map[string]any{"enum": []string{"a", "b"}, "scope": "workspace"}),
	}}})
}

func (f *fixture) saveSettings(t *testing.T, dir string, values map[string]any) {
	t.Helper()
	b, err := json.Marshal(map[string]any{"schema_version": 1, "plugin_id": "plugin:user:kit", "values": values})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, service.DocumentName("plugin:user:kit")), b, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestSettingsConformance(t *testing.T) {
	f := newHost(t, func(o *host.Options) { o.Project = t.TempDir() })
	if got := states(f.start(t, settingsPackage(t))); got != "kit:active" {
		t.Fatalf("%s\n%s", got, f.log.text())
	}
	type list struct {
		Entries         map[string]any
		Revision        string
		ScopeRevisions  map[string]string `json:"scope_revisions"`
		RestartRequired []string          `json:"restart_required"`
	}
	read := func(params string) (l list, text string) {
		t.Helper()
		text = f.service(t, "kit", "host.settings.list", params)
		if err := json.Unmarshal([]byte(strings.TrimPrefix(text, "ok ")), &l); err != nil {
			t.Fatalf("list: %s", text)
		}
		return l, text
	}
	first, text := read(`{}`)
	if !strings.Contains(text, `"entries":{"boot":false,"choice":"a","live":"d","op":1}`) || len(first.ScopeRevisions) != 2 || first.RestartRequired == nil {
		t.Errorf("defaults: %s", text)
	}
	user := filepath.Join(f.home.PluginSettings(), "user")
	f.saveSettings(t, user, map[string]any{"kit.live": "new", "kit.op": 2, "kit.boot": true, "kit.choice": "b", "kit.gone": 1})
	second, text := read(`{}`)
	if !strings.Contains(text, `"entries":{"boot":false,"choice":"a","live":"new","op":2}`) {
		t.Errorf("saved (restart pinned, choice in the other scope): %s", text)
	}
	if strings.Join(second.RestartRequired, " ") != "boot" {
		t.Errorf("restart_required: %v", second.RestartRequired)
	}
	if second.Revision == first.Revision || second.ScopeRevisions["user"] == first.ScopeRevisions["user"] ||
		second.ScopeRevisions["workspace"] != first.ScopeRevisions["workspace"] {
		t.Errorf("revisions: %+v then %+v", first, second)
	}
	if again, _ := read(`{}`); again.Revision != second.Revision {
		t.Error("the same content has another revision")
	}
	f.saveSettings(t, filepath.Join(f.home.Workspaces(), service.WorkspaceID(f.project), "plugin-settings"), map[string]any{"kit.choice": "b"})
	if third, text := read(`{"scope":"workspace"}`); !strings.Contains(text, `"entries":{"choice":"b"}`) || len(third.ScopeRevisions) != 1 {
		t.Errorf("one scope: %s", text)
	}
	f.saveSettings(t, user, map[string]any{"kit.live": 7, "kit.op": "two"})
	if _, text := read(`{"scope":"user"}`); !strings.Contains(text, `"entries":{"boot":false,"live":"d","op":1}`) {
		t.Errorf("values that do not fit: %s", text)
	}
	f.log.await(t, "setting kit.live: saved value ignored")

	for _, c := range []struct{ service, params, want string }{
		{"get", `{"key":"choice"}`, `ok {"value":"b"}`},
		{"get", `{"key":"op"}`, `ok {"value":1}`},
		{"get", `{"key":"gone"}`, "setting_not_owned"},
		{"get", `{"key":"kit.live"}`, "setting_not_owned"},
		{"get", `{"key":"../live"}`, "invalid_params"},
		{"get", `{"key":""}`, "invalid_params"},
		{"get", `{}`, "invalid_params"},
		{"list", `{"scope":"team"}`, "invalid_params"},
		{"list", `{"scope":null}`, "invalid_params"},
		{"list", `{"all":true}`, "invalid_params"},
	} {
		if got := f.service(t, "kit", "host.settings."+c.service, c.params); got != c.want {
			t.Errorf("%s %s: %s, want %s", c.service, c.params, got, c.want)
		}
	}

	f.saveSettings(t, user, map[string]any{"kit.boot": true})
	if _, err := f.Reload(t.Context(), "kit"); err != nil {
		t.Fatal(err)
	}
	if l, text := read(`{}`); l.Entries["boot"] != true || len(l.RestartRequired) != 0 {
		t.Errorf("after the reload: %s", text)
	}
}
