package term_test

import (
	"testing"
	"time"

	"github.com/wuu-plugins/wuu/internal/term"
)

func TestColorModes(t *testing.T) {
	env := func(vars map[string]string) func(string) string {
		return func(k string) string { return vars[k] }
	}
	for _, c := range []struct {
		name, mode string
		tty        bool
		env        map[string]string
		want       string
	}{
		{"auto on a terminal", "auto", true, nil, "\x1b[31mx\x1b[0m"},
		{"auto in a pipe", "auto", false, nil, "x"},
		{"auto with NO_COLOR", "auto", true, map[string]string{"NO_COLOR": "1"}, "x"},
		{"auto on a dumb terminal", "auto", true, map[string]string{"TERM": "dumb"}, "x"},
		{"always in a pipe", "always", false, nil, "\x1b[31mx\x1b[0m"},
		{"never on a terminal", "never", true, nil, "x"},
	} {
		io, _, _, _ := term.Test()
		io.OutTTY = c.tty
		if err := io.SetColor(c.mode, env(c.env)); err != nil {
			t.Fatal(err)
		}
		if got := io.OutStyle().Red("x"); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	io, _, _, _ := term.Test()
	if err := io.SetColor("sometimes", env(nil)); err == nil {
		t.Error("an unknown mode was accepted")
	}
}

func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		"plain ünï":         "plain ünï",
		"two\nlines":        `two\u000alines`,
		"\x1b[31mred":       `\u001b[31mred`,
		"a\u202eb\u200bc":   `a\u202eb\u200bc`,
		"\ufeffbom\u2028ls": `\ufeffbom\u2028ls`,
	} {
		if got := term.Clean(in); got != want {
			t.Errorf("Clean(%q) = %q, want %q", in, got, want)
		}
	}
	if got := term.CleanLines("a\n\tb\r"); got != "a\n\tb\\u000d" {
		t.Errorf("CleanLines: %q", got)
	}
}

func TestConfirmAndStatus(t *testing.T) {
	for answer, want := range map[string]bool{"y\n": true, "YES\n": true, "n\n": false, "\n": false, "yep\n": false} {
		io, in, _, _ := term.Test()
		in.WriteString(answer + "rest")
		got, err := io.Confirm(t.Context(), "Go on?")
		if err != nil || got != want {
			t.Errorf("%q: %v, %v", answer, got, err)
		}
		if in.String() != "rest" {
			t.Errorf("%q: the answer took %q too", answer, in.String())
		}
	}
	io, _, _, errOut := term.Test()
	io.Status().Show("working")
	if errOut.Len() != 0 {
		t.Errorf("a status line in a pipe: %q", errOut)
	}
}

func TestUnits(t *testing.T) {
	for n, want := range map[int64]string{0: "0 B", 999: "999 B", 1234: "1.2 kB", 5_600_000: "5.6 MB"} {
		if got := term.Size(n); got != want {
			t.Errorf("Size(%d) = %q, want %q", n, got, want)
		}
	}
	for d, want := range map[time.Duration]string{42 * time.Millisecond: "42 ms", 12500 * time.Millisecond: "12.5 s"} {
		if got := term.Duration(d); got != want {
			t.Errorf("Duration(%v) = %q, want %q", d, got, want)
		}
	}
}
