package procgroup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"runtime"
	"time"
)

// DefaultGrace is the time between the request to end and the kill.
const DefaultGrace = 2 * time.Second

// drainLimit bounds how long Run reads output after the group is gone: only a
// process that left the group can still hold the pipe.
const drainLimit = time.Second

// ExitError is a command that ended with another status than 0.
type ExitError struct{ State *os.ProcessState }

// Error describes the status: "exit status 1", "signal: killed".
func (e *ExitError) Error() string { return e.State.String() }

// Shell is the command that runs line with the system's shell: sh -c, or cmd
// on Windows.
func Shell(line, dir string, env []string) Command {
	if runtime.GOOS == "windows" {
		return Command{Argv: []string{"cmd"}, RawArgs: `/d /s /c "` + line + `"`, Dir: dir, Env: env}
	}
	return Command{Argv: []string{"sh", "-c", line}, Dir: dir, Env: env}
}

// Run runs c to its end and copies its output to stdout and stderr (nil
// discards; c.Stdout and c.Stderr are ignored). When ctx ends, the group is
// asked to end, killed after DefaultGrace or at the end of patience
// (WithPatience), and the cause of ctx is returned.
// Another status than 0 is an *ExitError. Nothing of the group is left when Run
// returns.
func Run(ctx context.Context, c Command, stdout, stderr io.Writer) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	out, err := newDrain(stdout)
	if err != nil {
		return err
	}
	defer out.close()
	errOut := out
	if !sameWriter(stdout, stderr) {
		if errOut, err = newDrain(stderr); err != nil {
			return err
		}
		defer errOut.close()
	}
	c.Stdout, c.Stderr = out.child, errOut.child
	g, err := Start(c)
	if err != nil {
		return err
	}
	out.start()
	errOut.start()
	var cause error
	select {
	case <-g.Done():
	case <-ctx.Done():
		cause = context.Cause(ctx)
		_, err = g.End(patience(ctx), DefaultGrace)
	}
	err = errors.Join(err, g.Err(), out.wait(), errOut.wait())
	switch {
	case cause != nil:
		return errors.Join(cause, err)
	case err != nil:
		return err
	case !g.State().Success():
		return &ExitError{g.State()}
	}
	return nil
}

// sameWriter reports whether both streams go to one writer, which then must
// see one stream. Writers that cannot be compared are never the same.
func sameWriter(a, b io.Writer) bool {
	return a != nil && b != nil && reflect.TypeOf(a) == reflect.TypeOf(b) && reflect.TypeOf(a).Comparable() && a == b
}

// drain copies one output stream of a child to a writer.
type drain struct {
	dst           io.Writer
	parent, child *os.File
	done          chan error
}

func newDrain(dst io.Writer) (*drain, error) {
	if dst == nil {
		return &drain{}, nil
	}
	r, w, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("make pipe: %w", err)
	}
	return &drain{dst: dst, parent: r, child: w}, nil
}

// start gives the child's end away and begins to copy.
func (d *drain) start() {
	if d.dst == nil || d.done != nil {
		return
	}
	_ = d.child.Close() // the child has its own copy
	d.child = nil
	d.done = make(chan error, 1)
	go func() {
		_, err := io.Copy(d.dst, d.parent)
		d.done <- err
	}()
}

// wait returns when the stream ended, or cuts it off after drainLimit.
func (d *drain) wait() error {
	if d.done == nil {
		return nil
	}
	timer := time.NewTimer(drainLimit)
	defer timer.Stop()
	select {
	case err := <-d.done:
		d.done = nil
		return err
	case <-timer.C:
		return nil
	}
}

// close ends the copying, also of a stream that somebody else keeps open.
func (d *drain) close() {
	if d.dst == nil {
		return
	}
	if d.child != nil {
		_ = d.child.Close() // never started; nothing is lost
	}
	_ = d.parent.Close() // read end; nothing is lost
	if d.done != nil {
		<-d.done //nolint:errcheck // the copy's error is in the output already
	}
}
