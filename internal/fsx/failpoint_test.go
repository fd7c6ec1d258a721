//go:build failpoint

package fsx

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestMain lets the test binary be the process that breaks: it replaces the
// file named by the variable, and says what came of it.
func TestMain(m *testing.M) {
	path := os.Getenv("FSX_TEST_WRITE")
	if path == "" {
		os.Exit(m.Run())
	}
	if err := WriteFile(path, []byte("new content"), 0o600); err != nil {
		os.Stdout.WriteString(err.Error())
		os.Exit(1)
	}
	os.Exit(0)
}

// steps are the operations of one WriteFile.
var steps = []string{"create", "write", "chmod", "fsync", "rename", "fsync"}

func TestBreaks(t *testing.T) {
	for _, mode := range []string{"kill", "after", "torn", "enospc", "eio", "full"} {
		for n := 1; n <= len(steps)+1; n++ {
			dir := t.TempDir()
			path, log := filepath.Join(dir, "f"), filepath.Join(dir, "log")
			if err := os.WriteFile(path, []byte("old"), 0o600); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), "FSX_TEST_WRITE="+path, failpointLogVar+"="+log, failpointVar+"="+mode+":"+string(rune('0'+n)))
			out, err := cmd.CombinedOutput()
			content, _ := os.ReadFile(path)
			logged, _ := os.ReadFile(log)
			check(t, mode, n, err, string(out), string(content), ops(string(logged)))
		}
	}
}

func ops(log string) (ops []string) {
	for line := range strings.Lines(log) {
		op, _, _ := strings.Cut(line, " ")
		ops = append(ops, op)
	}
	return ops
}

func check(t *testing.T, mode string, n int, err error, out, content string, seen []string) {
	t.Helper()
	var exit *exec.ExitError
	code := 0
	if errors.As(err, &exit) {
		code = exit.ExitCode()
	}
	renamed := n > 5 || mode == "after" && n == 5
	if want := map[bool]string{true: "new content", false: "old"}[renamed]; mode != "full" && content != want {
		t.Errorf("%s:%d: the file holds %q, want %q", mode, n, content, want)
	}
	switch {
	case n > len(steps) || mode == "full" && n > 2:
		if code != 0 || len(seen) != len(steps) {
			t.Errorf("%s:%d: exit %d after %v", mode, n, code, seen)
		}
	case mode == "enospc", mode == "eio", mode == "full":
		want := map[string]error{"enospc": syscall.ENOSPC, "full": syscall.ENOSPC, "eio": syscall.EIO}[mode]
		if code != 1 || !strings.Contains(out, want.Error()) {
			t.Errorf("%s:%d: exit %d, %q", mode, n, code, out)
		}
	default:
		if code != -1 || len(seen) != n || strings.Join(seen, " ") != strings.Join(steps[:n], " ") {
			t.Errorf("%s:%d: exit %d after %v", mode, n, code, seen)
		}
	}
}
