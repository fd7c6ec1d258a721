package main_test

import (
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

type spawnKey struct{}

// spawnCmd runs a command in the background with stdout and stderr in a file,
// so that a script can wait for what it says (seen) and end it (end).
func spawnCmd(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: spawn name outfile command args...")
	}
	out, err := os.Create(ts.MkAbs(args[1]))
	ts.Check(err)
	cmd := exec.Command(args[2], args[3:]...)
	cmd.Dir, cmd.Env = ts.Getenv("WORK"), environ(ts)
	cmd.Stdout, cmd.Stderr = out, out
	ts.Check(cmd.Start())
	ts.Value(spawnKey{}).(map[string]*exec.Cmd)[args[0]] = cmd
	ts.Defer(func() {
		cmd.Process.Kill()
		cmd.Wait()
		out.Close()
	})
}

// endCmd interrupts a spawned command (or, with "wait", only waits for it)
// and checks its exit code.
func endCmd(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: end name code [wait]")
	}
	cmd := ts.Value(spawnKey{}).(map[string]*exec.Cmd)[args[0]]
	want, err := strconv.Atoi(args[1])
	ts.Check(err)
	if len(args) == 2 {
		ts.Check(cmd.Process.Signal(os.Interrupt))
	}
	late := time.AfterFunc(30*time.Second, func() { cmd.Process.Kill() })
	defer late.Stop()
	cmd.Wait()
	if got := cmd.ProcessState.ExitCode(); got != want {
		ts.Fatalf("%s ended with %d, want %d", args[0], got, want)
	}
}

// seenCmd waits until a file matches.
func seenCmd(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: seen regexp file")
	}
	want, err := regexp.Compile(args[0])
	ts.Check(err)
	var data []byte
	for end := time.Now().Add(60 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if data, _ = os.ReadFile(ts.MkAbs(args[1])); want.Match(data) {
			return
		}
	}
	ts.Fatalf("no match for %q in:\n%s", args[0], data)
}
