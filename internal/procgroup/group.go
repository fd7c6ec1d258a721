// Package procgroup starts commands in a process group of their own (a job
// object on Windows) and ends such a group as a whole, grandchildren included.
package procgroup

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"time"

	"github.com/wuu-plugins/wuu/internal/fault"
)

// Command is what Start executes. Files are handed over as they are: Start
// copies nothing, and the caller closes its own ends.
type Command struct {
	Argv   []string // Argv[0] as for LookPath
	Env    []string // the whole environment; nil is an empty one
	Dir    string
	Stdin  *os.File // nil: the null device
	Stdout *os.File // nil: the null device
	Stderr *os.File // nil: the null device
	// RawArgs is, on Windows, the command line after Argv[0] as it stands,
	// for programs with quoting rules of their own (cmd).
	RawArgs string
}

// Group is a started command with everything that it starts, as far as that
// stays in the group.
type Group struct {
	cmd *exec.Cmd
	os  osGroup

	mu     sync.Mutex
	exited bool // the leader was waited for; its pid may name another process

	done     chan struct{}
	state    *os.ProcessState
	leftover bool
	err      error
}

// Start runs c. A command that cannot be found is a *fault.Error with code
// COMMAND_NOT_FOUND. On Linux the leader is killed when this process dies, on
// Windows the whole group; elsewhere the end of stdin has to tell.
func Start(c Command) (*Group, error) {
	if len(c.Argv) == 0 {
		return nil, fault.New(fault.Usage, "COMMAND_EMPTY", "", "the command is empty")
	}
	path, err := LookPath(c.Argv[0], c.Dir, c.Env)
	if err != nil {
		return nil, err
	}
	cmd := &exec.Cmd{Path: path, Args: c.Argv, Env: c.Env, Dir: c.Dir}
	if cmd.Env == nil {
		cmd.Env = []string{}
	}
	// A nil *os.File must not become a non-nil interface.
	if c.Stdin != nil {
		cmd.Stdin = c.Stdin
	}
	if c.Stdout != nil {
		cmd.Stdout = c.Stdout
	}
	if c.Stderr != nil {
		cmd.Stderr = c.Stderr
	}
	g := &Group{cmd: cmd, done: make(chan struct{})}
	started := make(chan error, 1)
	go g.run(c, started)
	if err := <-started; err != nil {
		return nil, fault.New(fault.Plugin, "COMMAND_FAILED", c.Argv[0], "start: %w", err)
	}
	return g, nil
}

// run starts the leader and waits for it on one locked thread: the parent
// death signal of Linux is bound to the thread that forked, so that thread must
// live as long as the leader.
func (g *Group) run(c Command, started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := g.os.start(g.cmd, c.RawArgs); err != nil {
		started <- err
		return
	}
	started <- nil
	defer close(g.done)
	defer g.os.close()
	state, err := g.cmd.Process.Wait()
	g.mu.Lock()
	g.exited = true
	g.mu.Unlock()
	g.state = state
	if err != nil {
		g.err = fmt.Errorf("wait for process %d: %w", g.PID(), err)
	}
	left, err := g.os.endRest(g.PID())
	g.leftover = left
	g.err = errors.Join(g.err, err)
}

// PID is the process id of the leader, which is the id of the group on Unix.
func (g *Group) PID() int { return g.cmd.Process.Pid }

// Done is closed when the leader has exited and no process of the group is
// left: what the leader leaves behind is killed at once.
func (g *Group) Done() <-chan struct{} { return g.done }

// State is the leader's exit state; call it after Done.
func (g *Group) State() *os.ProcessState { return g.state }

// Leftover reports, after Done, whether the leader left processes of its group
// behind that had to be killed.
func (g *Group) Leftover() bool { return g.leftover }

// Err says, after Done, why the group could not be ended; nil is the rule.
func (g *Group) Err() error { return g.err }

// Terminate asks every process of the group to end: SIGTERM on Unix. Windows
// knows no such request for a process without a console, so that it kills.
func (g *Group) Terminate() error { return g.signal(g.os.terminate) }

// Kill ends every process of the group at once, and on Linux also the
// descendants that have made a group of their own: what must be killed can
// clean up no more after itself.
func (g *Group) Kill() error { return g.signal(g.os.kill) }

// signal does nothing once the leader was waited for: endRest has the rest.
func (g *Group) signal(send func(pid int) error) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.exited {
		return nil
	}
	return send(g.PID())
}

// End terminates the group, kills it when it has not gone after grace or when
// ctx ends, and returns once it is gone. killed reports whether it had to kill.
func (g *Group) End(ctx context.Context, grace time.Duration) (killed bool, err error) {
	err = g.Terminate()
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case <-g.done:
		return false, errors.Join(err, g.err)
	case <-timer.C:
	case <-ctx.Done():
	}
	err = errors.Join(err, g.Kill())
	<-g.done
	return true, errors.Join(err, g.err)
}
