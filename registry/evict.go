package registry

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"time"
)

// StoredArchive is one archive in the store.
type StoredArchive struct {
	SHA512  [64]byte
	Size    int64
	Used    time.Time
	Sources []StoredSource
}

// List returns all archives, the most recently used first.
func (s *Store) List() []StoredArchive {
	all := s.blobs()
	for i := range all {
		all[i].Sources = s.sources(all[i].SHA512)
	}
	return all
}

// Verify hashes every archive, drops the altered ones and returns them. It
// counts as no use. progress, which may be nil, gets the bytes of all archives
// in the phase verify.
func (s *Store) Verify(ctx context.Context, progress func(Phase)) (dropped []StoredArchive, err error) {
	all := s.List()
	now := Phase{Name: "verify"}
	for _, b := range all {
		now.Total += b.Size
	}
	for _, b := range all {
		intact, err := s.intact(ctx, b, func(n int) {
			if now.Bytes += int64(n); progress != nil {
				progress(now)
			}
		})
		if err != nil {
			return dropped, err
		}
		if !intact {
			s.drop(s.path(b.SHA512))
			dropped = append(dropped, b)
		}
	}
	return dropped, nil
}

// intact hashes one archive; one that has gone meanwhile is not altered. The
// error is the end of ctx.
func (s *Store) intact(ctx context.Context, b StoredArchive, read func(n int)) (bool, error) {
	f, _, err := openRegular(s.path(b.SHA512))
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	var got [64]byte
	if err == nil {
		got, err = hashFile(ctx, countingReader{f, read})
		f.Close()
	}
	if ctx.Err() != nil {
		return false, context.Cause(ctx)
	}
	return err == nil && got == b.SHA512, nil
}

// countingReader tells how much was read.
type countingReader struct {
	io.ReaderAt
	read func(n int)
}

// ReadAt reads and tells.
func (c countingReader) ReadAt(p []byte, offset int64) (int, error) {
	n, err := c.ReaderAt.ReadAt(p, offset)
	c.read(n)
	return n, err
}

// Prune removes the least recently used archives until the rest has max bytes
// at most, and what killed downloads left behind. It returns what it removed.
func (s *Store) Prune(max int64) (removed []StoredArchive) {
	s.Sweep()
	return s.prune(max, nil)
}

// prune never removes keep, which counts as the most recently used.
func (s *Store) prune(max int64, keep *[64]byte) (removed []StoredArchive) {
	isKept := func(b StoredArchive) bool { return keep != nil && b.SHA512 == *keep }
	all := s.blobs()
	total := int64(0)
	for _, b := range all {
		if isKept(b) {
			total = b.Size
		}
	}
	for _, b := range all {
		if isKept(b) {
			continue
		}
		if total += b.Size; total <= max {
			continue
		}
		b.Sources = s.sources(b.SHA512)
		s.drop(s.path(b.SHA512))
		total -= b.Size
		removed = append(removed, b)
	}
	return removed
}
