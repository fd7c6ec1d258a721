// Package filelock takes leases: advisory locks on files, which the system
// gives back when their holder dies, whatever way it dies.
//
// The file is never removed by this package, and its content is only a note
// of who holds the lock, for messages: nothing is ever decided by it.
package filelock

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/gofrs/flock"

	"github.com/wuu-plugins/wuu/internal/fsx"
)

// Held is a lock that this process holds.
type Held struct {
	path string
	lock *flock.Flock
	note *os.File // nil for a shared lock
}

// BusyError says that another holder has the lock. Holder is the zero value
// when it left no readable note.
type BusyError struct {
	Path   string
	Holder Holder
}

func (e *BusyError) Error() string {
	return fmt.Sprintf("%s is locked by %s", e.Path, e.Holder)
}

// TryLock takes the exclusive lock on path without waiting; a *BusyError names
// who has it. A missing file is created with mode 0600, its folder must exist.
// command is noted for others to read; empty means this process's arguments.
// A path that is a symbolic link, or a hard link to another file, is refused.
func TryLock(path, command string) (*Held, error) {
	for {
		h, err := tryOnce(path, command)
		if !errors.Is(err, errReplaced) {
			return h, err
		}
	}
}

// TryRLock takes the lock on path shared with other readers, without waiting.
// It leaves no note.
func TryRLock(path string) (*Held, error) {
	for {
		h, err := tryShared(path)
		if !errors.Is(err, errReplaced) {
			return h, err
		}
	}
}

func tryShared(path string) (*Held, error) {
	f, err := openChecked(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	l := flock.New(path, flock.SetFlag(openFlags))
	ok, err := l.TryRLock()
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	if !ok {
		return nil, &BusyError{path, readHolder(f)}
	}
	if !same(l, f, path) {
		return nil, errors.Join(errReplaced, l.Unlock())
	}
	return &Held{path: path, lock: l}, nil
}

// Lock is TryLock that waits, looking again after pauses of 5 to 50 ms, until
// the lock is free or ctx ends (its error is returned then).
func Lock(ctx context.Context, path, command string) (*Held, error) {
	return wait(ctx, func() (*Held, error) { return TryLock(path, command) })
}

// RLock is TryRLock that waits like Lock.
func RLock(ctx context.Context, path string) (*Held, error) {
	return wait(ctx, func() (*Held, error) { return TryRLock(path) })
}

func wait(ctx context.Context, try func() (*Held, error)) (*Held, error) {
	const first, last = 5 * time.Millisecond, 50 * time.Millisecond
	pause := first
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		h, err := try()
		var busy *BusyError
		if !errors.As(err, &busy) {
			return h, err
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("wait: %w: %w", busy, context.Cause(ctx))
		case <-time.After(pause):
		}
		pause = min(pause+first, last)
	}
}

// errReplaced means that between opening and locking, the file at path became
// another one: its lock would protect nothing.
var errReplaced = errors.New("lock file was replaced")

func tryOnce(path, command string) (*Held, error) {
	note, err := openChecked(path)
	if err != nil {
		return nil, err
	}
	l := flock.New(path, flock.SetFlag(openFlags))
	ok, err := l.TryLock()
	if err != nil {
		note.Close()
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	if !ok {
		defer note.Close()
		return nil, &BusyError{path, readHolder(note)}
	}
	if !same(l, note, path) {
		return nil, errors.Join(errReplaced, note.Close(), l.Unlock())
	}
	writeHolder(note, self(command))
	return &Held{path, l, note}, nil
}

// same tells whether the locked file, the note's and the one at path are one.
func same(l *flock.Flock, note *os.File, path string) bool {
	locked, err1 := l.Stat()
	noted, err2 := note.Stat()
	now, err3 := os.Lstat(path)
	return err1 == nil && err2 == nil && err3 == nil && os.SameFile(locked, noted) && os.SameFile(noted, now)
}

// Path is the lock file's name.
func (h *Held) Path() string { return h.path }

// Unlock gives the lock back and clears the note. It may be called more than
// once; a nil Held is fine.
func (h *Held) Unlock() error {
	if h == nil || h.lock == nil {
		return nil
	}
	var err error
	if h.note != nil {
		clearHolder(h.note)
		err = h.note.Close()
	}
	err = errors.Join(err, h.lock.Unlock())
	h.lock = nil
	return err
}

// openChecked opens or creates the file for its note, and refuses links.
func openChecked(path string) (*os.File, error) {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		if err := fsx.Point("create", path); err != nil {
			return nil, err
		}
	case err != nil:
		return nil, err
	case info.Mode()&os.ModeSymlink != 0:
		return nil, &os.PathError{Op: "lock", Path: path, Err: fsx.ErrSymlink}
	case !info.Mode().IsRegular():
		return nil, &os.PathError{Op: "lock", Path: path, Err: fsx.ErrNotRegular}
	}
	f, err := os.OpenFile(path, openFlags|os.O_RDWR, 0o600)
	if err := fsx.After(err); err != nil {
		return nil, err
	}
	if err := checkLinks(f); err != nil {
		return nil, errors.Join(&os.PathError{Op: "lock", Path: path, Err: err}, f.Close())
	}
	return f, nil
}
