package term

import (
	"context"
	"errors"
	"io"
	"os"
	"testing"
)

func TestReaderGone(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	var streams IO
	streams.Out = output{w, &streams.gone}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := streams.Out.Write([]byte("x")); err == nil {
		t.Fatal("the write succeeds")
	}
	told := 0
	streams.OnReaderGone(func() { told++ })
	_, _ = streams.Out.Write([]byte("x"))
	if told != 1 {
		t.Errorf("told %d times", told)
	}
}

func TestInputEndsWithItsContext(t *testing.T) {
	r, w := io.Pipe()
	defer w.Close()
	streams := IO{In: r}
	left := errors.New("the person left")
	ctx, cancel := context.WithCancelCause(t.Context())
	go func() {
		_, _ = w.Write([]byte("y")) // returns when it was read
		cancel(left)
	}()
	got, err := io.ReadAll(streams.Input(ctx))
	if string(got) != "y" || !errors.Is(err, left) {
		t.Errorf("got %q, %v", got, err)
	}
}
