package fault_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/wuu-plugins/wuu/internal/fault"
)

func TestExit(t *testing.T) {
	interrupted, cancel := context.WithCancelCause(context.Background())
	cancel(fault.Signal(fault.Interrupt))
	terminated, cancel := context.WithCancelCause(context.Background())
	cancel(fault.Signal(fault.Terminate))

	for _, c := range []struct {
		name string
		ctx  context.Context
		err  error
		want int
	}{
		{"done", context.Background(), nil, 0},
		{"done in spite of a signal", interrupted, nil, 0},
		{"typed", context.Background(), fault.New(fault.Refused, "X", "a.tgz", "no"), 4},
		{"typed, wrapped", context.Background(), fmt.Errorf("install: %w", fault.New(fault.Lock, "X", "", "no")), 3},
		{"untyped is a defect", context.Background(), errors.New("odd"), 9},
		{"a full disk is no defect", context.Background(), fmt.Errorf("copy: %w", &fs.PathError{Op: "write", Path: "f", Err: syscall.ENOSPC}), 2},
		{"nor is a rename that fails", context.Background(), &os.LinkError{Op: "rename", Old: "a", New: "b", Err: syscall.EACCES}, 2},
		{"deadline is a time limit", context.Background(), context.DeadlineExceeded, 7},
		{"signal wins over its effect", interrupted, fault.New(fault.Network, "X", "", "cut"), 130},
		{"terminated", terminated, context.Canceled, 143},
	} {
		if got := fault.Exit(c.ctx, c.err); got != c.want {
			t.Errorf("%s: exit %d, want %d", c.name, got, c.want)
		}
	}
}

func TestErrorText(t *testing.T) {
	err := fault.New(fault.Usage, "PATH_MISSING", "plugin.json", "not found")
	if got, want := err.Error(), "plugin.json: not found"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := (&fault.Error{Code: "BARE"}).Error(), "BARE"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestSystemErrorsSayWhatToDo(t *testing.T) {
	for want, err := range map[string]error{
		"free some space":  &fs.PathError{Op: "write", Path: "f", Err: syscall.ENOSPC},
		"the disk reports": &fs.PathError{Op: "write", Path: "f", Err: syscall.EIO},
		"your quota":       &fs.PathError{Op: "write", Path: "f", Err: syscall.EDQUOT},
		"who may read":     &fs.PathError{Op: "open", Path: "f", Err: syscall.EACCES},
	} {
		if got := fault.As(err); got.Code != "IO" || !strings.Contains(got.Hint, want) {
			t.Errorf("%v: %s, hint %q", err, got.Code, got.Hint)
		}
	}
}
