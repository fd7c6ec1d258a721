package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/term"
)

// testApp is an App over buffers, in a folder and a home of its own.
func testApp(t *testing.T) (a *App, out, errOut *bytes.Buffer) {
	t.Helper()
	streams, _, out, errOut := term.Test()
	home := t.TempDir()
	return &App{IO: streams, Dir: t.TempDir(), Now: time.Now, Getenv: func(k string) string {
		if k == "WUU_HOME" {
			return home
		}
		return os.Getenv(k)
	}}, out, errOut
}

func commands(cmd *cobra.Command) []*cobra.Command {
	list := []*cobra.Command{cmd}
	for _, child := range cmd.Commands() {
		list = append(list, commands(child)...)
	}
	return list
}

// TestEveryCommandHasHelp keeps the promise of --help with an example.
func TestEveryCommandHasHelp(t *testing.T) {
	a, _, _ := testApp(t)
	all := commands(newRootCmd(a))
	if len(all) < 25 {
		t.Fatalf("only %d commands", len(all))
	}
	for _, cmd := range all {
		if cmd.Name() == "help" {
			continue
		}
		if cmd.Short == "" || !strings.Contains(cmd.Example, "wuu ") {
			t.Errorf("%s: has no short text or no example", cmd.CommandPath())
		}
		if strings.HasSuffix(cmd.Short, ".") {
			t.Errorf("%s: short text %q ends with a dot", cmd.CommandPath(), cmd.Short)
		}
	}
}

func TestReferenceIsCurrent(t *testing.T) {
	want, err := os.ReadFile("../../docs/reference.md")
	if err != nil {
		t.Fatal(err)
	}
	var got bytes.Buffer
	if err := WriteReference(&got); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got.Bytes(), want) {
		t.Error("docs/reference.md is stale: run make docs")
	}
}

func TestJoinPoll(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"dev --poll", "dev --poll"},
		{"dev --poll hello", "dev --poll hello"},
		{"dev --poll 500ms hello", "dev --poll=500ms hello"},
		{"dev --poll=500ms hello", "dev --poll=500ms hello"},
		{"dev --poll -5s", "dev --poll=-5s"},
		{"dev -- --poll 5s", "dev -- --poll 5s"},
	} {
		if got := strings.Join(joinPoll(strings.Fields(c.in)), " "); got != c.want {
			t.Errorf("%s: %s, want %s", c.in, got, c.want)
		}
	}
}

// TestPollSpellings follows the flag to the option, in all its spellings.
func TestPollSpellings(t *testing.T) {
	for _, c := range []struct {
		args, env string
		want      time.Duration
		path      string
	}{
		{"hello --poll", "", 2 * time.Second, "hello"},
		{"--poll hello", "", 2 * time.Second, "hello"},
		{"hello --poll 500ms", "", 500 * time.Millisecond, "hello"},
		{"--poll=500ms hello", "", 500 * time.Millisecond, "hello"},
		{"hello", "", 0, "hello"},
		{"", "250", 250 * time.Millisecond, "."},
		{"--poll=1s", "250", time.Second, "."},
	} {
		a, _, _ := testApp(t)
		a.config.DevPoll = 0
		if c.env != "" {
			a.config.DevPoll = 250 * time.Millisecond
		}
		var got devOptions
		cmd := newDevCmd(a, func(_ context.Context, o *devOptions) error { got = *o; return nil })
		cmd.SetArgs(joinPoll(strings.Fields(c.args)))
		if err := cmd.Execute(); err != nil {
			t.Errorf("%q: %v", c.args, err)
		}
		if got.Poll != c.want || got.Path != c.path {
			t.Errorf("%q: poll %v of %s, want %v of %s", c.args, got.Poll, got.Path, c.want, c.path)
		}
	}
}

// TestOneDocument runs wrong and right commands with --json: stdout is always
// exactly one JSON object with "schema": 1.
func TestOneDocument(t *testing.T) {
	for _, line := range []string{
		"version --json", "--version --json", "--json", "plugin --json", "host --json", "exit-codes --json", "plugin list --json", "plugin hosts --json", "host stop --json",
		"plugin --json frobnicate", "frobnicate --json", "plugin install --json", "plugin install --json ./nowhere",
		"plugin call --json nobody tool", "plugin enable --json nobody", "plugin remove --json nobody", "plugin update --json nobody",
		"plugin dev --list --json", "plugin dev --revoke nobody --json", "plugin validate --json nowhere", "plugin test --json nowhere",
		"plugin build --json nowhere", "cache --json", "cache ls --json", "cache verify --json", "cache prune --json", "cache prune --json --max x", "plugin list --outdated --json", "plugin update --all --json", "plugin update --all --check --json", "plugin inspect --verify --json nobody", "plugin install --frozen --json npm:x@1.0.0",
		"plugin pack --json nowhere", "plugin inspect --json npm:x", "plugin reload --json nobody",
		"plugin list --json --color nope", "plugin create --json Bad!Name",
	} {
		a, out, errOut := testApp(t)
		a.Run(t.Context(), strings.Fields(line))
		var doc map[string]any
		dec := json.NewDecoder(bytes.NewReader(out.Bytes()))
		if err := dec.Decode(&doc); err != nil {
			t.Errorf("%s: %v\nstdout: %s\nstderr: %s", line, err, out, errOut)
			continue
		}
		if dec.More() || doc["schema"] != float64(1) {
			t.Errorf("%s: not one document with schema 1: %s", line, out)
		}
		if strings.Contains(errOut.String(), "panic") {
			t.Errorf("%s: %s", line, errOut)
		}
	}
}

// TestPanicIsADefect checks that even a panic ends with exit 9 and one document.
func TestPanicIsADefect(t *testing.T) {
	a, out, errOut := testApp(t)
	a.Now = nil
	a.Getenv = func(string) string { panic("boom") }
	if code := a.Run(t.Context(), []string{"plugin", "list", "--json"}); code != 9 {
		t.Errorf("exit %d, want 9", code)
	}
	if !json.Valid(out.Bytes()) || !strings.Contains(out.String(), `"DEFECT"`) {
		t.Errorf("stdout: %s", out)
	}
	if !strings.Contains(errOut.String(), "goroutine") {
		t.Errorf("the stack is not on stderr: %s", errOut)
	}
}

func TestSplitCall(t *testing.T) {
	tool, args, err := splitCall(`greet={"a":"b=c"}`)
	if err != nil || tool != "greet" || string(args) != `{"a":"b=c"}` {
		t.Errorf("%q %q %v", tool, args, err)
	}
	if _, _, err := splitCall("greet=nope"); err == nil {
		t.Error("bad JSON was accepted")
	}
}

// TestNegativeLimits: a limit that lies in the past is a slip of the keyboard.
func TestNegativeLimits(t *testing.T) {
	for _, line := range []string{"call hello greet --timeout -1s", "test hello --timeout=-1s", "reload hello --wait -5s"} {
		a, _, errOut := testApp(t)
		code := a.Run(t.Context(), append([]string{"plugin"}, strings.Fields(line)...))
		if code != 2 || !strings.Contains(errOut.String(), "not a negative one") {
			t.Errorf("%s: exit %d: %s", line, code, errOut)
		}
	}
}

func TestFlagsReachOptions(t *testing.T) {
	a, _, _ := testApp(t)
	var got installOptions
	cmd := newInstallCmd(a, func(_ context.Context, o *installOptions) error { got = *o; return nil })
	cmd.SetArgs([]string{"./x.zip", "--yes", "--accept-capabilities", "sha256-x", "--registry=https://r.example.com", "--dry-run", "--offline"})
	if err := cmd.Execute(); err != nil {
		t.Fatal(err)
	}
	if got.Spec != "./x.zip" || !got.Consent.Yes || got.Consent.Digest != "sha256-x" || !got.DryRun ||
		got.Source.Registry != "https://r.example.com" || !got.Source.Offline {
		t.Errorf("%+v", got)
	}
}

// TestConsentOnATerminal: a yes installs, a no changes nothing (exit 5), and
// the question says what the plugin may do and that it is not confined.
func TestConsentOnATerminal(t *testing.T) {
	a, _, errOut := testApp(t)
	if code := a.Run(t.Context(), []string{"plugin", "create", "hello"}); code != 0 {
		t.Fatalf("create: exit %d: %s", code, errOut)
	}
	for _, c := range []struct {
		answer, want string
		code         int
	}{{"n\n", "you said no", 5}, {"", "there was no answer", 5}, {"yes\n", "installed hello 0.1.0", 0}} {
		b := *a
		var out *bytes.Buffer
		b.IO, _, out, errOut = term.Test()
		b.IO.In, b.IO.InTTY, b.IO.ErrTTY = strings.NewReader(c.answer), true, true
		code := b.Run(t.Context(), []string{"plugin", "install", "./hello", "--color", "never"})
		if code != c.code || !strings.Contains(out.String()+errOut.String(), c.want) {
			t.Errorf("%q: exit %d, want %d with %q\n%s%s", c.answer, code, c.code, c.want, out, errOut)
		}
		for _, part := range []string{"process.spawn", "does not confine", "Trust and enable it? [y/N]"} {
			if !strings.Contains(errOut.String(), part) {
				t.Errorf("%q: the question lacks %q:\n%s", c.answer, part, errOut)
			}
		}
	}
}

// TestSignalWhileStdinIsRead: arguments that nobody types hold nothing up.
func TestSignalWhileStdinIsRead(t *testing.T) {
	a, _, errOut := testApp(t)
	never, hold := io.Pipe()
	defer hold.Close()
	a.IO.In = never
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(fault.Signal(fault.Interrupt))
	if code := a.Run(ctx, []string{"plugin", "call", "hello", "greet", "-"}); code != 130 {
		t.Errorf("exit %d: %s", code, errOut)
	}
}
