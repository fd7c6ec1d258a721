// Package pack turns a source tree or an archive into a checked package: its
// files, limits and fingerprint; and writes the canonical zip and npm tarball.
package pack

import (
	"context"
	"io"
	"os"

	"github.com/wuu-plugins/wuu/internal/diag"
)

// Finding is a mistake at its exact place.
type Finding = diag.Finding

// Limits bound what a package may cost; zero values mean the defaults.
type Limits struct {
	Archive  int64 // bytes compressed, default 128 MiB
	Unpacked int64 // bytes, default 512 MiB
	Entries  int   // files and folders, default 10,000
	Ratio    int64 // unpacked over compressed beyond 1 MiB, default 200
}

// File is one regular file of a package.
type File struct {
	Path   string // slash-separated, relative to the package root
	Size   int64
	Exec   bool
	SHA256 [32]byte
}

// Omitted is a file that the packed set leaves out, and why.
type Omitted struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

// Options guide opening a package.
type Options struct {
	Limits Limits
	// Overlay replaces or adds files (path → content): what the embedded
	// builder made in memory. Directories only.
	Overlay map[string][]byte
	// WantName and WantVersion, when set, must equal the npm package.json.
	WantName, WantVersion string
}

// Package is a checked package whose content can be read.
type Package struct {
	ID, Version, Fingerprint string
	ManifestPath             string // plugin.json, or one of the two dot-folder forms
	Manifest                 []byte
	Files                    []File // sorted by path bytes
	Omitted                  []Omitted
	Size                     int64 // sum of the files' sizes
	// contains filtered fields
}

// ReadFile returns the content of one packed file, at most limit bytes
// (an error beyond). After OpenArchive only the manifest and package.json are at hand.
func (p *Package) ReadFile(path string, limit int64) ([]byte, error) { panic("not built yet") }

// CopyTo writes every file of the package into dst with mode 0644 or 0755.
func (p *Package) CopyTo(ctx context.Context, dst *os.Root) error { panic("not built yet") }

// OpenDir reads the packed set of a folder. error is I/O only: a refusal is
// a Finding of severity error together with a nil Package.
func OpenDir(ctx context.Context, root *os.Root, o Options) (*Package, []Finding, error) {
	panic("not built yet")
}

// OpenArchive checks a zip or npm tarball to its last byte, writing nothing.
// error is I/O only: a refusal is a Finding and a nil Package.
func OpenArchive(ctx context.Context, r io.ReaderAt, size int64, o Options) (*Package, []Finding, error) {
	panic("not built yet")
}

// Extract checks and writes in one pass; after the first refusal nothing more
// is written, but checking goes on to the last byte. The caller removes dst's
// content after a refusal.
func Extract(ctx context.Context, r io.ReaderAt, size int64, dst *os.Root, o Options) (*Package, []Finding, error) {
	panic("not built yet")
}

// WriteZip writes the canonical zip: same package, same bytes.
func (p *Package) WriteZip(ctx context.Context, w io.Writer) error { panic("not built yet") }

// WriteTGZ writes the canonical npm tarball (root package/). The package must
// hold a package.json.
func (p *Package) WriteTGZ(ctx context.Context, w io.Writer) error { panic("not built yet") }

// FingerprintDir hashes an installed folder as it stands, every regular file
// included: what inspect --verify compares.
func FingerprintDir(ctx context.Context, root *os.Root) (string, error) { panic("not built yet") }
