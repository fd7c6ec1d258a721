package procgroup_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/procgroup"
)

func start(t *testing.T, name string, stdin, stdout *os.File) *procgroup.Group {
	t.Helper()
	argv, env := role(name)
	g, err := procgroup.Start(procgroup.Command{Argv: argv, Env: env, Stdin: stdin, Stdout: stdout})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := g.Kill(); err != nil {
			t.Error(err)
		}
		<-g.Done()
	})
	return g
}

// startFamily starts a leader with a child and returns the child as it is told
// apart from later processes with its pid.
func startFamily(t *testing.T, name string) (g *procgroup.Group, child int, born string) {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	t.Cleanup(func() { r.Close() })
	g = start(t, name, nil, w)
	line, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	child, err = strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		t.Fatal(err)
	}
	born, err = procgroup.StartTime(child)
	if err != nil && name == "parent" {
		t.Fatal(err)
	}
	return g, child, born
}

func TestEndingTheGroupEndsTheChild(t *testing.T) {
	for name, end := range map[string]func(*procgroup.Group) error{
		"kill":      (*procgroup.Group).Kill,
		"terminate": (*procgroup.Group).Terminate,
		"end": func(g *procgroup.Group) error {
			_, err := g.End(context.Background(), time.Minute)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			g, child, born := startFamily(t, "parent")
			if !procgroup.Alive(child, born) {
				t.Fatal("the child does not run")
			}
			if err := end(g); err != nil {
				t.Fatal(err)
			}
			<-g.Done()
			if procgroup.Alive(child, born) {
				t.Error("the child is alive")
			}
			if g.State().Success() {
				t.Errorf("state %v", g.State())
			}
			if err := g.Kill(); err != nil {
				t.Errorf("a group that is gone: %v", err)
			}
		})
	}
}

func TestWhatTheLeaderLeavesIsKilled(t *testing.T) {
	g, child, born := startFamily(t, "orphan")
	<-g.Done()
	if born != "" && procgroup.Alive(child, born) {
		t.Error("the child is alive")
	}
	if !g.State().Success() || g.Err() != nil {
		t.Errorf("state %v, %v", g.State(), g.Err())
	}
	if !g.Leftover() {
		t.Error("the child is not reported")
	}
}

func TestCleanExitLeavesNothing(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	g := start(t, "stdin", r, nil)
	r.Close()
	w.Close() // the end of stdin
	<-g.Done()
	if !g.State().Success() || g.Leftover() || g.Err() != nil {
		t.Errorf("state %v, leftover %t, %v", g.State(), g.Leftover(), g.Err())
	}
}

func TestEndKillsAfterTheContext(t *testing.T) {
	g, _, _ := startFamily(t, "parent")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := g.End(ctx, time.Hour); err != nil {
		t.Error(err)
	}
	select {
	case <-g.Done():
	default:
		t.Error("End returned before the group was gone")
	}
}

func TestStartErrors(t *testing.T) {
	for _, argv := range [][]string{nil, {"no-such-command-here"}, {"./no-such-file"}} {
		_, err := procgroup.Start(procgroup.Command{Argv: argv, Dir: t.TempDir()})
		var f *fault.Error
		if !errors.As(err, &f) {
			t.Errorf("%q: got %v", argv, err)
		}
	}
}

func TestRun(t *testing.T) {
	argv, env := role("exit")
	var out, errOut bytes.Buffer
	err := procgroup.Run(t.Context(), procgroup.Command{Argv: argv, Env: env}, &out, &errOut)
	var exit *procgroup.ExitError
	if !errors.As(err, &exit) || exit.State.ExitCode() != 5 {
		t.Errorf("got %v", err)
	}
	if out.String() != "out\n" || errOut.String() != "err\n" {
		t.Errorf("out %q, err %q", &out, &errOut)
	}
	var both bytes.Buffer // one writer for both streams must not be written to by two
	if err := procgroup.Run(t.Context(), procgroup.Command{Argv: argv, Env: env}, &both, &both); !errors.As(err, &exit) {
		t.Errorf("got %v", err)
	}
	if got := both.String(); got != "out\nerr\n" {
		t.Errorf("both %q", got)
	}
	argv, env = role("stdin")
	if err := procgroup.Run(t.Context(), procgroup.Command{Argv: argv, Env: env}, nil, nil); err != nil {
		t.Error(err)
	}
}

// firstLine signals the first write.
type firstLine struct{ c chan string }

func (f firstLine) Write(b []byte) (int, error) {
	f.c <- string(b)
	return len(b), nil
}

func TestRunEndsTheGroupWithItsContext(t *testing.T) {
	argv, env := role("parent")
	reason := errors.New("edited again")
	ctx, cancel := context.WithCancelCause(t.Context())
	started := firstLine{make(chan string, 1)}
	done := make(chan error, 1)
	go func() { done <- procgroup.Run(ctx, procgroup.Command{Argv: argv, Env: env}, started, nil) }()
	child, err := strconv.Atoi(strings.TrimSpace(<-started.c))
	if err != nil {
		t.Fatal(err)
	}
	born, err := procgroup.StartTime(child)
	if err != nil {
		t.Fatal(err)
	}
	cancel(reason)
	if err := <-done; !errors.Is(err, reason) {
		t.Errorf("got %v", err)
	}
	if procgroup.Alive(child, born) {
		t.Error("the child is alive")
	}
	if err := procgroup.Run(ctx, procgroup.Command{Argv: argv, Env: env}, nil, nil); !errors.Is(err, reason) {
		t.Errorf("after the end of its context: %v", err)
	}
}

func TestShell(t *testing.T) {
	var out bytes.Buffer
	line := `echo "a b" && exit 3`
	err := procgroup.Run(t.Context(), procgroup.Shell(line, t.TempDir(), os.Environ()), &out, &out)
	var exit *procgroup.ExitError
	if !errors.As(err, &exit) || exit.State.ExitCode() != 3 || !strings.Contains(out.String(), "a b") {
		t.Errorf("got %v, %q", err, &out)
	}
}

func TestAlive(t *testing.T) {
	self, err := procgroup.StartTime(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	if !procgroup.Alive(os.Getpid(), self) {
		t.Error("this process is alive")
	}
	if procgroup.Alive(os.Getpid(), self+"0") {
		t.Error("another start time must be another process")
	}
	for _, pid := range []int{0, -1} {
		if procgroup.Alive(pid, self) {
			t.Errorf("pid %d is alive", pid)
		}
	}
	g := start(t, "sleep", nil, nil)
	born, err := procgroup.StartTime(g.PID())
	if err != nil {
		t.Fatal(err)
	}
	if err := g.Kill(); err != nil {
		t.Fatal(err)
	}
	<-g.Done()
	if procgroup.Alive(g.PID(), born) {
		t.Error("a process that ended is alive")
	}
}
