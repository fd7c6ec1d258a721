package registry

import (
	"context"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/wuu-plugins/wuu/internal/fsx"
)

// Store keeps verified archives under <dir>/sha512/<2 hex>/<hex>. It is a
// cache: every use hashes the archive again, and deleting it loses nothing.
// Several processes may use it at once. The modification time of an archive is
// the time of its last use.
type Store struct {
	dir string
	max int64
	now func() time.Time
}

// DefaultCacheMax is the size of a store whose maximum is not set, in bytes.
const DefaultCacheMax = 1 << 30

// OpenStore returns the store below dir, the content store's root; nothing is
// created. max is in bytes, 0 means DefaultCacheMax.
func OpenStore(dir string, max int64, now func() time.Time) *Store {
	if max <= 0 {
		max = DefaultCacheMax
	}
	if now == nil {
		now = time.Now
	}
	return &Store{dir: filepath.Join(dir, "sha512"), max: max, now: now}
}

func (s *Store) path(sum [64]byte) string {
	name := hex.EncodeToString(sum[:])
	return filepath.Join(s.dir, name[:2], name)
}

// open returns the archive with that hash, after hashing it again. What is
// there but has other bytes is dropped; then the error is errAltered. It is
// fs.ErrNotExist when there is none, or the end of ctx.
func (s *Store) open(ctx context.Context, sum [64]byte) (*os.File, int64, error) {
	path := s.path(sum)
	f, size, err := openRegular(path)
	if errors.Is(err, errNotRegular) {
		s.drop(path)
		return nil, 0, errAltered
	}
	if err != nil {
		return nil, 0, err
	}
	got, err := hashFile(ctx, f)
	if err == nil && got == sum {
		s.touch(path)
		return f, size, nil
	}
	f.Close()
	if ctx.Err() != nil {
		return nil, 0, err
	}
	s.drop(path)
	return nil, 0, errAltered
}

// touch notes a use. Only the order of eviction depends on it.
func (s *Store) touch(path string) {
	now := s.now()
	_ = fsx.Chtimes(path, now, now)
}

// drop removes an archive and its record. A failure leaves a file that the
// next use refuses again.
func (s *Store) drop(path string) {
	_ = fsx.Remove(path)
	_ = fsx.Remove(path + recordExt)
}

// keep moves a part, closed and verified, to its place. Another process may
// have been faster, and on Windows may hold the file open: then its copy stays,
// and own is false.
func (s *Store) keep(part string, sum [64]byte) (own bool, err error) {
	path := s.path(sum)
	if err := fsx.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return false, fmt.Errorf("keep archive: %w", err)
	}
	err = fsx.RenameNow(part, path)
	if err != nil {
		if info, statErr := os.Lstat(path); statErr != nil || !info.Mode().IsRegular() {
			return false, fmt.Errorf("keep archive: %w", err)
		}
	}
	return err == nil, nil
}

const recordExt = ".json"

var (
	errNotRegular = errors.New("not a regular file")
	// errAltered is one way not to be there.
	errAltered = fmt.Errorf("altered on disk: %w", fs.ErrNotExist)
)

// openRegular opens a regular file and nothing that would block or lead away.
func openRegular(path string) (*os.File, int64, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, 0, err
	}
	if !info.Mode().IsRegular() {
		return nil, 0, errNotRegular
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	if info, err = f.Stat(); err != nil {
		f.Close()
		return nil, 0, err
	}
	return f, info.Size(), nil
}

// hashFile hashes a file from its start, until ctx ends.
func hashFile(ctx context.Context, r io.ReaderAt) (sum [64]byte, err error) {
	h := sha512.New()
	buf := make([]byte, 256<<10)
	for at := int64(0); ; {
		if ctx.Err() != nil {
			return sum, context.Cause(ctx)
		}
		n, err := r.ReadAt(buf, at)
		h.Write(buf[:n])
		at += int64(n)
		if errors.Is(err, io.EOF) {
			h.Sum(sum[:0])
			return sum, nil
		}
		if err != nil {
			return sum, err
		}
	}
}

// blobSum reads the hash in an archive's file name.
func blobSum(name string) (sum [64]byte, ok bool) {
	raw, err := hex.DecodeString(name)
	if err != nil || len(raw) != len(sum) || strings.ToLower(name) != name {
		return sum, false
	}
	return [64]byte(raw), true
}
