// Package pack turns a source tree or an archive into a checked package: its
// files, limits and fingerprint; and writes the canonical zip and npm tarball.
//
// One policy holds for all three ways in. [OpenDir] reads the packed set of a
// folder, [OpenArchive] checks a zip or an npm tarball without writing, and
// [Extract] checks and writes in one pass. What they refuse they report as
// findings with stable codes; an error is returned only when bytes could not
// be read or written. The same files have the same [Fingerprint] whichever way
// they came.
//
// A package is its regular files. Empty folders, owners and times are not part
// of it, and the mode of a file is one bit: executable or not.
package pack

import (
	"context"
	"io"
	"os"

	"github.com/wuu-plugins/wuu/internal/archive"
	"github.com/wuu-plugins/wuu/internal/diag"
)

// Finding is a mistake at its exact place.
type Finding = diag.Finding

// Format is the form in which a package comes.
type Format string

// The formats of a package. In Options the empty format lets the first bytes
// of an archive decide.
const (
	Dir Format = "dir"
	Zip Format = "zip"
	TGZ Format = "tgz"
)

// FormatOf returns the archive format that a file name promises, "" for none.
func FormatOf(name string) Format { return Format(archive.FormatOf(name)) }

// Limits bound what a package may cost; zero values mean the defaults.
type Limits struct {
	Archive  int64 // bytes compressed, default 128 MiB
	Unpacked int64 // bytes, default 512 MiB
	Entries  int   // files and folders, default 10,000
	Ratio    int64 // unpacked over compressed beyond 1 MiB, default 200
}

func (l Limits) withDefaults() Limits {
	if l.Archive == 0 {
		l.Archive = 128 << 20
	}
	if l.Unpacked == 0 {
		l.Unpacked = 512 << 20
	}
	if l.Entries == 0 {
		l.Entries = 10_000
	}
	if l.Ratio == 0 {
		l.Ratio = 200
	}
	return l
}

func (l Limits) archive() archive.Limits { return archive.Limits(l.withDefaults()) }

// File is one regular file of a package.
type File struct {
	Path   string // slash-separated, relative to the package root
	Size   int64
	Exec   bool
	SHA256 [32]byte
}

// Omitted is a file that the packed set leaves out, and why. A whole folder
// stands there once, with a trailing slash.
type Omitted struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

// Options guide opening a package.
type Options struct {
	Limits Limits
	// Format, when set, is what an archive has to be (see FormatOf).
	Format Format
	// Overlay replaces or adds files (path → content): what the embedded
	// builder made in memory. Directories only.
	Overlay map[string][]byte
	// Hold is how many bytes of a folder's content may be kept in memory once
	// they are hashed, so that scanning and writing need not read and compare
	// the files once more. Small files come first come, first served; 0 keeps
	// nothing.
	Hold int64
	// WantName and WantVersion, when set, must equal the npm package.json.
	WantName, WantVersion string
}

// Package is a checked package whose content can be read.
type Package struct {
	Format                   Format
	ID, Version, Fingerprint string // ID is "" unless it is a valid plugin id
	ManifestPath             string // plugin.json, or one of the two dot-folder forms
	Manifest                 []byte
	PackageJSON              []byte // nil when the package has none
	Files                    []File // sorted by path bytes
	Omitted                  []Omitted
	Size                     int64 // sum of the files' sizes

	limits  Limits
	content content
}

// OpenDir reads the packed set of a folder. error is I/O only: a refusal is
// a Finding of severity error together with a nil Package. The package reads
// from root as long as it is used; the caller closes root.
func OpenDir(ctx context.Context, root *os.Root, o Options) (*Package, []Finding, error) {
	return openDir(ctx, root, o)
}

// OpenArchive checks a zip or npm tarball to its last byte, writing nothing.
// error is I/O only: a refusal is a Finding and a nil Package.
func OpenArchive(ctx context.Context, r io.ReaderAt, size int64, o Options) (*Package, []Finding, error) {
	return readArchive(ctx, r, size, nil, o)
}

// Extract checks and writes in one pass; after the first refusal nothing more
// is written, but checking goes on to the last byte. The caller removes dst's
// content after a refusal or an error. Files that are already in dst are never
// overwritten: they make Extract fail. The package reads from dst.
func Extract(ctx context.Context, r io.ReaderAt, size int64, dst *os.Root, o Options) (*Package, []Finding, error) {
	return readArchive(ctx, r, size, dst, o)
}
