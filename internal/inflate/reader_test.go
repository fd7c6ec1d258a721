package inflate_test

import (
	"bytes"
	"compress/flate"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/wuu-plugins/wuu/internal/inflate"
)

// contents are what the tests compress.
func contents() map[string][]byte {
	r := rand.New(rand.NewPCG(1, 2))
	random := make([]byte, 300_000)
	for i := range random {
		random[i] = byte(r.Uint32())
	}
	skewed := make([]byte, 500_000) // long codes: second tables
	for i := range skewed {
		skewed[i] = byte(min(r.ExpFloat64()*9, 255))
	}
	var text strings.Builder
	for text.Len() < 700_000 {
		fmt.Fprintf(&text, "line %d of %x\n", r.IntN(1000), r.Uint32N(1<<uint(r.IntN(32))))
	}
	far := bytes.Join([][]byte{random[:32768], random[:32768], random[100:400]}, nil)
	return map[string][]byte{
		"empty": nil, "one": {7}, "random": random, "skewed": skewed, "text": []byte(text.String()), "zeros": make([]byte, 1_000_000), "far": far,
		"short period": bytes.Repeat([]byte("abc"), 100_000), "seven": bytes.Repeat([]byte("1234567"), 9000),
	}
}

func deflate(t testing.TB, data []byte, level int) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := flate.NewWriter(&out, level)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestRoundTrip(t *testing.T) {
	r := inflate.NewReader(nil)
	for name, data := range contents() {
		for _, level := range []int{flate.HuffmanOnly, flate.NoCompression, 1, 6, 9} {
			packed := deflate(t, data, level)
			for way, src := range map[string]io.Reader{
				"whole": bytes.NewReader(packed), "bytes": iotest.OneByteReader(bytes.NewReader(packed)), "late end": iotest.DataErrReader(bytes.NewReader(packed)),
			} {
				r.Reset(src)
				got, err := io.ReadAll(r)
				if err != nil || !bytes.Equal(got, data) {
					t.Errorf("%s at level %d, %s: %d bytes, want %d: %v", name, level, way, len(got), len(data), err)
				}
			}
		}
	}
}

func TestRest(t *testing.T) {
	data := contents()["text"]
	for n := range 20 {
		packed := deflate(t, data[:n*997], 6)
		tail := []byte("what follows the stream")
		for _, src := range []io.Reader{
			bytes.NewReader(append(bytes.Clone(packed), tail...)),
			io.MultiReader(bytes.NewReader(packed), bytes.NewReader(tail)),
		} {
			r := inflate.NewReader(src)
			if _, err := r.Rest(make([]byte, 1)); err == nil {
				t.Error("Rest before the end succeeded")
			}
			if _, err := io.Copy(io.Discard, r); err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(readerFunc(r.Rest))
			if err != nil || !bytes.Equal(got, tail) {
				t.Errorf("rest %q, %v", got, err)
			}
		}
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

func TestTruncated(t *testing.T) {
	for name, data := range contents() {
		data = data[:min(len(data), 3000)]
		packed := deflate(t, data, 6)
		for n := range packed {
			got, err := io.ReadAll(inflate.NewReader(bytes.NewReader(packed[:n])))
			if !errors.Is(err, io.ErrUnexpectedEOF) || !bytes.HasPrefix(data, got) {
				t.Fatalf("%s cut to %d of %d bytes: %d bytes, %v", name, n, len(packed), len(got), err)
			}
		}
	}
}

func TestSourceError(t *testing.T) {
	packed := deflate(t, contents()["text"], 6)
	want := errors.New("the disk is gone")
	for _, n := range []int{0, 1, 100, 70_000} {
		_, err := io.ReadAll(inflate.NewReader(io.MultiReader(bytes.NewReader(packed[:n]), iotest.ErrReader(want))))
		if !errors.Is(err, want) {
			t.Errorf("after %d bytes: %v", n, err)
		}
	}
}

// Every flipped bit gives what compress/flate makes of it.
func TestFlippedBits(t *testing.T) {
	for _, name := range []string{"skewed", "text", "short period"} {
		packed := deflate(t, contents()[name][:4000], 6)
		for bit := range 8 * len(packed) {
			bad := bytes.Clone(packed)
			bad[bit/8] ^= 1 << (bit % 8)
			agree(t, bad)
		}
	}
}

// agree holds the reader to the standard library's.
func agree(t *testing.T, packed []byte) {
	t.Helper()
	want, wantErr := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(packed)), 4<<20))
	got, err := io.ReadAll(io.LimitReader(inflate.NewReader(bytes.NewReader(packed)), 4<<20))
	var corrupt inflate.CorruptError
	switch {
	case wantErr == nil && (err != nil || !bytes.Equal(got, want)):
		t.Fatalf("%d bytes, %v; the standard library has %d (%x)", len(got), err, len(want), packed[:min(len(packed), 200)])
	case wantErr != nil && err == nil:
		t.Fatalf("accepted; the standard library says %v (%x)", wantErr, packed[:min(len(packed), 200)])
	case wantErr != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.As(err, &corrupt):
		t.Fatalf("error %v, want one of this package's", err)
	case wantErr != nil && !bytes.HasPrefix(got, want[:min(len(want), len(got))]):
		t.Fatal("the bytes before the error differ")
	}
}

func FuzzReader(f *testing.F) {
	for _, data := range contents() {
		for _, level := range []int{flate.HuffmanOnly, 1, 6} {
			f.Add(deflate(f, data[:min(len(data), 2000)], level))
		}
	}
	f.Fuzz(func(t *testing.T, packed []byte) { agree(t, packed) })
}

func BenchmarkReader(b *testing.B) {
	data := contents()["text"]
	packed := deflate(b, data, 6)
	r := inflate.NewReader(nil)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		r.Reset(bytes.NewReader(packed))
		if _, err := io.Copy(io.Discard, readerFunc(r.Read)); err != nil {
			b.Fatal(err)
		}
	}
}
