package cli

import (
	"context"
	"crypto/sha256"
	"encoding/hex"

	"github.com/wuu-plugins/wuu/internal/catalog"
	"github.com/wuu-plugins/wuu/internal/fsx"
	"github.com/wuu-plugins/wuu/lockfile"
	"github.com/wuu-plugins/wuu/pack"
	"github.com/wuu-plugins/wuu/registry"
)

// fileListLimit bounds a file list, in bytes: 10,000 files with the longest
// paths fit.
const fileListLimit = 16 << 20

// keepFileList writes the list of the files of what was just installed, so that
// inspect --verify can name the one that changed. It needs no transaction: a
// list is believed only when its hash is the recorded fingerprint. A failure
// costs the names only, never the installation.
func (a *App) keepFileList(p *opened, r catalog.Record) {
	files := p.pkg.Files
	if lock := p.distribution(); lock != nil {
		files = append(files[:len(files):len(files)], lockEntry(lock))
	}
	list := pack.List(files)
	if !proves(list, r.Fingerprint) {
		return // the disk keeps no modes: the archive in the content store has to do
	}
	path := a.home.FileList(r.ID)
	if old, err := fsx.ReadFile(path, fileListLimit); err == nil && proves(old, r.Fingerprint) {
		return
	}
	if err := fsx.MkdirAll(a.home.FileLists(), 0o700); err != nil {
		return
	}
	_ = fsx.Remove(path) // what a killed run wrote in part, or the last version's
	f, err := fsx.Create(path)
	if err != nil {
		return
	}
	defer f.Close()
	_, _ = fsx.Write(f, list) // a torn list proves nothing and is ignored
}

// dropFileList removes the list of a plugin that is gone.
func (a *App) dropFileList(id string) { _ = fsx.Remove(a.home.FileList(id)) }

func lockEntry(lock *lockfile.Lock) pack.File {
	src := lock.Marshal()
	return pack.File{Path: lockfile.Name, Size: int64(len(src)), SHA256: sha256.Sum256(src)}
}

func proves(list []byte, fingerprint string) bool {
	sum := sha256.Sum256(list)
	return hex.EncodeToString(sum[:]) == fingerprint
}

// installedFiles finds what an installed package held, file by file: in the
// list that was kept, else in the archive in the content store. from says
// which: "list", "archive", or "" when neither has it.
func (a *App) installedFiles(ctx context.Context, r catalog.Record) (files []pack.File, from string) {
	if src, err := fsx.ReadFile(a.home.FileList(r.ID), fileListLimit); err == nil && proves(src, r.Fingerprint) {
		if files, err := pack.ParseList(src); err == nil {
			return files, "list"
		}
	}
	if files := a.archivedFiles(ctx, r); files != nil {
		return files, "archive"
	}
	return nil, ""
}

// archivedFiles reads the list off the archive in the content store, when the
// installed lock names one. A forged lock leads nowhere: the result has to
// have the recorded fingerprint.
func (a *App) archivedFiles(ctx context.Context, r catalog.Record) []pack.File {
	lock := installedLock(r)
	if lock == nil {
		return nil
	}
	client, err := a.registryClient(true)
	if err != nil {
		return nil
	}
	artifact, err := client.Fetch(ctx, replayOf(lock, r.Origin.Spec), nil)
	if err != nil {
		return nil
	}
	defer artifact.Close()
	p, _, err := pack.OpenArchive(ctx, artifact.Blob, artifact.Size, pack.Options{Format: pack.TGZ})
	if err != nil || p == nil {
		return nil
	}
	files := append(p.Files[:len(p.Files):len(p.Files)], lockEntry(lock))
	if pack.Fingerprint(files) != r.Fingerprint {
		return nil
	}
	return files
}

// replayOf is the source that a lock records.
func replayOf(lock *lockfile.Lock, spec string) registry.Source {
	return registry.Source{
		Kind: registry.Replay, Spec: spec, Registry: lock.Registry, Package: lock.Package, Version: lock.Version,
		Integrity: lock.Integrity, Lock: lock,
	}
}
