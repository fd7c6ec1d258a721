// Package catalog knows what is installed, trusted and enabled, and changes
// it only in transactions: one lease, a journal, one commit point, recovery.
package catalog

import (
	"context"
	"os"
	"time"

	"github.com/wuu-plugins/wuu/internal/manifest"
	"github.com/wuu-plugins/wuu/internal/paths"
	"github.com/wuu-plugins/wuu/lockfile"
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
	Dependencies       []manifest.Dependency `json:"dependencies"`
	Trusted            bool                  `json:"trusted"`
	DefaultEnabled     bool                  `json:"default_enabled"`
	EnabledOverride    *bool                 `json:"enabled_override,omitempty"`
	InstalledAt        time.Time             `json:"installed_at"`
	Dev                bool                  `json:"dev,omitempty"`
	// Root is the folder that holds the package now; Snapshot and Next fill it.
	Root string `json:"root,omitempty"`
	// Broken says why the package on disk cannot be used; Snapshot fills it.
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
// installed package, sorted by id, whether enabled or not.
func (s State) Selected() []Record { panic("not built yet") }

// Find returns the selected record of id.
func (s State) Find(id string) (Record, bool) { panic("not built yet") }

// Catalog gives access to one home.
type Catalog struct {
	home paths.Home
	now  func() time.Time
}

// Open returns the catalog of home. Nothing is created or read yet.
func Open(home paths.Home, now func() time.Time) *Catalog { return &Catalog{home, now} }

// Snapshot reads the state without a lease. An interrupted commit is seen as
// the state before or after it, never between.
func (c *Catalog) Snapshot() (State, error) { panic("not built yet") }

// Epoch reads the epoch alone: 0 before the first change.
func (c *Catalog) Epoch() (uint64, error) { panic("not built yet") }

// Stage is a private folder on the home's file system in which a package is
// made ready. It is owned by a locked file, so that a sweep tells the leftover
// of a killed run from work in progress.
type Stage struct {
	dir  string
	root *os.Root
	// filled in by its builder
}

// NewStage makes an empty stage; no lease is needed.
func (c *Catalog) NewStage() (*Stage, error) { panic("not built yet") }

// Root is the folder that takes the package's files.
func (s *Stage) Root() *os.Root { return s.root }

// Dir is Root's absolute path.
func (s *Stage) Dir() string { return s.dir }

// Close removes the stage unless a commit has taken its folder. It may be
// called more than once.
func (s *Stage) Close() error { panic("not built yet") }

// Candidate describes the package in a stage.
type Candidate struct {
	Manifest           *manifest.Manifest
	ManifestPath       string
	Origin             Origin
	PackageFingerprint string
	FileCount          int
	UnpackedSize       int64
	Executables        []string
	Lock               *lockfile.Lock // npm and lock: sources; Put writes it into the stage
}

// Consent is what the person or the pipeline agreed to.
type Consent struct {
	Yes            bool   // --yes, or the prompt's answer
	Digest         string // --accept-capabilities
	AllowDowngrade bool
}

// ConsentNeeded is the Details of a consent error.
type ConsentNeeded struct {
	Reason             string                `json:"reason"` // new, identity or capabilities
	Origin             Origin                `json:"source"`
	Previous           *Origin               `json:"previous_source,omitempty"`
	Capabilities       manifest.Capabilities `json:"capabilities"`
	Added              []string              `json:"added,omitempty"`
	CapabilitiesDigest string                `json:"capabilities_digest"`
}

// Change is one step of a transaction. Action is installed, updated,
// unchanged, enabled, disabled, removed, published or revoked.
type Change struct {
	Action string
	Before *Record
	After  *Record
}

// Repair is something that Begin found broken and mended.
type Repair struct {
	What string `json:"what"`
	Path string `json:"path"`
}

// Tx is one mutation of the catalog under the lease.
type Tx struct {
	c *Catalog
	// filled in by its builder
}

// Begin takes the lease without waiting (kind Busy when another process holds
// it), finishes or reverts an interrupted commit, and sweeps dead stages.
func (c *Catalog) Begin(ctx context.Context) (*Tx, error) { panic("not built yet") }

// Repairs lists what Begin mended.
func (t *Tx) Repairs() []Repair { panic("not built yet") }

// Put stages an install or update of the package in s. Without the consent it
// needs it returns a *fault.Error of kind Consent with ConsentNeeded details,
// and the transaction stays usable.
func (t *Tx) Put(s *Stage, p Candidate, consent Consent) (Change, error) { panic("not built yet") }

// PutDev stages a dev override: authorised by path and id, with an HMAC
// receipt over id, path and fingerprint. source is the folder or file.
func (t *Tx) PutDev(s *Stage, p Candidate, source string) (Change, error) { panic("not built yet") }

// RevokeDev ends the dev override of id and forgets its authorisation.
func (t *Tx) RevokeDev(id string) (Change, error) { panic("not built yet") }

// Set records an explicit enabled_override for an installed package.
func (t *Tx) Set(id string, enabled bool) (Change, error) { panic("not built yet") }

// Remove takes the package out; purge also drops its storage and settings.
func (t *Tx) Remove(id string, purge bool) (Change, error) { panic("not built yet") }

// Next is the state that Commit will make: what hosts preflight. Staged
// packages have their stage as Root.
func (t *Tx) Next() State { panic("not built yet") }

// Commit makes every staged change durable, or none, and advances the epoch.
func (t *Tx) Commit(ctx context.Context) (epoch uint64, err error) { panic("not built yet") }

// Close gives the lease back; before Commit nothing has happened.
func (t *Tx) Close() error { panic("not built yet") }
