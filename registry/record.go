package registry

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/wuu-plugins/wuu/internal/npmver"
	"github.com/wuu-plugins/wuu/internal/origin"
	"github.com/wuu-plugins/wuu/internal/sri"
)

// StoredSource is what a registry's metadata said about a stored archive when
// it was fetched. Only metadata makes one: a lock that is replayed does not,
// since anybody can write a lock.
type StoredSource struct {
	Registry  string `json:"registry"`
	Package   string `json:"package"`
	Version   string `json:"version"`
	Tarball   string `json:"tarball"`
	Integrity string `json:"integrity"`
	// Signature is the outcome of the check when the archive came; its state is
	// empty in records of older versions.
	Signature Signature `json:"signature,omitzero"`
}

// sideRecord stands beside an archive. The same bytes may come from several
// registries; the latest source is first.
type sideRecord struct {
	Sources []StoredSource `json:"sources"`
}

// The limits of a side record: sources, bytes.
const (
	maxSources = 16
	maxRecord  = 64 << 10
)

// sources reads the side record of an archive, without entries that do not fit it.
func (s *Store) sources(sum [64]byte) []StoredSource {
	f, _, err := openRegular(s.path(sum) + recordExt)
	if err != nil {
		return nil
	}
	defer f.Close()
	var r sideRecord
	if json.NewDecoder(io.LimitReader(f, maxRecord)).Decode(&r) != nil {
		return nil
	}
	return slices.DeleteFunc(r.Sources, func(e StoredSource) bool { return !e.fits(sum) })
}

func (e StoredSource) fits(sum [64]byte) bool {
	at, err := origin.Parse(e.Registry, true)
	if err != nil || at.String() != e.Registry || e.Integrity != sri.FormatSHA512(sum) {
		return false
	}
	u, err := origin.CheckURL(e.Tarball, true)
	if err != nil || !at.Contains(u) || npmver.CheckName(e.Package) != nil {
		return false
	}
	_, err = npmver.Parse(e.Version)
	return err == nil
}

// note adds a source to the side record of an archive, by atomic replacement.
func (s *Store) note(sum [64]byte, e StoredSource) error {
	old := s.sources(sum)
	if len(old) > 0 && old[0] == e {
		return nil
	}
	same := func(o StoredSource) bool {
		return o.Registry == e.Registry && o.Package == e.Package && o.Version == e.Version
	}
	all := append([]StoredSource{e}, slices.DeleteFunc(old, same)...)
	src, err := json.MarshalIndent(sideRecord{all[:min(len(all), maxSources)]}, "", "  ")
	if err != nil {
		return fmt.Errorf("note source: %w", err)
	}
	if err := s.replace(s.path(sum)+recordExt, append(src, '\n')); err != nil {
		return fmt.Errorf("note source: %w", err)
	}
	return nil
}

// find returns the hashes of the archives that a registry gave as that version.
func (s *Store) find(registry, pkg, version string) (sum [64]byte, source StoredSource, ok bool) {
	for _, b := range s.blobs() {
		for _, e := range s.sources(b.SHA512) {
			if e.Registry == registry && e.Package == pkg && e.Version == version {
				return b.SHA512, e, true
			}
		}
	}
	return sum, source, false
}

// signature returns the outcome that was noted for a version when its archive came.
func (s *Store) signature(of Source, r *release) (Signature, bool) {
	for _, h := range r.integrity.Strongest() {
		if e, ok := s.noted([64]byte([]byte(h.Digest)), of); ok {
			return e.Signature, e.Signature.State != ""
		}
	}
	return Signature{}, false
}

// noted returns what the side record of an archive says about a version.
func (s *Store) noted(sum [64]byte, of Source) (StoredSource, bool) {
	for _, e := range s.sources(sum) {
		if e.Registry == of.Registry && e.Package == of.Package && e.Version == of.Version {
			return e, true
		}
	}
	return StoredSource{}, false
}

// versions lists the stored versions of a package, newest first.
func (s *Store) versions(registry, pkg string) []string {
	var all []string
	for _, b := range s.blobs() {
		for _, e := range s.sources(b.SHA512) {
			if e.Registry == registry && e.Package == pkg {
				all = append(all, e.Version)
			}
		}
	}
	return slices.Compact(npmver.SortNewest(all))
}

// blobs lists the archives in the store, the most recently used first.
func (s *Store) blobs() []StoredArchive {
	var all []StoredArchive
	folders, _ := os.ReadDir(s.dir) // no store, no archives
	for _, folder := range folders {
		if len(folder.Name()) != 2 || !folder.IsDir() {
			continue
		}
		files, _ := os.ReadDir(filepath.Join(s.dir, folder.Name()))
		for _, file := range files {
			sum, ok := blobSum(file.Name())
			info, err := file.Info()
			if !ok || err != nil || s.path(sum) != filepath.Join(s.dir, folder.Name(), file.Name()) {
				continue
			}
			all = append(all, StoredArchive{SHA512: sum, Size: info.Size(), Used: info.ModTime()})
		}
	}
	slices.SortStableFunc(all, func(a, b StoredArchive) int { return b.Used.Compare(a.Used) })
	return all
}
