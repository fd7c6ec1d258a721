package main_test

import (
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/wuu-plugins/wuu/internal/procgroup"
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

// endCmd interrupts a spawned command (with "twice", once more; with "wait",
// not at all), waits for it and checks its exit code.
func endCmd(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: end name code [wait|twice]")
	}
	how := strings.Join(args[2:], "")
	cmd := ts.Value(spawnKey{}).(map[string]*exec.Cmd)[args[0]]
	want, err := strconv.Atoi(args[1])
	ts.Check(err)
	if how != "wait" {
		ts.Check(cmd.Process.Signal(os.Interrupt))
	}
	if how == "twice" {
		time.Sleep(100 * time.Millisecond) // as a person would
		ts.Check(cmd.Process.Signal(os.Interrupt))
	}
	late := time.AfterFunc(30*time.Second, func() { cmd.Process.Kill() })
	defer late.Stop()
	cmd.Wait()
	if got := cmd.ProcessState.ExitCode(); got != want {
		ts.Fatalf("%s ended with %d, want %d", args[0], got, want)
	}
}

// goneCmd waits until none of the processes whose ids stand in a file lives,
// at most 3 s.
func goneCmd(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: gone pidfile")
	}
	data, err := os.ReadFile(ts.MkAbs(args[0]))
	ts.Check(err)
	pids := strings.Fields(string(data))
	if len(pids) == 0 {
		ts.Fatalf("%s names no process", args[0])
	}
	var alive []string
	for end := time.Now().Add(3 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		alive = alive[:0]
		for _, text := range pids {
			pid, err := strconv.Atoi(text)
			ts.Check(err)
			// A zombie waits for its parent only, which may be a lazy process 1.
			if start, err := procgroup.StartTime(pid); err == nil && procgroup.Alive(pid, start) {
				alive = append(alive, text)
			}
		}
		if len(alive) == 0 {
			return
		}
	}
	ts.Fatalf("still there after 3 s: %v", alive)
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
