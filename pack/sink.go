package pack

import (
	"context"
	"crypto/sha256"
	"hash"
	"os"
	"sync"
)

const (
	chunkSize  = 128 << 10
	chunkCount = 8 // buffers in flight, so 1 MiB
)

// chunk is a part of one file's content.
type chunk struct {
	path        string
	exec        bool
	buf         []byte
	first, last bool
	broken      bool // the content is not what was promised: forget the file
}

// sink hashes files, and writes them when it has a folder, while the next ones
// are being inflated: inflating is the cost of an install, so it has a
// goroutine of its own.
type sink struct {
	chunks chan chunk
	free   chan []byte
	done   chan struct{} // closed when the goroutine has ended
	failed context.Context
	fail   context.CancelCauseFunc
	writer *writer
	once   sync.Once

	// Owned by the goroutine until done is closed.
	files []File
	sum   hash.Hash
	file  *os.File
	size  int64
}

func newSink(ctx context.Context, dst *os.Root) *sink {
	s := &sink{
		chunks: make(chan chunk, chunkCount), free: make(chan []byte, chunkCount), done: make(chan struct{}), sum: sha256.New(),
	}
	s.failed, s.fail = context.WithCancelCause(ctx)
	if dst != nil {
		s.writer = newWriter(dst)
	}
	for range chunkCount {
		s.free <- nil // made when first needed: most packages are small
	}
	go s.run()
	return s
}

// buffer waits for a free buffer. It fails when writing failed.
func (s *sink) buffer() ([]byte, error) {
	select {
	case <-s.failed.Done():
		return nil, context.Cause(s.failed)
	case b := <-s.free:
		if b == nil {
			b = make([]byte, chunkSize)
		}
		return b[:chunkSize], nil
	}
}

// send hands a chunk over; its buffer belongs to the sink from then on. There
// is always room: a chunk needs a buffer, and there are as many places.
func (s *sink) send(c chunk) { s.chunks <- c }

// close waits for everything that was sent.
func (s *sink) close() ([]File, error) {
	s.once.Do(func() { close(s.chunks) })
	<-s.done
	err := context.Cause(s.failed)
	s.fail(nil)
	return s.files, err
}

func (s *sink) run() {
	defer close(s.done)
	for c := range s.chunks {
		if s.failed.Err() == nil {
			if err := s.take(c); err != nil {
				s.fail(err)
			}
		}
		s.free <- c.buf[:0]
	}
	if s.file != nil {
		s.file.Close() // only after a failure, which is reported
	}
	if s.writer != nil {
		if err := s.writer.close(); err != nil && s.failed.Err() == nil {
			s.fail(err)
		}
	}
}

// take handles the next chunk in order.
func (s *sink) take(c chunk) (err error) {
	if c.first {
		s.sum.Reset()
		s.size = 0
		if s.writer != nil {
			if s.file, err = s.writer.create(c.path, c.exec); err != nil {
				return err
			}
		}
	}
	s.sum.Write(c.buf)
	s.size += int64(len(c.buf))
	if s.file != nil {
		if _, err := s.file.Write(c.buf); err != nil {
			return err
		}
	}
	if !c.last {
		return nil
	}
	if s.file != nil {
		f := s.file
		s.file = nil
		if err := f.Close(); err != nil {
			return err
		}
	}
	if !c.broken {
		f := File{Path: c.path, Size: s.size, Exec: c.exec}
		s.sum.Sum(f.SHA256[:0])
		s.files = append(s.files, f)
	}
	return nil
}
