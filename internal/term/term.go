// Package term is the only place that knows about streams, terminals and
// colour. Results go to Out, everything else to Err.
package term

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"sync/atomic"

	"golang.org/x/term"
)

// IO is the standard streams of one command.
type IO struct {
	In     io.Reader
	Out    io.Writer
	Err    io.Writer
	InTTY  bool
	OutTTY bool
	ErrTTY bool
	// Columns is the width of the terminal at Err; nil or 0 means 80.
	Columns func() int
	out     Style
	err     Style
	dumb    bool // the terminal understands no control sequences
	status  *Status
	gone    atomic.Pointer[func()]
}

// System returns the process's streams without colour; SetColor decides that
// when the flags are known.
func System() *IO {
	t := &IO{
		In:     os.Stdin,
		InTTY:  term.IsTerminal(int(os.Stdin.Fd())),
		OutTTY: term.IsTerminal(int(os.Stdout.Fd())),
		ErrTTY: term.IsTerminal(int(os.Stderr.Fd())),
	}
	t.Out, t.Err = output{os.Stdout, &t.gone}, output{os.Stderr, &t.gone}
	t.Columns = func() int {
		width, _, err := term.GetSize(int(os.Stderr.Fd()))
		if err != nil {
			return 0
		}
		return width
	}
	return t
}

func (t *IO) columns() int {
	if t.Columns != nil {
		if n := t.Columns(); n > 0 {
			return n
		}
	}
	return 80
}

// Test returns streams over buffers; no stream is a terminal.
func Test() (t *IO, in, out, err *bytes.Buffer) {
	in, out, err = new(bytes.Buffer), new(bytes.Buffer), new(bytes.Buffer)
	return &IO{In: in, Out: out, Err: err}, in, out, err
}

// SetColor applies --color (auto, always or never). auto follows NO_COLOR,
// TERM=dumb and whether the stream is a terminal.
func (t *IO) SetColor(mode string, getenv func(string) string) error {
	t.dumb = getenv("TERM") == "dumb"
	plain := getenv("NO_COLOR") != "" || t.dumb
	switch mode {
	case "", "auto":
		t.out.on, t.err.on = t.OutTTY && !plain, t.ErrTTY && !plain
	case "always":
		t.out.on, t.err.on = true, true
	case "never":
		t.out.on, t.err.on = false, false
	default:
		return fmt.Errorf("--color %s: want auto, always or never", mode)
	}
	return nil
}

// OutStyle and ErrStyle colour text for their stream.
func (t *IO) OutStyle() Style { return t.out }

// ErrStyle is the style of Err.
func (t *IO) ErrStyle() Style { return t.err }

// Confirm asks a yes/no question on a terminal. Anything but y or yes is no;
// the end of ctx is an error.
func (t *IO) Confirm(ctx context.Context, question string) (bool, error) {
	t.Status().Clear()
	fmt.Fprintf(t.Err, "%s [y/N] ", question)
	line, err := readLine(t.Input(ctx))
	if err != nil {
		fmt.Fprintln(t.Err) // the answer's line has no end of its own
	}
	if ctx.Err() != nil {
		return false, context.Cause(ctx) // half an answer is none
	}
	if err != nil && line == "" {
		return false, err
	}
	answer := strings.ToLower(strings.TrimSpace(line))
	return answer == "y" || answer == "yes", nil
}

// readLine reads up to a newline, a byte at a time so that nothing after it
// is taken from the stream.
func readLine(r io.Reader) (string, error) {
	var line []byte
	b := make([]byte, 1)
	for {
		n, err := r.Read(b)
		if n == 1 {
			if b[0] == '\n' {
				return string(line), nil
			}
			line = append(line, b[0])
		}
		if err != nil {
			return string(line), err
		}
	}
}
