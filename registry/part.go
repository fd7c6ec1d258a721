package registry

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/wuu-plugins/wuu/internal/filelock"
	"github.com/wuu-plugins/wuu/internal/fsx"
)

const (
	partPrefix = "part-"
	partsLock  = "parts.lock" // held, shared, by whoever has a part
)

// part is a file of the store in the making. As long as its process lives it
// holds the store's lock, so that a sweep tells it from what a killed run left.
type part struct {
	file *os.File
	live *filelock.Held
}

// part creates one, waiting for a sweep in progress.
func (s *Store) part(ctx context.Context) (*part, error) {
	p, err := s.newPart(ctx)
	if ctx.Err() != nil && err != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("make content store: %w", err)
	}
	return p, nil
}

func (s *Store) newPart(ctx context.Context) (*part, error) {
	if err := fsx.MkdirAll(s.dir, 0o700); err != nil {
		return nil, err
	}
	live, err := filelock.RLock(ctx, filepath.Join(s.dir, partsLock))
	if err != nil {
		return nil, err
	}
	f, err := fsx.Create(filepath.Join(s.dir, fsx.RandomName(partPrefix)))
	if err != nil {
		return nil, errors.Join(err, live.Unlock())
	}
	return &part{f, live}, nil
}

func (p *part) name() string                        { return p.file.Name() }
func (p *part) Write(b []byte) (int, error)         { return fsx.Write(p.file, b) }
func (p *part) Seek(to int64, w int) (int64, error) { return p.file.Seek(to, w) }
func (p *part) Truncate(size int64) error           { return fsx.Truncate(p.file, size) }
func (p *part) Close() error                        { return p.file.Close() }

// discard removes the closed part, unless it was moved to its place.
func (p *part) discard() {
	if there, _ := fsx.Exists(p.name()); there {
		_ = fsx.Remove(p.name()) // what stays is swept later
	}
	p.live.Unlock()
}

// replace gives the file at path, below the store's folder or beside it, other
// content in one step. It is not made durable: losing it loses nothing.
func (s *Store) replace(path string, data []byte) error {
	if err := fsx.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	p, err := s.part(context.Background())
	if err != nil {
		return err
	}
	defer p.discard()
	_, err = p.Write(data)
	if err = errors.Join(err, p.Close()); err != nil {
		return err
	}
	return fsx.RenameNow(p.name(), path)
}

// Sweep removes what killed downloads have left and returns its file names. As
// long as another process is downloading it removes nothing: age says nothing.
func (s *Store) Sweep() (removed []string) {
	parts := s.parts()
	if len(parts) == 0 {
		return nil
	}
	held, err := filelock.TryLock(filepath.Join(s.dir, partsLock), "")
	if err != nil {
		return nil
	}
	defer held.Unlock()
	for _, path := range s.parts() {
		if err := fsx.Remove(path); err == nil {
			removed = append(removed, path)
		}
	}
	return removed
}

func (s *Store) parts() (paths []string) {
	entries, _ := os.ReadDir(s.dir) // no store, no parts
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), partPrefix) {
			paths = append(paths, filepath.Join(s.dir, e.Name()))
		}
	}
	return paths
}
