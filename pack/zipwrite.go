package pack

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"hash/crc32"
	"io"
	"sync"

	"github.com/wuu-plugins/wuu/internal/archive"
	"github.com/wuu-plugins/wuu/internal/fault"
)

// packWorkers compress in parallel. The bytes do not depend on their number.
const packWorkers = 2

// dosEpoch is 1980-01-01 in the date field of a zip, the earliest it can hold:
// every entry carries it, so time is no part of the bytes.
const dosEpoch = 1<<5 | 1

// WriteZip writes the canonical zip: same package, same bytes, whatever clock,
// umask, order of the folder or number of cores. Entries are sorted by path
// and carry the mode 0644 or 0755; there are no entries for folders.
func (p *Package) WriteZip(ctx context.Context, w io.Writer) error {
	return p.writeZip(ctx, w, packWorkers)
}

func (p *Package) writeZip(ctx context.Context, w io.Writer, workers int) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	out := &countingWriter{w: w}
	zw := zip.NewWriter(out)
	results, wait := p.deflateAll(ctx, workers)
	err := p.assemble(ctx, zw, results)
	if err != nil {
		cancel(err)
	}
	wait()
	if err == nil {
		err = zw.Close()
	}
	if err != nil {
		return err
	}
	return p.checkPacked(out.n)
}

// packedFile is one compressed file.
type packedFile struct {
	data   []byte
	method uint16
	crc    uint32
	err    error
}

// assemble writes the entries in the order of Files.
func (p *Package) assemble(ctx context.Context, zw *zip.Writer, results <-chan chan packedFile) error {
	for _, f := range p.Files {
		var packed packedFile
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case slot, ok := <-results:
			if !ok {
				return context.Cause(ctx)
			}
			packed = <-slot
		}
		if packed.err != nil {
			return packed.err
		}
		h := &zip.FileHeader{
			Name: f.Path, Method: packed.method, CRC32: packed.crc,
			CompressedSize64: uint64(len(packed.data)), UncompressedSize64: uint64(f.Size),
		}
		h.ModifiedDate = dosEpoch //nolint:staticcheck // CreateRaw writes the fields as they are
		h.Flags = 1 << 11         // names are UTF-8
		h.SetMode(0o644)
		if f.Exec {
			h.SetMode(0o755)
		}
		ew, err := zw.CreateRaw(h)
		if err != nil {
			return err
		}
		if _, err := ew.Write(packed.data); err != nil {
			return err
		}
	}
	return nil
}

// deflateAll starts the workers. Slots come in the order of Files; a bounded
// number of them bounds the memory. wait returns when every goroutine ended.
func (p *Package) deflateAll(ctx context.Context, workers int) (results <-chan chan packedFile, wait func()) {
	type job struct {
		file File
		slot chan packedFile
	}
	jobs := make(chan job)
	slots := make(chan chan packedFile, 4*workers)
	var group sync.WaitGroup
	group.Go(func() {
		defer close(slots)
		defer close(jobs)
		for _, f := range p.Files {
			j := job{f, make(chan packedFile, 1)}
			select {
			case <-ctx.Done():
				return
			case slots <- j.slot:
			}
			select {
			case <-ctx.Done():
				j.slot <- packedFile{err: context.Cause(ctx)}
				return
			case jobs <- j:
			}
		}
	})
	for range workers {
		group.Go(func() {
			c := compressor{in: opener{content: p.content}, deflater: archive.NewDeflater()}
			defer c.in.close()
			for j := range jobs {
				j.slot <- c.deflate(j.file)
			}
		})
	}
	return slots, group.Wait
}

// compressor is what one worker uses again for every file.
type compressor struct {
	in       opener
	deflater *archive.Deflater
	raw      []byte
	small    bytes.Buffer
}

// largeBuffer is the size from which buffers are not kept for the next file.
const largeBuffer = 4 << 20

// deflate compresses one file in memory. What does not shrink is stored.
func (c *compressor) deflate(f File) packedFile {
	raw, err := c.in.read(f, c.raw)
	if err != nil {
		return packedFile{err: err}
	}
	out := packedFile{crc: crc32.ChecksumIEEE(raw), method: zip.Store, data: raw}
	if !c.isNoise(raw) {
		c.small.Reset()
		if err := c.deflater.Deflate(&c.small, bytes.NewReader(raw)); err != nil {
			return packedFile{err: err}
		}
		if c.small.Len() < len(raw) {
			out.data, out.method = c.small.Bytes(), zip.Deflate
		}
	}
	out.data = bytes.Clone(out.data)
	if c.raw = raw; cap(raw) > largeBuffer {
		c.raw, c.small = nil, bytes.Buffer{}
	}
	return out
}

// checkPacked applies the limits that install applies to the archive.
func (p *Package) checkPacked(size int64) error {
	limits := p.limits.archive()
	if size > limits.Archive {
		return fault.New(fault.Check, "LIMIT_ARCHIVE", p.ID, "the archive has %d bytes, at most %d are allowed", size, limits.Archive)
	}
	if most, code := limits.Content(size); p.Size > most {
		return fault.New(fault.Check, code, p.ID, "%d bytes pack into %d, which install refuses as a bomb (more than %d:1)", p.Size, size, limits.Ratio).
			WithHint("leave the large repetitive file out, or compress it yourself")
	}
	return nil
}

// countingWriter counts what goes through it.
type countingWriter struct {
	w io.Writer
	n int64
}

func (c *countingWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}

var errNoPackageJSON = errors.New("an npm tarball needs a package.json")
