package main_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
)

// A failpoint run is one command that changes the home, broken at one of its
// operations (internal/fsx/failpoint.go) and looked at with the real wuu.

// commandRun is a command with the home that it starts from.
type commandRun struct {
	name   string
	before func(*rig, home) // fills an empty home
	args   func(*rig) []string
	again  int // exit code of the command once it has been done
}

func (r *rig) install(h home) { r.must(h, "install", "--yes", "npm:wuu-hello@1.0.0") }

func (r *rig) withDocuments(h home) {
	r.install(h)
	h.writeDocuments(r.t)
}

func commandRuns() []commandRun {
	words := func(args ...string) func(*rig) []string { return func(*rig) []string { return args } }
	return []commandRun{
		{"install", func(*rig, home) {}, words("install", "--yes", "npm:wuu-hello@1.0.0"), 0},
		{"install-folder", func(*rig, home) {}, func(r *rig) []string { return []string{"install", "--yes", r.folder} }, 0},
		{"update", (*rig).install, words("update", "--yes", "hello", "npm:wuu-hello@1.1.0"), 0},
		{"update-zip", (*rig).install, func(r *rig) []string { return []string{"update", "--yes", "hello", r.zip} }, 0},
		{"disable", (*rig).install, words("disable", "hello"), 0},
		{"enable", func(r *rig, h home) { r.install(h); r.must(h, "disable", "hello") }, words("enable", "hello"), 0},
		{"remove", (*rig).withDocuments, words("remove", "hello"), 2},
		{"purge", (*rig).withDocuments, words("remove", "--purge", "hello"), 2},
	}
}

// TestFailpoints kills install, update and remove at their operations, and
// makes the operations fail. WUU_FULL=1 takes every operation and every way;
// without it a sample runs: kills at each operation of the commit, and at the
// first and the last of each kind, where failures alternate. -short is the same
// for update alone.
func TestFailpoints(t *testing.T) {
	r := newRig(t)
	r.buildFailing()
	var commands, operations, broken atomic.Int64
	t.Run("runs", func(t *testing.T) {
		for _, run := range commandRuns() {
			switch {
			case isFull():
			case run.name == "enable", run.name == "remove", run.name == "install-folder", testing.Short() && run.name != "update":
				continue // the others do the same and more
			}
			t.Run(run.name, func(t *testing.T) {
				t.Parallel()
				s := r.study(t, run)
				commands.Add(1)
				operations.Add(int64(len(s.ops)))
				for _, mode := range []string{"kill", "after", "torn", "enospc", "eio", "full"} {
					for _, n := range s.sample(mode) {
						s.breakAt(t, mode, n)
						broken.Add(1)
					}
				}
				for _, n := range s.sampleTwice() {
					broken.Add(s.breakRepair(t, n))
				}
			})
		}
	})
	t.Logf("%d operations enumerated in %d commands, %d broken runs", operations.Load(), commands.Load(), broken.Load())
}

// study is what a command does to its home when nothing breaks.
type study struct {
	*rig
	run       commandRun
	from      home
	old, done string // what is installed, before and after
	ops       []string
}

func (r *rig) study(t *testing.T, run commandRun) *study {
	own := *r
	own.t = t
	s := &study{rig: &own, run: run, from: home(filepath.Join(t.TempDir(), "home"))}
	if err := os.Mkdir(string(s.from), 0o700); err != nil {
		t.Fatal(err)
	}
	run.before(s.rig, s.from)
	h, log := s.from.copy(t), filepath.Join(t.TempDir(), "log")
	s.old = h.installed(t)
	if out := s.broken(h, "WUU_FAILPOINT_LOG="+log); out.code != 0 {
		t.Fatalf("without a break: exit %d, %s", out.code, out.stderr)
	}
	s.done = h.installed(t)
	if s.old == s.done {
		t.Fatalf("the command changes nothing: %s", s.old)
	}
	b, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	s.ops = strings.Split(strings.TrimSpace(strings.ReplaceAll(string(b), string(h), "~")), "\n")
	t.Logf("%d operations:\n%s", len(s.ops), numbered(s.ops))
	if i := s.commit(); i < 0 || len(s.ops)-i < 8 {
		t.Fatalf("no commit among them")
	}
	return s
}

func numbered(ops []string) string {
	var b strings.Builder
	for i, op := range ops {
		fmt.Fprintf(&b, "%4d %s\n", i+1, op)
	}
	return b.String()
}

// commit is the index of the first operation of the commit.
func (s *study) commit() int {
	return slices.IndexFunc(s.ops, func(op string) bool { return strings.Contains(op, "journal.json") })
}

// sample picks the operations to break at, counted from 1.
func (s *study) sample(mode string) (picked []int) {
	first, last := map[string]int{}, map[string]int{}
	for i, line := range s.ops {
		op, _, _ := strings.Cut(line, " ")
		switch {
		case mode == "torn" && op != "write", mode == "full" && !slices.Contains([]string{"create", "mkdir", "write"}, op):
			continue
		case isFull(), mode == "kill" && i >= s.commit():
			picked = append(picked, i+1)
		}
		if last[op] = i + 1; first[op] == 0 {
			first[op] = i + 1
		}
	}
	for op := range first {
		if mode == "kill" || mode == "torn" || mode == "enospc" {
			picked = append(picked, first[op])
		}
		if mode == "kill" || mode == "after" || mode == "eio" || mode == "full" {
			picked = append(picked, last[op])
		}
	}
	slices.Sort(picked)
	return slices.Compact(picked)
}

func isFull() bool { return os.Getenv("WUU_FULL") == "1" }

// breakAt runs the command in a copy of the home, broken at operation n, and
// then what a person would do.
func (s *study) breakAt(t *testing.T, mode string, n int) {
	t.Helper()
	h := s.from.copy(t)
	defer os.RemoveAll(string(h))
	out := s.broken(h, fmt.Sprintf("WUU_FAILPOINT=%s:%d", mode, n))
	fail := func(format string, args ...any) {
		t.Helper()
		t.Errorf("%s:%d (%s): %s", mode, n, s.ops[n-1], fmt.Sprintf(format, args...))
	}
	left := h.leftovers(t)
	now := h.installed(t)
	if now != s.old && now != s.done {
		fail("half: %s", now)
	}
	s.checkList(fail, h, now)
	switch mode {
	case "kill", "after", "torn":
		// The operations of an upload or download come in other numbers each time.
		if !out.killed && n < len(s.ops)-3 {
			fail("not killed: exit %d, %s", out.code, out.stderr)
		}
	default:
		s.checkRefusal(fail, mode, n, h, out, now, left)
	}
	s.repair(fail, h, now, left)
	s.repeat(fail, h, now)
}

// sampleTwice picks the operations after which the repair is killed as well: of
// the commit, the moves of folders and what replaces the state file.
func (s *study) sampleTwice() (picked []int) {
	for i, line := range s.ops {
		moves := strings.HasPrefix(line, "rename ") || strings.HasPrefix(line, "exchange ")
		if i >= s.commit() && (isFull() || moves && s.run.name == "update") {
			picked = append(picked, i+1)
		}
	}
	return picked
}

// breakRepair kills the command behind operation n, and the command that
// repairs it at its first operation, a new one at its second, and so on, each
// time in what the ones before have left. It returns how many died.
func (s *study) breakRepair(t *testing.T, n int) (died int64) {
	t.Helper()
	h := s.from.copy(t)
	defer os.RemoveAll(string(h))
	s.broken(h, fmt.Sprintf("WUU_FAILPOINT=after:%d", n))
	now := h.installed(t)
	for m := 1; ; m++ {
		fail := func(format string, args ...any) {
			t.Helper()
			t.Errorf("after:%d (%s), repair killed at %d: %s", n, s.ops[n-1], m, fmt.Sprintf(format, args...))
		}
		died++
		out := s.start(s.failing, h, []string{"enable", "nobody"}, fmt.Sprintf("WUU_FAILPOINT=kill:%d", m))
		if got := h.installed(t); got != now {
			fail("%s became %s", now, got)
			return died
		}
		if !out.killed {
			s.repair(fail, h, now, h.leftovers(t))
			s.repeat(fail, h, now)
			return died
		}
	}
}

// checkRefusal looks at a command that had to do with a failing disk.
func (s *study) checkRefusal(fail func(string, ...any), mode string, n int, h home, out outcome, now string, left []string) {
	if out.killed {
		fail("it died: %s", out.stderr)
		return
	}
	// What could not be removed stays for the next command.
	if op, _, _ := strings.Cut(s.ops[n-1], " "); len(left) > 0 && op != "remove" {
		fail("exit %d, left behind: %v, %s", out.code, left, out.stderr)
	}
	if out.code == 0 {
		if now != s.done {
			fail("exit 0, and nothing was done")
		}
		h.checkEpoch(s.t, fail)
		return
	}
	word := map[string]string{"enospc": "no space left on device", "full": "no space left on device", "eio": "input/output error"}[mode]
	switch {
	case out.code != 2:
		fail("exit %d, want 2: %s", out.code, out.stderr)
	case now != s.old:
		fail("exit 2, and it was done all the same: %s", out.stderr)
	case !strings.Contains(out.stderr, word) || !strings.Contains(out.stderr, "\nhint: "):
		fail("the message does not say what and what to do: %s", out.stderr)
	}
}

// repair is the next command that changes the catalog: it says what it mended.
func (s *study) repair(fail func(string, ...any), h home, now string, left []string) {
	out := s.wuu(h, "enable", "nobody")
	if out.code != 2 || !strings.Contains(out.stderr, "is not installed") {
		fail("the next command: exit %d, %s", out.code, out.stderr)
	}
	said := strings.Count(out.stderr, "an earlier run was interrupted: ")
	if told := slices.ContainsFunc(left, tellable); told != (said > 0) {
		fail("%v were left behind, and it says: %s", left, out.stderr)
	}
	if again := h.leftovers(s.t); len(again) > 0 {
		fail("still there: %v", again)
	}
	if got := h.installed(s.t); got != now {
		fail("the repair made %s of %s", got, now)
	}
	h.checkFolders(s.t, fail)
	if s.run.name == "purge" {
		if kept, all := h.documents(s.t); kept != 0 && kept != all || (kept == 0) != (now == s.done) {
			fail("%d of %d documents are there", kept, all)
		}
	}
}

// repeat gives the same command once more.
func (s *study) repeat(fail func(string, ...any), h home, now string) {
	want := 0
	if now == s.done {
		want = s.run.again
	}
	out := s.wuu(h, s.run.args(s.rig)...)
	if got := h.installed(s.t); out.code != want || got != s.done {
		fail("once more: exit %d, %s; %s", out.code, got, out.stderr)
	}
	if strings.Contains(out.stderr, "interrupted") {
		fail("once more: it repairs again: %s", out.stderr)
	}
	if left := h.leftovers(s.t); len(left) > 0 {
		fail("once more: left behind: %v", left)
	}
	h.checkFolders(s.t, fail)
}

type outcome struct {
	code           int
	killed         bool
	stdout, stderr string
}

func (s *study) broken(h home, env ...string) outcome {
	return s.start(s.failing, h, s.run.args(s.rig), env...)
}

func (r *rig) wuu(h home, args ...string) outcome { return r.start(r.binary, h, args) }

func (r *rig) must(h home, args ...string) {
	r.t.Helper()
	if out := r.wuu(h, args...); out.code != 0 {
		r.t.Fatalf("%v: exit %d, %s", args, out.code, out.stderr)
	}
}

func (r *rig) start(binary string, h home, args []string, env ...string) outcome {
	r.t.Helper()
	cmd := exec.Command(binary, append([]string{"plugin"}, args...)...)
	cmd.Dir = r.work
	cmd.Env = slices.Concat(r.env, []string{"WUU_HOME=" + string(h)}, env)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if cmd.ProcessState == nil {
		r.t.Fatal(err)
	}
	code := cmd.ProcessState.ExitCode()
	return outcome{code, code < 0 || isWindowsKill(code), stdout.String(), stderr.String()}
}

// isWindowsKill: there, a killed process ends with 1, which no command here does.
func isWindowsKill(code int) bool { return filepath.Separator == '\\' && code == 1 }
