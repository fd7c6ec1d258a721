package pack_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"github.com/wuu-plugins/wuu/pack"
)

// swapper puts a link to the outside in the place of one folder of the
// destination, and takes the one before back.
type swapper struct {
	dir, outside string
	places       []string // relative to dir; "." is the destination itself
	swaps        int
	linked       string // the place that is a link now
}

func (s *swapper) swap() {
	if s.linked != "" {
		os.Remove(s.linked)
		os.Rename(s.linked+".away", s.linked)
		s.linked = ""
	}
	place := filepath.Join(s.dir, s.places[s.swaps%len(s.places)])
	if os.Rename(place, place+".away") != nil {
		return // not made yet
	}
	target := s.outside
	if s.swaps%2 == 1 {
		target, _ = filepath.Rel(filepath.Dir(place), s.outside)
	}
	if err := os.Symlink(target, place); err != nil {
		panic(err)
	}
	s.linked = place
	s.swaps++
}

// swappingReader swaps before each 4 KiB that are read: about once an entry,
// while the entries before are being written.
type swappingReader struct {
	io.ReaderAt
	mu sync.Mutex
	s  *swapper
}

func (r *swappingReader) ReadAt(p []byte, off int64) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	done := 0
	for done < len(p) {
		r.s.swap()
		n, err := r.ReaderAt.ReadAt(p[done:min(len(p), done+4<<10)], off+int64(done))
		if done += n; err != nil {
			return done, err
		}
	}
	return done, nil
}

// TestSwappedBetweenEntries is the stricter sister of TestSwappedFolder: a
// thousand swaps, about one between any two entries, of the folders in the
// archive and of the staging folder itself.
func TestSwappedBetweenEntries(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows moves no folder that is open")
	}
	members := append([]member{}, sound...)
	noise := rand.New(rand.NewPCG(1, 2))
	for i := range 600 {
		body := make([]byte, 4<<10) // that does not deflate: the archive is read piece by piece
		for j := range body {
			body[j] = byte(noise.Uint32())
		}
		members = append(members, member{name: fmt.Sprintf("%s/f%03d", []string{"a", "b", "a/x", "b/y"}[i%4], i), body: string(body)})
	}
	data := zipped(t, members...)
	swaps := 0
	for _, places := range [][]string{{"."}, {"a", "b", "a/x", "b/y"}, {".", "a/x"}} {
		for before := swaps; swaps < before+350; {
			base := t.TempDir()
			stage, outside := filepath.Join(base, "stage"), filepath.Join(base, "outside")
			if err := errors.Join(os.Mkdir(stage, 0o700), os.Mkdir(outside, 0o700)); err != nil {
				t.Fatal(err)
			}
			root := openRoot(t, stage)
			s := &swapper{dir: stage, outside: outside, places: places}
			reader := &swappingReader{ReaderAt: bytes.NewReader(data), s: s}
			_, _, _ = pack.Extract(context.Background(), reader, int64(len(data)), root, pack.Options{})
			if left, err := os.ReadDir(outside); err != nil || len(left) > 0 {
				t.Fatalf("%v: written outside: %v %v", places, left, err)
			}
			if s.swaps == 0 {
				t.Fatalf("%v: nothing was swapped", places)
			}
			// Who goes by the name does land outside: the trap is a real one.
			if s.linked != "" {
				if err := os.WriteFile(filepath.Join(s.linked, "trap"), nil, 0o600); err != nil {
					t.Fatal(err)
				}
				if _, err := os.Lstat(filepath.Join(outside, "trap")); err != nil {
					t.Fatal(err)
				}
			}
			swaps += s.swaps
		}
	}
	t.Logf("%d swaps", swaps)
}
