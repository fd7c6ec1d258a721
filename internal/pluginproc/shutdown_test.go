package pluginproc_test

import (
	"context"
	"testing"
	"time"

	"github.com/wuu-plugins/wuu/internal/pluginproc"
	"github.com/wuu-plugins/wuu/internal/protocol"
)

func TestShutdown(t *testing.T) {
	for _, c := range []struct {
		behaviour, code, text string
		grace                 time.Duration
	}{
		{"echo", "", "", 0},
		{"silent-end", "", "", 0},
		{"bad-end", "SHUTDOWN_UNCONFIRMED", "exit status 7", 0},
		{"refuse-end", "SHUTDOWN_FAILED", "the cat sleeps on it", 0},
		{"stubborn", "SHUTDOWN_UNCONFIRMED", "answered shutdown but did not exit", short},
		{"deaf", "SHUTDOWN_UNCONFIRMED", "did not answer shutdown and did not exit", short},
	} {
		t.Run(c.behaviour, func(t *testing.T) {
			t.Parallel()
			p := start(t, c.behaviour, func(s *pluginproc.Spec) { s.Grace = c.grace }, nil)
			err := p.Shutdown(t.Context())
			if c.code == "" {
				if err != nil {
					t.Error(err)
				}
			} else {
				wantFault(t, err, c.code, c.text)
			}
			select {
			case <-p.Done():
			default:
				t.Error("Shutdown returned before the process was gone")
			}
		})
	}
}

func TestShutdownEndsCallsUnderWay(t *testing.T) {
	p := start(t, "echo", nil, nil)
	if err := p.Call(t.Context(), protocol.MethodPrepare, nil, nil); err != nil {
		t.Fatal(err)
	}
	failed := make(chan error, 1)
	go func() {
		_, err := call(context.Background(), p, "hang", `{}`)
		failed <- err
	}()
	if err := p.Shutdown(t.Context()); err != nil {
		t.Error(err)
	}
	wantFault(t, <-failed, "PROCESS_EXITED")
}

func TestEndOfContextCutsShutdownShort(t *testing.T) {
	p := start(t, "deaf", nil, nil)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	wantFault(t, p.Shutdown(ctx), "SHUTDOWN_UNCONFIRMED")
}
