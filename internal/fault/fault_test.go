package fault_test

import (
	"context"
	"errors"
	"fmt"
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
