// Package fault is wuu's error type: what happened, to what, what to do next,
// and with which exit code the process ends.
package fault

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// Kind is the class of an error and, at the same time, the exit code.
type Kind uint8

// The exit codes of design/distribution.md. Done is never carried by an Error.
const (
	Done      Kind = 0   // nothing went wrong
	Check     Kind = 1   // what was checked is bad
	Usage     Kind = 2   // bad usage, or input that cannot be read
	Lock      Kind = 3   // a lock disagrees, is damaged, or has conflict markers
	Refused   Kind = 4   // archive refused; bytes or --integrity differ
	Consent   Kind = 5   // trust or new capabilities need a yes
	Network   Kind = 6   // network or registry
	Plugin    Kind = 7   // plugin or host failed, or a time limit passed
	Busy      Kind = 8   // the lease is held
	Defect    Kind = 9   // a defect in wuu itself
	Interrupt Kind = 130 // SIGINT
	Terminate Kind = 143 // SIGTERM or SIGHUP, or the reader of the output went away
)

// Error is an error that a person can act on.
type Error struct {
	Kind    Kind
	Code    string // stable, UPPER_SNAKE; shown in --json as error.code
	Subject string // what it happened to: a path, a spec, a plugin id
	Err     error  // what happened, lower case, without the subject
	Hint    string // what to do, without the word "hint"
	Details any    // JSON-encodable extra facts for --json
}

// Error returns "subject: cause"; the hint is not part of it.
func (e *Error) Error() string {
	msg := e.Code
	if e.Err != nil {
		msg = e.Err.Error()
	}
	if e.Subject == "" {
		return msg
	}
	return e.Subject + ": " + msg
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// New builds an Error whose cause is formatted like fmt.Errorf (with %w).
func New(kind Kind, code, subject, format string, args ...any) *Error {
	return &Error{Kind: kind, Code: code, Subject: subject, Err: fmt.Errorf(format, args...)}
}

// WithHint returns e after setting its hint.
func (e *Error) WithHint(format string, args ...any) *Error {
	e.Hint = fmt.Sprintf(format, args...)
	return e
}

// WithDetails returns e after setting its details.
func (e *Error) WithDetails(details any) *Error {
	e.Details = details
	return e
}

// As returns the outermost *Error in err's chain. An error of another type
// counts as a defect, except the end of a context, which is a time limit, and
// what the system refused: a full disk or a missing right is nobody's defect.
func As(err error) *Error {
	if err == nil {
		return nil
	}
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return &Error{Kind: Plugin, Code: "TIMEOUT", Err: err}
	case errors.Is(err, context.Canceled):
		return &Error{Kind: Interrupt, Code: "INTERRUPTED", Err: errors.New("interrupted")}
	}
	if refusedBySystem(err) {
		return &Error{Kind: Usage, Code: "IO", Err: err, Hint: ioHint(err)}
	}
	return &Error{Kind: Defect, Code: "DEFECT", Err: err}
}

// refusedBySystem tells errors of files, folders and other system calls.
func refusedBySystem(err error) bool {
	var path *fs.PathError
	var link *os.LinkError
	var call *os.SyscallError
	var errno syscall.Errno
	return errors.As(err, &path) || errors.As(err, &link) || errors.As(err, &call) || errors.As(err, &errno)
}

func ioHint(err error) string {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return "free some space on that disk and run the command again; nothing was lost"
	case errors.Is(err, syscall.EDQUOT):
		return "your quota on that disk is used up: free some space and run the command again; nothing was lost"
	case errors.Is(err, syscall.EIO):
		return "the disk reports a fault: check it, and the system's log"
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return "check who may read and write there"
	}
	return ""
}

// Signal is the cancel cause that main gives the root context when a signal
// arrives; Exit finds it again.
func Signal(kind Kind) error {
	return &Error{Kind: kind, Code: "INTERRUPTED", Err: errors.New("interrupted")}
}

// Exit maps the result of a command to the exit code. A signal that ended ctx
// wins over whatever error it caused; a command that finished despite it is 0.
func Exit(ctx context.Context, err error) int {
	if err == nil {
		return int(Done)
	}
	var cause *Error
	if errors.As(context.Cause(ctx), &cause) && (cause.Kind == Interrupt || cause.Kind == Terminate) {
		return int(cause.Kind)
	}
	return int(As(err).Kind)
}
