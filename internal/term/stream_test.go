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
	in := streams.Input(ctx)
	go func() { _, _ = w.Write([]byte("y")) }()
	b := make([]byte, 4)
	if n, err := in.Read(b); n != 1 || b[0] != 'y' || err != nil {
		t.Fatalf("read %d, %v", n, err)
	}
	cancel(left)
	if n, err := in.Read(b); n != 0 || !errors.Is(err, left) {
		t.Errorf("read %d, %v", n, err)
	}
}
