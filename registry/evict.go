package registry

import (
	"context"
	"errors"
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
// counts as no use.
func (s *Store) Verify(ctx context.Context) (dropped []StoredArchive, err error) {
	for _, b := range s.List() {
		f, _, err := openRegular(s.path(b.SHA512))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		var got [64]byte
		if err == nil {
			got, err = hashFile(ctx, f)
			f.Close()
		}
		if ctx.Err() != nil {
			return dropped, context.Cause(ctx)
		}
		if err != nil || got != b.SHA512 {
			s.drop(s.path(b.SHA512))
			dropped = append(dropped, b)
		}
	}
	return dropped, nil
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
		s.drop(s.path(b.SHA512))
		total -= b.Size
		removed = append(removed, b)
	}
	return removed
}
