package host

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/wuu-plugins/wuu/internal/filelock"
	"github.com/wuu-plugins/wuu/internal/fsx"
	"github.com/wuu-plugins/wuu/internal/paths"
	"github.com/wuu-plugins/wuu/pack"
)

// snapshots keeps <home>/generations/<fingerprint>/: read-only copies of
// packages, made once and shared by every host of the home. A host that uses
// one holds a shared lock on <fingerprint>.lock; only a snapshot whose lock is
// free is ever removed. generations/.lock guards the lock files themselves.
type snapshots struct{ home paths.Home }

const (
	guardName  = ".lock"
	lockSuffix = ".lock"
	tempPrefix = ".tmp-"
)

// lease keeps a snapshot from being removed until release.
func (s *snapshots) lease(ctx context.Context, fingerprint string) (release func(), err error) {
	if !isFingerprint(fingerprint) {
		return nil, fmt.Errorf("%q is no fingerprint", fingerprint)
	}
	guard, err := s.guard(ctx)
	if err != nil {
		return nil, err
	}
	held, err := filelock.TryRLock(s.home.Generation(fingerprint) + lockSuffix)
	if err := errors.Join(err, guard.Unlock()); err != nil {
		return nil, errors.Join(err, held.Unlock())
	}
	return func() { _ = held.Unlock() }, nil // the lock ends with the process at the latest
}

func (s *snapshots) guard(ctx context.Context) (*filelock.Held, error) {
	if err := os.MkdirAll(s.home.Generations(), 0o700); err != nil {
		return nil, err
	}
	return filelock.Lock(ctx, filepath.Join(s.home.Generations(), guardName), "")
}

// open returns the leased snapshot of r, copied from r.Root when no host has
// done so before.
func (s *snapshots) open(ctx context.Context, r record) (dir string, release func(), err error) {
	release, err = s.lease(ctx, r.Fingerprint)
	if err != nil {
		return "", nil, err
	}
	dir = s.home.Generation(r.Fingerprint)
	there, err := fsx.Exists(dir)
	if err == nil && !there {
		err = s.copy(ctx, r, dir)
	}
	if err != nil {
		release()
		return "", nil, err
	}
	return dir, release, nil
}

// copy makes the snapshot beside dir and renames it there. When another host
// was faster, its copy is as good.
func (s *snapshots) copy(ctx context.Context, r record, dir string) (err error) {
	temp := filepath.Join(s.home.Generations(), fsx.RandomName(tempPrefix+r.Fingerprint+"-"))
	if err := os.Mkdir(temp, 0o700); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, fsx.RemoveAll(temp)) }()
	if err := copyReadOnly(ctx, r, temp); err != nil {
		return err
	}
	err = fsx.Rename(temp, dir)
	if there, _ := fsx.Exists(dir); there {
		return nil
	}
	return err
}

func copyReadOnly(ctx context.Context, r record, temp string) (err error) {
	src, err := os.OpenRoot(r.Root)
	if err != nil {
		return err
	}
	defer src.Close()
	dst, err := os.OpenRoot(temp)
	if err != nil {
		return err
	}
	defer dst.Close()
	if err := fsx.CopyTree(ctx, src, dst); err != nil {
		return err
	}
	if err := verify(ctx, dst, r); err != nil {
		return err
	}
	return filepath.WalkDir(temp, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		return os.Chmod(path, info.Mode().Perm()&^0o222)
	})
}

// verify notices a package that was replaced between the reading of the
// catalog and the copy. Windows has no executable bit, which the fingerprint
// includes, so a folder cannot be compared there.
func verify(ctx context.Context, copied *os.Root, r record) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	got, err := pack.FingerprintDir(ctx, copied)
	if err != nil {
		return err
	}
	if got != r.Fingerprint {
		return fmt.Errorf("the package in %s is not the recorded one: its fingerprint is %s, not %s", r.Root, got, r.Fingerprint)
	}
	return nil
}

// prune removes the snapshots that no host uses and that keep does not name,
// and what killed hosts left half copied.
func (s *snapshots) prune(ctx context.Context, keep map[string]bool) error {
	entries, err := os.ReadDir(s.home.Generations())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	guard, err := s.guard(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = guard.Unlock() }()
	var failed error
	for _, e := range entries {
		fingerprint := fingerprintOf(e.Name())
		if fingerprint == "" || keep[fingerprint] && e.Name() == fingerprint {
			continue
		}
		failed = errors.Join(failed, s.remove(fingerprint, e.Name(), keep[fingerprint]))
	}
	return failed
}

// remove deletes one entry of a fingerprint if its lock is free. The lock file
// of a kept snapshot stays.
func (s *snapshots) remove(fingerprint, name string, keep bool) error {
	lock := s.home.Generation(fingerprint) + lockSuffix
	held, err := filelock.TryLock(lock, "")
	if busy := (*filelock.BusyError)(nil); errors.As(err, &busy) {
		return nil
	}
	if err != nil {
		return err
	}
	if filepath.Base(lock) != name {
		err = fsx.RemoveAll(filepath.Join(s.home.Generations(), name))
	}
	err = errors.Join(err, held.Unlock())
	if err != nil || keep {
		return err
	}
	if err := os.Remove(lock); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// fingerprintOf is the fingerprint that an entry of generations/ belongs to.
func fingerprintOf(name string) string {
	name = strings.TrimSuffix(strings.TrimPrefix(name, tempPrefix), lockSuffix)
	fingerprint, _, _ := strings.Cut(name, "-")
	if !isFingerprint(fingerprint) {
		return ""
	}
	return fingerprint
}

// isFingerprint accepts 64 lower-case hex digits: the value becomes a path.
func isFingerprint(s string) bool {
	b, err := hex.DecodeString(s)
	return err == nil && len(b) == 32 && strings.ToLower(s) == s
}

// prune removes the snapshots that neither a host uses nor the catalog
// selects. It is housekeeping: a failure is noted and tried again later.
func (h *Host) prune() {
	if h.hard.Err() != nil {
		return
	}
	s, err := h.catalog.Snapshot()
	if err != nil {
		h.note("host", "old snapshots are kept: "+err.Error())
		return
	}
	keep := map[string]bool{}
	for _, r := range append(s.Plugins, s.Dev...) {
		keep[r.Fingerprint] = true
	}
	if err := h.snapshots.prune(h.hard, keep); err != nil {
		h.note("host", "remove old snapshots: "+err.Error())
	}
}
