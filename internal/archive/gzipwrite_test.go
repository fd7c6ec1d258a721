package archive_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/wuu-plugins/wuu/internal/archive"
)

func TestGzipWriter(t *testing.T) {
	var text bytes.Buffer
	for i := 0; text.Len() < 2<<20; i++ {
		fmt.Fprintf(&text, "%d lines, %x\n", i, i*i*2654435761)
	}
	for _, size := range []int{0, 1, 512<<10 - 1, 512 << 10, 512<<10 + 1, 2 << 20} {
		var first []byte
		for _, workers := range []int{1, 3} {
			for _, step := range []int{1000, 1 << 20} {
				var out bytes.Buffer
				z := archive.NewGzipWriter(&out, workers)
				for rest := text.Bytes()[:size]; len(rest) > 0; rest = rest[min(step, len(rest)):] {
					if _, err := z.Write(rest[:min(step, len(rest))]); err != nil {
						t.Fatal(err)
					}
				}
				if err := z.Close(); err != nil {
					t.Fatal(err)
				}
				r, err := gzip.NewReader(&out)
				if err != nil {
					t.Fatal(err)
				}
				packed := bytes.Clone(out.Bytes())
				got, err := io.ReadAll(r)
				if err != nil || !bytes.Equal(got, text.Bytes()[:size]) || out.Len() > 0 {
					t.Errorf("%d bytes: %d came back, %d stand behind, %v", size, len(got), out.Len(), err)
				}
				if first == nil {
					first = packed
				} else if !bytes.Equal(first, packed) {
					t.Errorf("%d bytes: %d workers, written in steps of %d, give other bytes", size, workers, step)
				}
			}
		}
	}
}

type fullDisk struct{ room int }

var errFull = errors.New("full")

func (d *fullDisk) Write(p []byte) (int, error) {
	if d.room -= len(p); d.room < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestGzipWriterError(t *testing.T) {
	noise := make([]byte, 3<<20)
	x := uint32(1)
	for i := range noise {
		x = x*1664525 + 1013904223
		noise[i] = byte(x >> 24)
	}
	z := archive.NewGzipWriter(&fullDisk{room: 100_000}, 2)
	_, _ = z.Write(noise) // the error may come later
	if err := z.Close(); !errors.Is(err, errFull) {
		t.Errorf("Close: %v", err)
	}
	if _, err := z.Write([]byte{1}); !errors.Is(err, errFull) {
		t.Errorf("Write after the error: %v", err)
	}
}
