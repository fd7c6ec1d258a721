package jsonl_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"github.com/wuu-plugins/wuu/internal/jsonl"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func readAll(r io.Reader, limit int) (lines []string, err error) {
	reader := jsonl.NewReader(r, limit)
	for {
		line, err := reader.Next()
		if err != nil {
			if _, again := reader.Next(); again != err {
				return lines, fmt.Errorf("error %v is not kept: %v", err, again)
			}
			return lines, err
		}
		lines = append(lines, string(line))
	}
}

func TestReader(t *testing.T) {
	long := `"` + strings.Repeat("x", 100<<10) + `"` // longer than the buffer inside
	for _, c := range []struct {
		name, in string
		want     []string
		reason   jsonl.Reason
		text     string
	}{
		{"empty", "", nil, "", ""},
		{"two lines", "{}\n[1]\n", []string{"{}", "[1]"}, "", ""},
		{"CRLF", "{}\r\n1\r\n", []string{"{}", "1"}, "", ""},
		{"last line without newline", "1\n2", []string{"1", "2"}, "", ""},
		{"long line", long + "\n1\n", []string{long, "1"}, "", ""},
		{"spaces", " {} \n", []string{" {} "}, "", ""},
		{"text", "1\nhello\n2\n", []string{"1"}, jsonl.NotJSON, `"hello"`},
		{"empty line", "1\n\n", []string{"1"}, jsonl.NotJSON, "empty line"},
		{"cut off", "1\n{\"a\":", []string{"1"}, jsonl.Truncated, "cut off"},
		{"not UTF-8", "\"a\xffb\"\n", nil, jsonl.NotUTF8, "UTF-8"},
		{"UTF-16", "\xff\xfe{\x00}\x00\n", nil, jsonl.NotUTF8, "UTF-8"},
		{"byte order mark", "\ufeff{}\n", nil, jsonl.NotJSON, "ufeff"},
		{"control characters are quoted", "\x1b[31mred\n", nil, jsonl.NotJSON, `\x1b[31mred`},
		{"too long", strings.Repeat("1", 1<<20) + "\n", nil, jsonl.TooLong, "exceeds 1048576"},
		{"too long without end", strings.Repeat("1", 2<<20), nil, jsonl.TooLong, strings.Repeat("1", 200) + `"…`},
		{"longest", strings.Repeat("1", 1<<20-1) + "\n", []string{strings.Repeat("1", 1<<20-1)}, "", ""},
	} {
		got, err := readAll(strings.NewReader(c.in), 1<<20)
		if strings.Join(got, "|") != strings.Join(c.want, "|") {
			t.Errorf("%s: got %.100q, want %.100q", c.name, got, c.want)
		}
		var bad *jsonl.LineError
		switch {
		case c.reason == "" && !errors.Is(err, io.EOF):
			t.Errorf("%s: ended with %v", c.name, err)
		case c.reason == "":
		case !errors.As(err, &bad) || bad.Reason != c.reason:
			t.Errorf("%s: got %v, want %s", c.name, err, c.reason)
		case !strings.Contains(err.Error(), c.text):
			t.Errorf("%s: %q does not contain %q", c.name, err, c.text)
		case len(bad.Head) > 200:
			t.Errorf("%s: shows %d bytes", c.name, len(bad.Head))
		}
	}
}

func TestReaderKeepsTheErrorOfItsSource(t *testing.T) {
	want := errors.New("pipe broke")
	got, err := readAll(io.MultiReader(strings.NewReader("1\n"), iotest.ErrReader(want)), 100)
	if len(got) != 1 || !errors.Is(err, want) {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestSplitWritesMakeNoDifference(t *testing.T) {
	values := rapid.SliceOf(rapid.MapOf(rapid.String(), rapid.String()))
	rapid.Check(t, func(t *rapid.T) {
		var want []string
		var stream bytes.Buffer
		for _, v := range values.Draw(t, "values") {
			line, err := json.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, string(line))
			stream.Write(line)
			stream.WriteString(rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "end"))
		}
		got, err := readAll(iotest.OneByteReader(&stream), 1<<20)
		if !errors.Is(err, io.EOF) || strings.Join(got, "|") != strings.Join(want, "|") {
			t.Fatalf("got %q, %v; want %q", got, err, want)
		}
	})
}

func FuzzReader(f *testing.F) {
	for _, seed := range []string{"", "{}\n", "1\r\n2", "\n", "\"\xff\"\n", "\ufeff1\n", `{"id":"1"}` + "\n" + `{"id":`} {
		f.Add([]byte(seed), 64)
	}
	f.Fuzz(func(t *testing.T, in []byte, limit int) {
		limit = max(1, limit%4096)
		lines, err := readAll(bytes.NewReader(in), limit)
		for _, line := range lines {
			if !json.Valid([]byte(line)) || strings.Contains(line, "\n") || len(line) > limit {
				t.Fatalf("%q passed with limit %d", line, limit)
			}
		}
		var bad *jsonl.LineError
		if !errors.Is(err, io.EOF) && !errors.As(err, &bad) {
			t.Fatalf("unknown end %v", err)
		}
	})
}

func TestWriterNeverInterleaves(t *testing.T) {
	var out bytes.Buffer
	var sent int
	w := jsonl.NewWriter(&out, func([]byte) { sent++ })
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			line := fmt.Appendf(nil, `{"n":%d,"pad":%q}`, i, strings.Repeat("p", i*50))
			var err error
			if i%2 == 0 {
				err = w.Write(t.Context(), line)
			} else {
				err = w.Post(line)
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	w.Close()
	<-w.Done()
	lines, err := readAll(&out, 1<<20)
	if len(lines) != 20 || sent != 20 || !errors.Is(err, io.EOF) {
		t.Errorf("%d lines, %d reported, %v", len(lines), sent, err)
	}
	if err := w.Post([]byte("1")); !errors.Is(err, jsonl.ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
}

// stuck blocks in Write until it is released.
type stuck struct {
	entered chan struct{}
	release chan error
	got     [][]byte
}

func newStuck() *stuck { return &stuck{entered: make(chan struct{}), release: make(chan error)} }

func (s *stuck) Write(b []byte) (int, error) {
	s.entered <- struct{}{}
	err := <-s.release
	s.got = append(s.got, bytes.Clone(b))
	return len(b), err
}

func TestStuckReaderHoldsNobodyUp(t *testing.T) {
	dst := newStuck()
	w := jsonl.NewWriter(dst, nil)
	reason := errors.New("gave up")
	ctx, cancel := context.WithCancelCause(t.Context())
	first, second := make(chan error, 1), make(chan error, 1)
	go func() { first <- w.Write(ctx, []byte("1")) }()
	<-dst.entered // the first is being written: it goes out whole, whatever happens
	go func() { second <- w.Write(ctx, []byte("2")) }()
	cancel(reason)
	if err := <-first; !errors.Is(err, reason) {
		t.Errorf("first: %v", err)
	}
	if err := <-second; !errors.Is(err, reason) {
		t.Errorf("second: %v", err)
	}
	if err := w.Post([]byte("3")); err != nil {
		t.Error(err)
	}
	w.Close()
	dst.release <- nil
	<-dst.entered
	dst.release <- nil
	<-w.Done()
	if got := string(bytes.Join(dst.got, nil)); got != "1\n3\n" {
		t.Errorf("written %q: the line that was given up must be dropped", got)
	}
}

func TestBacklogOfPostedLinesIsBounded(t *testing.T) {
	dst := newStuck()
	w := jsonl.NewWriter(dst, nil)
	line := bytes.Repeat([]byte("1"), 5<<20)
	if err := w.Post(line); err != nil {
		t.Fatal(err)
	}
	<-dst.entered // out of the queue
	for i := range 3 {
		if err := w.Post(line); err != nil {
			t.Fatalf("post %d: %v", i, err)
		}
	}
	if err := w.Post(line); !errors.Is(err, jsonl.ErrBacklog) {
		t.Errorf("got %v", err)
	}
	dst.release <- io.ErrClosedPipe
	<-w.Done()
}

func TestErrorOfTheStreamReachesEverybody(t *testing.T) {
	dst := newStuck()
	w := jsonl.NewWriter(dst, nil)
	errs := make(chan error, 2)
	for range 2 {
		go func() { errs <- w.Write(t.Context(), []byte("1")) }()
	}
	<-dst.entered
	dst.release <- io.ErrClosedPipe
	for range 2 {
		if err := <-errs; !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("got %v", err)
		}
	}
	<-w.Done()
	if err := w.Write(t.Context(), []byte("1")); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("afterwards: %v", err)
	}
}
