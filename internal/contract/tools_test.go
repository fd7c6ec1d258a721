package contract_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/wuu-plugins/wuu/internal/contract"
)

func TestTools(t *testing.T) {
	r := run(t, contract.Options{Package: plugin(t, "good", nil), Timeout: 2 * time.Second, Cases: []string{caseFile(t, `# cases of all kinds
cases:
  - name: exact
    tool: hello
    arguments: { name: Ada }
    expect: { text: "Hello, Ada!\nHow do you do?" }
  - { name: part, tool: hello, arguments: { name: Ada }, expect: { contains: "Ada!" } }
  - { name: pattern, tool: hello, arguments: { name: Ada }, expect: { matches: "^Hello, \\w+!" } }
  - { name: nothing asked, tool: hello }
  - { name: error result, tool: fail, expect: { is_error: true, contains: such } }
  - { name: thrown error, tool: throw, expect: { is_error: true, text: it broke } }
  - name: wrong text
    tool: hello
    arguments: { name: Ada }
    expect: { text: "Good day" }
  - { name: wrong part, tool: hello, expect: { contains: Bob } }
  - { name: wrong pattern, tool: hello, expect: { matches: "^Bye" } }
  - { name: error not expected, tool: fail }
  - { name: throw not expected, tool: throw }
  - { name: success not expected, tool: hello, expect: { is_error: true } }
  - { name: no such tool, tool: helo }
  - { name: crashes, tool: crash }
  - { name: after the crash, tool: hello, expect: { contains: Hello } }
  - { name: too slow, tool: slow }
`)}})
	if r.OK {
		t.Error("passes")
	}
	for id, want := range map[string]string{
		"hello/exact":         "",
		"hello/part":          "",
		"hello/pattern":       "",
		"hello/nothing asked": "",
		"fail/error result":   "",
		"throw/thrown error":  "",
		// Each failure names the line of its case.
		"hello/wrong text":           "demo.wuu.yaml:12: the text differs\nwant \"Good day\"\ngot  \"Hello, Ada!\\nHow do you do?\"",
		"hello/wrong part":           "the text lacks a part\nwant \"Bob\"",
		"hello/wrong pattern":        "the text does not match\nwant /^Bye/",
		"fail/error not expected":    `the tool answered with an error: "no such person"`,
		"throw/throw not expected":   `the tool answered with an error: "it broke"`,
		"hello/success not expected": "the tool succeeded where an error was expected",
		"helo/no such tool":          `the plugin declares no tool "helo"`,
		"crash/crashes":              "PROCESS_EXITED",
		"hello/after the crash":      "",
		"slow/too slow":              "TIMEOUT",
	} {
		c := check(t, r, "tools."+id)
		if want == "" {
			if c.Status != contract.Pass {
				t.Errorf("%s: %+v", id, c)
			}
			continue
		}
		if c.Status != contract.Fail || !strings.Contains(c.Message, want) {
			t.Errorf("%s: %s %q, want %q", id, c.Status, c.Message, want)
		}
		if c.Hint == "" {
			t.Errorf("%s: no hint", id)
		}
		if len(c.Frames) == 0 && id != "helo/no such tool" {
			t.Errorf("%s: no frames", id)
		}
	}
	wrong := check(t, r, "tools.hello/wrong text")
	if f := wrong.Frames; len(f) != 2 || f[0].Direction != "to_plugin" || !strings.Contains(f[1].Line, "Hello, Ada!") {
		t.Errorf("frames of the one call alone: %+v", f)
	}
	if !strings.Contains(strings.Join(wrong.Log, "\n"), "greeting Ada") {
		t.Errorf("stderr: %q", wrong.Log)
	}
	if c := check(t, r, "tools.idle"); c.Status != contract.Skip {
		t.Errorf("idle: %+v", c)
	}
}

func TestCrashWithoutRecoverySkipsTheRest(t *testing.T) {
	r := run(t, contract.Options{Package: plugin(t, "dies", nil), Cases: []string{caseFile(t, `
cases:
  - { name: first, tool: hello }
  - { name: second, tool: hello }
`)}})
	if c := check(t, r, "tools.hello/first"); c.Status != contract.Fail {
		t.Errorf("first: %+v", c)
	}
	if c := check(t, r, "tools.hello/second"); c.Status != contract.Skip || !strings.Contains(c.Message, "does not start again") {
		t.Errorf("second: %+v", c)
	}
}

func TestReportAsJSON(t *testing.T) {
	r := run(t, contract.Options{Package: plugin(t, "noisy", nil)})
	raw, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		OK     *bool
		Stages []struct {
			Name, Status string
			Checks       []struct {
				ID, Status, Message string
				Frames              []struct{ Direction, Line string }
			}
		}
	}
	if err := json.Unmarshal(raw, &doc); err != nil {
		t.Fatal(err)
	}
	if doc.OK == nil || *doc.OK || len(doc.Stages) != 4 || doc.Stages[1].Name != "handshake" || doc.Stages[1].Status != "fail" {
		t.Errorf("%s", raw)
	}
	frames := doc.Stages[1].Checks[len(doc.Stages[1].Checks)-1].Frames
	if len(frames) == 0 || frames[len(frames)-1].Line != "just saying" || frames[len(frames)-1].Direction != "to_host" {
		t.Errorf("frames %+v", frames)
	}
}

func TestText(t *testing.T) {
	r := &contract.Report{Stages: []contract.Stage{
		{Name: "handshake", Status: contract.Pass, Checks: []contract.Check{{ID: "handshake.start", Status: contract.Pass, Message: "the process started"}}},
		{Name: "tools", Status: contract.Fail, Checks: []contract.Check{
			{
				ID: "tools.greet/polite", Status: contract.Fail, Message: "the text differs\nwant \"a\"\ngot  \"\x1b[2J\"", Hint: "change the tool",
				Frames: []contract.Frame{{Direction: "to_plugin", Line: `{"id":"4"}`}, {Direction: "to_host", Line: "\x1b[2J"}},
				Log:    []string{"[demo] hi"},
			},
			{ID: "tools.idle", Status: contract.Skip, Message: "no case calls this tool"},
		}},
	}}
	want := `Contract broken: 1 passed, 1 failed, 1 skipped
handshake
  pass  start: the process started
tools
  fail  greet/polite: the text differs
        want "a"
        got  "\u001b[2J"
        -> {"id":"4"}
        <- \u001b[2J
        log [demo] hi
        hint: change the tool
  skip  idle: no case calls this tool
`
	if got := text(r); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
