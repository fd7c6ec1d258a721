package archive

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"io"
	"sync"

	"github.com/klauspost/compress/flate"
)

// gzipBlock is how much of the content is compressed at once, in bytes. Like
// Level it is part of the format.
const gzipBlock = 512 << 10

// GzipWriter writes one gzip member at Level whose header holds neither name
// nor time nor operating system. Blocks are compressed in parallel, each with
// the end of the one before it as its dictionary, and joined at whole bytes
// (RFC 1951, 3.2.4): the bytes do not depend on the number of workers, and
// every reader sees one stream.
type GzipWriter struct {
	w     io.Writer
	jobs  chan *gzipJob
	spare chan *gzipJob // written, with their buffers
	order chan *gzipJob // the same, in the order of the content
	group sync.WaitGroup
	done  chan struct{} // closed when everything in order was written

	cur  *gzipJob
	dict []byte
	sum  uint32
	size uint32

	mu  sync.Mutex
	err error // the first of w
}

type gzipJob struct {
	data, dict []byte
	last       bool
	out        bytes.Buffer
	ready      chan struct{}
}

// NewGzipWriter starts the workers; Close ends them, also after an error.
func NewGzipWriter(w io.Writer, workers int) *GzipWriter {
	z := &GzipWriter{w: w, jobs: make(chan *gzipJob), order: make(chan *gzipJob, 2*workers), spare: make(chan *gzipJob, 3*workers+2), done: make(chan struct{})}
	for range workers {
		z.group.Go(z.compress)
	}
	go z.emit()
	return z
}

// Write takes content; an error is that of an earlier block.
func (z *GzipWriter) Write(p []byte) (int, error) {
	z.sum = crc32.Update(z.sum, crc32.IEEETable, p)
	z.size += uint32(len(p)) //nolint:gosec // counts modulo 2^32, as the format does
	for rest := p; len(rest) > 0; {
		if z.cur != nil && len(z.cur.data) == gzipBlock {
			z.submit(false)
		}
		if z.cur == nil {
			z.cur = z.job()
		}
		n := min(gzipBlock-len(z.cur.data), len(rest))
		z.cur.data = append(z.cur.data, rest[:n]...)
		rest = rest[n:]
	}
	return len(p), z.failed()
}

// Close writes what is left and the trailer.
func (z *GzipWriter) Close() error {
	z.submit(true)
	close(z.jobs)
	close(z.order)
	z.group.Wait()
	<-z.done
	var tail [8]byte
	binary.LittleEndian.PutUint32(tail[:4], z.sum)
	binary.LittleEndian.PutUint32(tail[4:], z.size)
	z.write(tail[:])
	return z.failed()
}

// job is an empty one, with the buffers of one that is done where there is one.
func (z *GzipWriter) job() *gzipJob {
	j := &gzipJob{ready: make(chan struct{})}
	select {
	case old := <-z.spare:
		old.out.Reset()
		j.data, j.out = old.data[:0], old.out
	default:
		j.data = make([]byte, 0, gzipBlock)
	}
	return j
}

func (z *GzipWriter) submit(last bool) {
	j := z.cur
	if j == nil {
		j = z.job()
	}
	j.dict, j.last = z.dict, last
	z.order <- j
	z.jobs <- j
	z.dict = j.data[max(0, len(j.data)-32<<10):]
	z.cur = nil
}

func (z *GzipWriter) compress() {
	w, err := flate.NewWriter(io.Discard, Level)
	if err != nil {
		panic("archive: " + err.Error()) // Level is a constant that exists
	}
	for j := range z.jobs {
		w.ResetDict(&j.out, j.dict)
		// A bytes.Buffer takes everything.
		_, _ = w.Write(j.data)
		if j.last {
			_ = w.Close()
		} else {
			_ = w.Flush()
		}
		close(j.ready)
	}
}

func (z *GzipWriter) emit() {
	defer close(z.done)
	z.write([]byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff}) // RFC 1952, 2.3: no flags, no time, system unknown
	var before *gzipJob                                    // its end is the dictionary of the next one
	for j := range z.order {
		<-j.ready
		if before != nil {
			select {
			case z.spare <- before:
			default:
			}
		}
		z.write(j.out.Bytes())
		before = j
	}
}

// write passes p on unless an earlier one failed.
func (z *GzipWriter) write(p []byte) {
	if z.failed() != nil {
		return
	}
	if _, err := z.w.Write(p); err != nil {
		z.mu.Lock()
		z.err = err
		z.mu.Unlock()
	}
}

func (z *GzipWriter) failed() error {
	z.mu.Lock()
	defer z.mu.Unlock()
	return z.err
}
