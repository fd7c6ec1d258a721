// Package registry resolves sources and fetches npm tarballs: exact versions
// only, SHA-512 compared before one byte is decompressed.
package registry

import (
	"context"
	"io"
	"net/http"
	"time"

	"github.com/wuu-plugins/wuu/lockfile"
)

// SourceKind says how a source's bytes are reached.
type SourceKind string

// The kinds of source.
const (
	Directory SourceKind = "directory"
	Zip       SourceKind = "zip"
	TGZ       SourceKind = "tgz"
	NPM       SourceKind = "npm"
	Replay    SourceKind = "lock"
)

// Source is a parsed spec. Path is absolute for local kinds and Replay;
// Registry, Package and Version are set for NPM and Replay.
type Source struct {
	Kind      SourceKind
	Spec      string // as typed
	Path      string
	Registry  string
	Package   string
	Version   string
	Integrity string
	Lock      *lockfile.Lock
}

// SourceOptions are the flags that go with a spec.
type SourceOptions struct {
	Registry  string // "" means DefaultRegistry; given explicitly it is refused with lock:
	Integrity string
	Default   string // registry when Registry is empty; "" means the npm default
	Dir       string // base of relative paths; "" means the working directory
	// InsecureLoopback allows http://127.0.0.1 and [::1] registries (tests).
	InsecureLoopback bool
}

// DefaultRegistry is the npm registry's origin.
const DefaultRegistry = "https://registry.npmjs.org"

// ParseSource is the only parser of specs. It does no I/O but reading a lock:
// file and asking whether a local path is a file or a folder. Errors are
// *fault.Error (usage, or lock for a damaged lock).
func ParseSource(spec string, o SourceOptions) (Source, error) { panic("not built yet") }

// Identity is what trust is bound to: "npm:<origin>/<package>" or
// "local:<canonical path>".
func (s Source) Identity() string { panic("not built yet") }

// Phase reports progress. Name is resolve, download, verify or done; Total is
// 0 when unknown.
type Phase struct {
	Name  string `json:"phase"`
	Bytes int64  `json:"bytes"`
	Total int64  `json:"total,omitempty"`
}

// Artifact is a verified archive. Blob stays readable until Close.
type Artifact struct {
	Source        Source
	Blob          io.ReaderAt
	Size          int64
	SHA512        [64]byte
	Lock          *lockfile.Lock // npm and lock: only; PluginID is empty until known
	Name, Version string         // npm only: what package.json must say
	closer        io.Closer
}

// Close releases the blob's file.
func (a *Artifact) Close() error {
	if a.closer == nil {
		return nil
	}
	return a.closer.Close()
}

// Client fetches. The zero value is not usable: call NewClient.
type Client struct {
	o ClientOptions
}

// ClientOptions configure a Client.
type ClientOptions struct {
	CacheDir string // content store root, paths.Home.Cache()
	CacheMax int64  // bytes; 0 means 1 GiB
	Offline  bool   // resolve from the content store alone
	Getenv   func(string) string
	HTTP     *http.Client // nil: built from Getenv (proxies, certificates)
	Now      func() time.Time
	UA       string // User-Agent
	// InsecureLoopback allows plain HTTP to loopback registries (tests).
	InsecureLoopback bool
}

// NewClient makes a client; it creates nothing on disk until the first fetch.
func NewClient(o ClientOptions) (*Client, error) { panic("not built yet") }

// Fetch returns the verified archive of an archive source (not Directory).
// progress may be nil.
func (c *Client) Fetch(ctx context.Context, s Source, progress func(Phase)) (*Artifact, error) {
	panic("not built yet")
}

// Versions lists a package's published versions, newest first, deprecated and
// prerelease ones included.
func (c *Client) Versions(ctx context.Context, registry, pkg string) ([]string, error) {
	panic("not built yet")
}
