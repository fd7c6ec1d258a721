package catalog

import (
	"cmp"
	"slices"
	"time"

	"github.com/wuu-plugins/wuu/internal/manifest"
)

// Origin is where a package came from. Identity is what trust is bound to.
type Origin struct {
	Kind     string `json:"kind"` // directory, zip, tgz, npm, dev
	Spec     string `json:"spec"`
	Registry string `json:"registry,omitempty"`
	Package  string `json:"package,omitempty"`
	Path     string `json:"path,omitempty"`
	Identity string `json:"identity"`
}

// Record is one installed package or one dev override.
type Record struct {
	ID                 string                `json:"id"`
	Name               string                `json:"name"`
	Version            string                `json:"version"`
	Description        string                `json:"description,omitempty"`
	Origin             Origin                `json:"source"`
	ManifestPath       string                `json:"manifest_path"`
	FileCount          int                   `json:"file_count"`
	UnpackedSize       int64                 `json:"unpacked_size"`
	PackageFingerprint string                `json:"package_fingerprint"` // without the lock file
	Fingerprint        string                `json:"fingerprint"`         // with it
	Capabilities       manifest.Capabilities `json:"capabilities"`
	CapabilitiesDigest string                `json:"capabilities_digest"`
	MinimumWuuVersion  string                `json:"minimum_wuu_version,omitempty"`
	Platforms          []string              `json:"platforms"`
	// Dependencies are the manifest's, with its plain requires merged in.
	Dependencies    []manifest.Dependency `json:"dependencies"`
	Trusted         bool                  `json:"trusted"`
	DefaultEnabled  bool                  `json:"default_enabled"`
	EnabledOverride *bool                 `json:"enabled_override,omitempty"`
	InstalledAt     time.Time             `json:"installed_at"`
	Dev             bool                  `json:"dev,omitempty"`
	// StorageSubject, for a dev override only, is the subject that owns its
	// storage and settings: the installed plugin's when there was one at the
	// first publish (design/dev-loop.md, "Publishing").
	StorageSubject string `json:"storage_subject,omitempty"`
	// Root is the folder that holds the package now; Snapshot and Next fill it.
	// A later commit may move the package away: who reads from Root compares
	// Fingerprint, and takes a new snapshot when it differs.
	Root string `json:"root,omitempty"`
	// Broken says why the package on disk cannot be used; Snapshot and Next fill it.
	Broken string `json:"broken,omitempty"`
}

// Enabled is the override, else the manifest's default.
func (r Record) Enabled() bool {
	if r.EnabledOverride != nil {
		return *r.EnabledOverride
	}
	return r.DefaultEnabled
}

// State is one consistent view of the catalog. It is JSON-encodable: hosts
// receive it over the control channel.
type State struct {
	Epoch   uint64   `json:"epoch"`
	Plugins []Record `json:"plugins"` // installed, by id
	Dev     []Record `json:"dev"`     // dev overrides, by id
}

// Selected returns one record for each id, a dev override before the
// installed package, sorted by id, whether enabled or not. A dev override that
// is broken is not selected; a broken installed package is, with its reason.
func (s State) Selected() []Record {
	var all []Record
	for _, r := range s.Dev {
		if r.Broken == "" {
			all = append(all, r)
		}
	}
	for _, r := range s.Plugins {
		if find(all, r.ID) == nil {
			all = append(all, r)
		}
	}
	sortByID(all)
	return all
}

// Find returns the selected record of id.
func (s State) Find(id string) (Record, bool) {
	for _, r := range s.Selected() {
		if r.ID == id {
			return r, true
		}
	}
	return Record{}, false
}

func sortByID(all []Record) {
	slices.SortFunc(all, func(a, b Record) int { return cmp.Compare(a.ID, b.ID) })
}

// find returns a pointer into all, nil when id is not there.
func find(all []Record, id string) *Record {
	for i := range all {
		if all[i].ID == id {
			return &all[i]
		}
	}
	return nil
}

// without returns a new list with the record of id left out.
func without(all []Record, id string) []Record {
	return slices.DeleteFunc(slices.Clone(all), func(r Record) bool { return r.ID == id })
}

// with returns a new list in which r replaces the record of its id.
func with(all []Record, r Record) []Record {
	all = append(without(all, r.ID), r)
	sortByID(all)
	return all
}
