package contract_test

import (
	"context"
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wuu-plugins/wuu/internal/contract"
	"github.com/wuu-plugins/wuu/internal/diag"
)

const (
	allPass   = "package:pass handshake:pass lifecycle:pass tools:pass"
	shakeFail = "package:pass handshake:fail lifecycle:skip tools:skip"
	lifeFail  = "package:pass handshake:pass lifecycle:fail tools:skip"
)

func TestContractKept(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	t.Setenv("TMP", temp)
	r := run(t, contract.Options{Package: plugin(t, "good", nil), Version: "2026.1130.0", Cases: []string{caseFile(t, `
cases:
  - name: greets by name
    tool: hello
    arguments: { name: Ada }
    expect:
      text: "Hello, Ada!\nHow do you do?"
`)}})
	if !r.OK || stages(r) != allPass || r.ID != "demo" || r.Version != "1.2.3" || r.WuuVersion != "2026.1130.0" {
		t.Errorf("%+v\n%s", r, text(r))
	}
	if c := check(t, r, "tools.idle"); c.Status != contract.Skip || !strings.Contains(c.Message, "no case calls this tool") {
		t.Errorf("a tool without a case: %+v", c)
	}
	for _, id := range []string{
		"package.findings", "handshake.start", "handshake.stdout", "handshake.initialize", "handshake.versions",
		"handshake.descriptors", "handshake.services", "lifecycle.prepare", "lifecycle.activate", "lifecycle.shutdown",
		"lifecycle.group", "lifecycle.restart", "tools.hello/greets by name", "tools.shutdown", "tools.group",
	} {
		if c := check(t, r, id); c.Status != contract.Pass || len(c.Frames) > 0 {
			t.Errorf("%s: %+v", id, c)
		}
	}
	if left, err := filepath.Glob(filepath.Join(temp, "wuu-test-*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

func TestContractBroken(t *testing.T) {
	for _, c := range []struct{ behaviour, stages, id, text, hint string }{
		{"noisy", shakeFail, "handshake.stdout", `STDOUT_NOISE: initialize: a line on stdout is not JSON: "just saying"`, "stderr"},
		{"old", shakeFail, "handshake.versions", "LIFECYCLE_UNSUPPORTED: lifecycle_version: is 1", "rebuild"},
		{"bad-tools", shakeFail, "handshake.descriptors", "TOOL_INVALID: tools[0].description: is blank", "ok does"},
		{"needy", shakeFail, "handshake.services", "host.time-machine", ""},
		{"no-init", shakeFail, "handshake.initialize", "not today", ""},
		{"crash-init", shakeFail, "handshake.initialize", "no configuration", ""},
		{"crash-prepare", lifeFail, "lifecycle.prepare", "cannot prepare", ""},
		{"bad-activate", lifeFail, "lifecycle.activate", "cannot activate", ""},
		{"stays", lifeFail, "lifecycle.shutdown", "SHUTDOWN_UNCONFIRMED", "stop timers"},
		{"leaves", lifeFail, "lifecycle.group", "left others of its process group behind", "end child processes"},
		{"once", lifeFail, "lifecycle.restart", "cannot read what I wrote", ""},
	} {
		t.Run(c.behaviour, func(t *testing.T) {
			t.Parallel()
			r := run(t, contract.Options{Package: plugin(t, c.behaviour, nil)})
			if r.OK || stages(r) != c.stages {
				t.Errorf("%s\n%s", stages(r), text(r))
			}
			got := check(t, r, c.id)
			if got.Status != contract.Fail || !strings.Contains(got.Message, c.text) || !strings.Contains(got.Hint, c.hint) {
				t.Errorf("%+v", got)
			}
			if len(got.Frames) == 0 || len(got.Frames) > 20 {
				t.Errorf("shows %d frames", len(got.Frames))
			}
			for _, s := range r.Stages {
				if s.Status == contract.Skip && s.Checks[0].Message == "" {
					t.Errorf("%s is skipped without a reason", s.Name)
				}
			}
		})
	}
}

func TestEveryDescriptorProblemIsListed(t *testing.T) {
	r := run(t, contract.Options{Package: plugin(t, "bad-tools", nil)})
	if got := strings.Count(text(r), "TOOL_INVALID"); got != 2 {
		t.Errorf("%d problems, want 2\n%s", got, text(r))
	}
}

func TestSkips(t *testing.T) {
	declarative := plugin(t, "good", map[string]any{"runtime": nil})
	otherSystem := plugin(t, "good", map[string]any{"platforms": []string{"plan9"}})
	for name, c := range map[string]struct {
		options contract.Options
		stages  string
		reason  string
	}{
		"no runtime":     {contract.Options{Package: declarative}, "package:pass handshake:skip lifecycle:skip tools:skip", "declares no runtime"},
		"other platform": {contract.Options{Package: otherSystem}, "package:pass handshake:skip lifecycle:skip tools:skip", "plan9"},
		"no tools":       {contract.Options{Package: plugin(t, "toolless", nil)}, "package:pass handshake:pass lifecycle:pass tools:skip", "declares no tools"},
	} {
		r := run(t, c.options)
		if !r.OK || stages(r) != c.stages || !strings.Contains(text(r), c.reason) {
			t.Errorf("%s: %s\n%s", name, stages(r), text(r))
		}
	}
}

func TestBadPackageIsNotRun(t *testing.T) {
	finding := diag.Finding{
		Code: "MANIFEST_ID", Severity: diag.Error, File: "plugin.json", Message: "id is missing", Hint: "add one",
		Start: diag.Pos{Line: 3, ColChar: 5},
	}
	warning := diag.Finding{Code: "W", Severity: diag.Warning, Message: "odd"}
	const want = "package:fail handshake:skip lifecycle:skip tools:skip"
	r := run(t, contract.Options{Findings: []diag.Finding{finding}})
	c := check(t, r, "package.MANIFEST_ID")
	if r.OK || stages(r) != want || c.Message != "plugin.json:3:5: id is missing" || c.Hint != "add one" {
		t.Errorf("%s %+v", stages(r), c)
	}
	if r := run(t, contract.Options{}); r.OK || stages(r) != want {
		t.Errorf("no package: %s", stages(r))
	}
	r = run(t, contract.Options{Package: plugin(t, "toolless", nil), Findings: []diag.Finding{warning}})
	if c := check(t, r, "package.findings"); !r.OK || !strings.Contains(c.Message, "1 warning") {
		t.Errorf("warnings: %+v", c)
	}
}

func TestCommandThatIsMissing(t *testing.T) {
	r := run(t, contract.Options{Package: plugin(t, "good", map[string]any{
		"runtime": map[string]any{"protocol": "wuu-plugin-v1", "command": "no-such-command-here"},
	})})
	c := check(t, r, "handshake.start")
	if r.OK || c.Status != contract.Fail || !strings.Contains(c.Message, "no-such-command-here") || c.Hint == "" {
		t.Errorf("%+v", c)
	}
}

func TestEndOfContext(t *testing.T) {
	reason := errors.New("the user left")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(reason)
	if _, err := contract.Run(ctx, contract.Options{Package: plugin(t, "good", nil)}); !errors.Is(err, reason) {
		t.Errorf("got %v", err)
	}
}

func TestRuntimeWithoutSDK(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("node is not installed")
	}
	dir := filepath.Join("..", "..", "testdata", "plugins", "plain-node")
	r := run(t, contract.Options{Package: open(t, dir), Cases: []string{filepath.Join(dir, "tests", "plain-node.wuu.yaml")}})
	check(t, r, "tools.greet/greets by name")
	if !r.OK || stages(r) != allPass {
		t.Error(text(r))
	}
}
