package pack

import (
	"context"
	"crypto/sha256"
	"hash"
	"os"
	"sync"

	"github.com/wuu-plugins/wuu/internal/fsx"
)

const (
	chunkSize  = 128 << 10
	batchBytes = 256 << 10
	batchCount = 6 // in flight, so 1.5 MiB
	// sinkWorkers write in parallel. Inflating feeds one of them easily with a
	// few large files; with tens of thousands of small ones the system calls
	// are the cost, and a second one pays.
	sinkWorkers = 2
)

// sink hashes files, and writes them when it has a folder, while the next ones
// are being inflated. Content goes to the workers in batches: many small files
// in one, or a part of a large one.
type sink struct {
	ready  chan *batch // for any worker
	free   chan *batch
	cur    *batch
	next   chan *batch // where the batch must go that continues a file
	failed context.Context
	fail   context.CancelCauseFunc
	group  sync.WaitGroup
	once   sync.Once

	mu    sync.Mutex // guards files
	files []File
}

// batch is a buffer with the parts that lie in it, one behind the other.
type batch struct {
	buf   []byte // its length is what is used
	parts []part
	// next, when the last part's file goes on, brings the batch in which it
	// does; closed when there is none.
	next chan *batch
}

// part is a stretch of one file's content.
type part struct {
	path        string
	exec        bool
	size        int
	first, last bool
	broken      bool // the content is not what was promised: forget the file
}

func newSink(ctx context.Context, dst *os.Root) (*sink, error) {
	s := &sink{ready: make(chan *batch, batchCount), free: make(chan *batch, batchCount)}
	var workers []*sinkWorker
	for range sinkWorkers {
		w := &sinkWorker{sink: s, sum: sha256.New()}
		if dst != nil {
			var err error
			if w.tree, err = fsx.NewTree(dst); err != nil {
				for _, w := range workers {
					w.tree.Close()
				}
				return nil, err
			}
		}
		workers = append(workers, w)
	}
	s.failed, s.fail = context.WithCancelCause(ctx)
	for range batchCount {
		s.free <- nil // made when first needed: most packages are small
	}
	for _, w := range workers {
		s.group.Go(w.run)
	}
	return s, nil
}

// space returns room for content, at least one byte; want is how much would be
// good. It waits for a worker, and fails when one has failed.
func (s *sink) space(want int64) ([]byte, error) {
	if s.cur != nil && (len(s.cur.buf) == cap(s.cur.buf) || len(s.cur.parts) > 0 && int64(cap(s.cur.buf)-len(s.cur.buf)) < min(want, batchBytes/4)) {
		s.flush()
	}
	if s.cur == nil {
		select {
		case <-s.failed.Done():
			return nil, context.Cause(s.failed)
		case s.cur = <-s.free:
		}
		if s.cur == nil {
			s.cur = &batch{buf: make([]byte, 0, batchBytes)}
		}
	}
	return s.cur.buf[len(s.cur.buf):cap(s.cur.buf)], nil
}

// add takes p.size bytes that were read into the space.
func (s *sink) add(p part) {
	s.cur.buf = s.cur.buf[:len(s.cur.buf)+p.size]
	s.cur.parts = append(s.cur.parts, p)
	if !p.last {
		s.flush() // the rest of the space is too small for anything
	}
}

// flush hands the current batch over. There is always room: there are as many
// places as batches.
func (s *sink) flush() {
	if s.cur == nil {
		return
	}
	b, to := s.cur, s.next
	s.cur, s.next = nil, nil
	if n := len(b.parts); n > 0 && !b.parts[n-1].last {
		b.next = make(chan *batch, 1)
		s.next = b.next
	}
	if to == nil {
		to = s.ready
	}
	to <- b
}

// close waits for everything that was added.
func (s *sink) close() ([]File, error) {
	s.once.Do(func() {
		s.flush()
		if s.next != nil {
			close(s.next)
		}
		close(s.ready)
	})
	s.group.Wait()
	err := context.Cause(s.failed)
	s.fail(nil)
	return s.files, err
}

// sinkWorker handles batches. What continues a file comes to the worker that
// began it.
type sinkWorker struct {
	sink  *sink
	tree  *fsx.Tree // nil: only hash
	sum   hash.Hash // of a file in several parts
	size  int64
	files []File
}

func (w *sinkWorker) run() {
	s := w.sink
	for b := range s.ready {
		for b != nil {
			next := b.next
			if s.failed.Err() == nil {
				if err := w.batch(b); err != nil {
					s.fail(err)
				}
			}
			*b = batch{buf: b.buf[:0], parts: b.parts[:0]}
			s.free <- b
			b = nil
			if next != nil {
				b = <-next // nil when it was closed
			}
		}
	}
	if w.tree != nil {
		if err := w.tree.Close(); err != nil && s.failed.Err() == nil {
			s.fail(err)
		}
	}
	s.mu.Lock()
	s.files = append(s.files, w.files...)
	s.mu.Unlock()
}

func (w *sinkWorker) batch(b *batch) error {
	buf := b.buf
	for _, p := range b.parts {
		if err := w.part(p, buf[:p.size]); err != nil {
			return err
		}
		buf = buf[p.size:]
	}
	return nil
}

func (w *sinkWorker) part(p part, data []byte) error {
	if w.tree != nil {
		if err := w.write(p, data); err != nil {
			return err
		}
	}
	f := File{Path: p.path, Exec: p.exec}
	if p.first && p.last {
		f.Size, f.SHA256 = int64(len(data)), sha256.Sum256(data)
	} else {
		if p.first {
			w.sum.Reset()
			w.size = 0
		}
		w.sum.Write(data)
		w.size += int64(len(data))
		if !p.last {
			return nil
		}
		f.Size = w.size
		w.sum.Sum(f.SHA256[:0])
	}
	if !p.broken {
		w.files = append(w.files, f)
	}
	return nil
}

func (w *sinkWorker) write(p part, data []byte) error {
	if p.first {
		if err := w.tree.Create(p.path, p.exec); err != nil {
			return err
		}
	}
	if len(data) > 0 {
		if _, err := w.tree.Write(data); err != nil {
			return err
		}
	}
	if p.last {
		return w.tree.CloseFile()
	}
	return nil
}
