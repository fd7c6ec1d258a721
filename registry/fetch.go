package registry

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/sri"
	"github.com/wuu-plugins/wuu/lockfile"
)

// Fetch returns the verified archive of an archive source (not Directory). An
// npm package is resolved by its metadata and downloaded unless the store has
// it; a lock is replayed without metadata. A hash that differs is an error of
// kind Refused and code INTEGRITY_MISMATCH with IntegrityDetails, and nothing
// is kept. Offline, only the store is asked. progress may be nil.
func (c *Client) Fetch(ctx context.Context, s Source, progress func(Phase)) (*Artifact, error) {
	if progress == nil {
		progress = func(Phase) {}
	}
	var a *Artifact
	var err error
	switch s.Kind {
	case Zip, TGZ:
		a, err = fetchLocal(ctx, s)
	case NPM:
		a, err = c.fetchNPM(ctx, s, progress)
	case Replay:
		a, err = c.fetchReplay(ctx, s, progress)
	default:
		return nil, fmt.Errorf("fetch %s: a %s is no archive", s.Spec, s.Kind)
	}
	if err != nil {
		return nil, c.failure(ctx, s.Spec, err)
	}
	a.Source = s
	progress(Phase{Name: "done", Bytes: a.Size, Total: a.Size})
	return a, nil
}

func (c *Client) fetchNPM(ctx context.Context, s Source, progress func(Phase)) (*Artifact, error) {
	progress(Phase{Name: "resolve"})
	if c.o.Offline {
		return c.fetchOffline(ctx, s)
	}
	r, err := c.resolve(ctx, s)
	if err != nil {
		return nil, err
	}
	want, err := expected(s, r.integrity)
	if err != nil {
		return nil, err
	}
	check := c.startCheck(ctx, s, r)
	defer check.stop()
	if check.ctx.Err() != nil {
		return nil, context.Cause(check.ctx)
	}
	a, err := c.obtain(check.ctx, s, order{r.tarball, want, check.wait, progress})
	if err != nil {
		return nil, err
	}
	if err := check.wait(); err != nil {
		return closeOnError(a, err)
	}
	a.Deprecated, a.Signature = r.deprecated, &check.outcome
	err = c.store.note(a.SHA512, StoredSource{s.Registry, s.Package, s.Version, r.tarball, a.Lock.Integrity, check.outcome})
	return closeOnError(a, err)
}

// expected narrows the registry's hashes to those that --integrity names too.
func expected(s Source, stated sri.Integrity) (sri.Integrity, error) {
	if s.Integrity == "" {
		return stated, nil
	}
	given, err := sri.ParseSHA512(s.Integrity)
	if err != nil {
		return nil, fault.New(fault.Usage, "INTEGRITY_INVALID", "--integrity", "%q: %w", s.Integrity, err)
	}
	var both sri.Integrity
	for _, h := range given.Strongest() {
		if stated.Has(h) {
			both = append(both, h)
		}
	}
	if both == nil {
		want, got := sri.Integrity(given.Strongest()).String(), sri.Integrity(stated.Strongest()).String()
		return nil, fault.New(fault.Refused, "INTEGRITY_MISMATCH", s.Spec, "--integrity is not what %s states: wanted %s, got %s", s.Registry, want, got).
			WithHint("check where the expected hash came from; do not install the package before you know why they differ").
			WithDetails(IntegrityDetails{Want: want, Got: got})
	}
	return append(both, stated[len(stated.Strongest()):]...), nil
}

func (c *Client) fetchReplay(ctx context.Context, s Source, progress func(Phase)) (*Artifact, error) {
	lock := s.Lock
	if lock == nil {
		return nil, fmt.Errorf("replay %s: the source has no lock", s.Spec)
	}
	if err := lock.Check(); err != nil {
		f := fault.As(err)
		f.Subject = s.Spec
		return nil, f
	}
	if err := c.checkTarballURL(s, lock.Tarball); err != nil {
		return nil, err
	}
	want, err := sri.ParseSHA512(lock.Integrity)
	if err != nil {
		return nil, err
	}
	a, err := c.obtain(ctx, s, order{lock.Tarball, want, nil, progress})
	if err != nil {
		return nil, err
	}
	a.Lock.PluginID = lock.PluginID
	if e, ok := c.store.noted(a.SHA512, s); ok && e.Signature.State != "" {
		a.Signature = &e.Signature
	}
	return a, nil
}

// order is what to download.
type order struct {
	tarball  string
	want     sri.Integrity
	ready    func() error // asked when the bytes are right, before they are kept; may be nil
	progress func(Phase)
}

// obtain takes an archive from the store, or downloads it first.
func (c *Client) obtain(ctx context.Context, s Source, o order) (*Artifact, error) {
	altered := false
	for _, h := range o.want.Strongest() {
		a, err := c.stored(ctx, s, o.tarball, [64]byte([]byte(h.Digest)))
		if !errors.Is(err, fs.ErrNotExist) {
			return a, err
		}
		altered = altered || errors.Is(err, errAltered)
	}
	if c.o.Offline {
		return nil, notStored(s, altered)
	}
	sum, own, err := c.download(ctx, s, o)
	if err != nil {
		return nil, err
	}
	c.store.prune(c.store.max, &sum)
	a, err := c.kept(ctx, s, o.tarball, sum, own)
	if err == nil {
		a.Refetched = altered
	}
	return a, err
}

// kept opens an archive that was just downloaded.
func (c *Client) kept(ctx context.Context, s Source, tarball string, sum [64]byte, own bool) (*Artifact, error) {
	if own {
		// Every byte was hashed on its way here: this is the use that it was
		// fetched for.
		if file, size, err := openRegular(c.store.path(sum)); err == nil {
			c.store.touch(c.store.path(sum))
			return artifact(s, tarball, sum, file, size), nil
		}
	}
	return c.stored(ctx, s, tarball, sum)
}

// stored opens an archive of the store and hashes it once more.
func (c *Client) stored(ctx context.Context, s Source, tarball string, sum [64]byte) (*Artifact, error) {
	file, size, err := c.store.open(ctx, sum)
	if err != nil {
		return nil, err
	}
	return artifact(s, tarball, sum, file, size), nil
}

// artifact is a verified archive with its lock.
func artifact(s Source, tarball string, sum [64]byte, file *os.File, size int64) *Artifact {
	return &Artifact{
		Blob: file, Size: size, SHA512: sum, Name: s.Package, Version: s.Version, closer: file,
		Lock: &lockfile.Lock{
			LockVersion: lockfile.Version, Source: "npm", Registry: s.Registry, Package: s.Package, Version: s.Version,
			Tarball: tarball, Integrity: sri.FormatSHA512(sum),
		},
	}
}

func (c *Client) fetchOffline(ctx context.Context, s Source) (*Artifact, error) {
	sum, source, ok := c.store.find(s.Registry, s.Package, s.Version)
	if !ok {
		return nil, notStored(s, false)
	}
	stated, err := sri.ParseSHA512(source.Integrity)
	if err != nil {
		return nil, err
	}
	if _, err := expected(s, stated); err != nil {
		return nil, err
	}
	a, err := c.stored(ctx, s, source.Tarball, sum)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, notStored(s, errors.Is(err, errAltered))
	}
	if err == nil && source.Signature.State != "" {
		a.Signature = &source.Signature
	}
	return a, err
}

func notStored(s Source, altered bool) *Error {
	if altered {
		return fault.New(fault.Network, "OFFLINE_MISSING", s.Spec, "%s@%s from %s was altered in the content store, and is dropped from it", s.Package, s.Version, s.Registry).
			WithHint("run the command once without --offline; if it happens again, find out who writes there")
	}
	return fault.New(fault.Network, "OFFLINE_MISSING", s.Spec, "%s@%s from %s is not in the content store", s.Package, s.Version, s.Registry).
		WithHint("run the command once without --offline")
}

func closeOnError(a *Artifact, err error) (*Artifact, error) {
	if err != nil {
		return nil, errors.Join(err, a.Close())
	}
	return a, nil
}

// fetchLocal opens and hashes a zip or tgz on disk.
func fetchLocal(ctx context.Context, s Source) (*Artifact, error) {
	file, size, err := openRegular(s.Path)
	if err != nil {
		var path *fs.PathError
		if errors.As(err, &path) {
			err = path.Err
		}
		return nil, fault.New(fault.Usage, "SOURCE_MISSING", s.Spec, "cannot be read: %w", err)
	}
	a := &Artifact{Blob: file, Size: size, closer: file}
	if size > MaxArchive {
		return closeOnError(a, archiveTooLarge(s.Spec))
	}
	if a.SHA512, err = hashFile(ctx, file); err != nil {
		return closeOnError(a, err)
	}
	if s.Integrity == "" {
		return a, nil
	}
	want, err := sri.ParseSHA512(s.Integrity)
	if err != nil {
		return closeOnError(a, err)
	}
	got := sri.Hash{Algorithm: sri.SHA512, Digest: string(a.SHA512[:])}
	if !want.Has(got) {
		m := IntegrityDetails{Want: sri.Integrity(want.Strongest()).String(), Got: got.String(), Bytes: size}
		return closeOnError(a, fault.New(fault.Refused, "INTEGRITY_MISMATCH", s.Spec, "the file is not what --integrity names: wanted %s, got %s", m.Want, m.Got).
			WithHint("the file was changed, or the expected hash belongs to another one").WithDetails(m))
	}
	return a, nil
}
