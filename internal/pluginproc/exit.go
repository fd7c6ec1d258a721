package pluginproc

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/protocol"
)

// drainLimit bounds how long output is read after the group is gone: only a
// process that left the group can still hold the pipe.
const drainLimit = time.Second

// supervise reads both streams, waits for the end of the group, and settles
// everything that waited for the process.
func (p *Proc) supervise(stdout, stderr *os.File) {
	frames, lines := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(frames)
		p.readFrames(stdout)
	}()
	go func() {
		defer close(lines)
		p.readStderr(stderr)
	}()
	<-p.group.Done()
	p.cancel()
	p.out.Close()
	closeAll(p.stdin)
	<-p.out.Done()
	late, cancel := context.WithTimeout(context.Background(), drainLimit)
	defer cancel()
	await(late, frames, stdout)
	await(late, lines, stderr)
	p.settle()
	close(p.done)
}

// await returns once stream is read to its end, or cut off when it is late.
func await(late context.Context, done <-chan struct{}, stream *os.File) {
	select {
	case <-done:
	case <-late.Done():
	}
	closeAll(stream)
	<-done
}

// settle decides what Err and the calls under way get.
func (p *Proc) settle() {
	if err := p.group.Err(); err != nil {
		p.note(err.Error())
	}
	exited := fault.New(fault.Plugin, "PROCESS_EXITED", p.spec.PluginID, "the process ended (%s)%s", p.status(), p.tail.text()).
		WithDetails(map[string]any{"exit_code": p.exitCode()})
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = exited
	if p.failure != nil {
		p.ended = p.failure
	}
	if p.failure != nil || !p.stopping {
		p.err = p.ended
	}
}

// status is the leader's exit status in words: "exit status 1",
// "signal: killed".
func (p *Proc) status() string {
	if p.group.State() == nil {
		return "status unknown"
	}
	return p.group.State().String()
}

// exitCode is the leader's, -1 after a signal.
func (p *Proc) exitCode() int {
	if p.group.State() == nil {
		return -1
	}
	return p.group.State().ExitCode()
}

// Shutdown asks the process to end: shutdown frame (2 s), stdin closed, grace,
// then the group is killed. It returns once the group is gone. An exit with
// status 0 is a success even without an answer; a kill, or another status
// without an answer, is the error SHUTDOWN_UNCONFIRMED: what the plugin had to
// clean up may not have been. An error reply is SHUTDOWN_FAILED. The end of ctx
// shortens the wait. A process that had already failed gives that reason again.
func (p *Proc) Shutdown(ctx context.Context) error {
	p.shutdown.Do(func() { p.shutdownErr = p.end(ctx) })
	return p.shutdownErr
}

func (p *Proc) end(ctx context.Context) error {
	p.mu.Lock()
	p.stopping = true
	p.mu.Unlock()
	answer := p.askShutdown(ctx)
	p.closeStdin(ctx)
	timer := time.NewTimer(p.spec.Grace)
	defer timer.Stop()
	killed := ""
	select {
	case <-p.done:
	case <-timer.C:
		killed = fmt.Sprintf("did not exit within %s after its stdin was closed, and was killed", p.spec.Grace)
	case <-ctx.Done():
		killed = "was killed, because the host could wait no longer"
	}
	if killed != "" {
		p.Fail(p.unconfirmed(answer, killed))
		<-p.done
	}
	if err := p.Err(); err != nil {
		return err
	}
	var refused *protocol.Error
	switch {
	case errors.As(answer, &refused):
		return fault.New(fault.Plugin, "SHUTDOWN_FAILED", p.spec.PluginID, "shutdown: %w", refused)
	case answer != nil && p.exitCode() != 0:
		return p.unconfirmed(answer, "ended with "+p.status())
	}
	return nil
}

func (p *Proc) askShutdown(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, shutdownLimit)
	defer cancel()
	return p.Call(ctx, protocol.MethodShutdown, nil, nil)
}

// closeStdin lets waiting frames out first, but not for long: a process that
// does not read would keep them for ever.
func (p *Proc) closeStdin(ctx context.Context) {
	p.out.Close()
	timer := time.NewTimer(p.spec.Grace)
	defer timer.Stop()
	select {
	case <-p.out.Done():
	case <-timer.C:
	case <-ctx.Done():
	}
	closeAll(p.stdin)
}

func (p *Proc) unconfirmed(answer error, what string) *fault.Error {
	how := "answered shutdown but"
	if answer != nil {
		how = "did not answer shutdown and"
	}
	return fault.New(fault.Plugin, "SHUTDOWN_UNCONFIRMED", p.spec.PluginID, "the process %s %s%s", how, what, p.tail.text()).
		WithHint("its cleanup is not confirmed: check what it writes before starting it again")
}
