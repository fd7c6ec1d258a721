package registry

import (
	"context"
	"errors"
	"io"
	"net/http"
	"path/filepath"
	"time"

	"github.com/wuu-plugins/wuu/internal/httpx"
	"github.com/wuu-plugins/wuu/lockfile"
)

// The limits of what is fetched, in bytes (design/distribution.md).
const (
	MaxMetadata = 4 << 20
	MaxArchive  = 128 << 20
)

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
	Lock          *lockfile.Lock // npm and lock: only; PluginID is empty for npm, until the manifest says it
	Name, Version string         // npm and lock: only; what package.json must say
	Deprecated    string         // the publisher's words, npm only; may hold anything
	Signature     *Signature     // the registry's; nil when no metadata was read, now or when it was stored
	// Refetched says that the content store had the archive with other bytes,
	// altered on disk, and that it was dropped and fetched again.
	Refetched bool
	closer    io.Closer
}

// Close releases the blob's file.
func (a *Artifact) Close() error {
	if a.closer == nil {
		return nil
	}
	return a.closer.Close()
}

// Client fetches; it may be used concurrently. The zero value is not usable:
// call NewClient.
type Client struct {
	o     ClientOptions
	http  *httpx.Client
	store *Store
	keys  *keyring
}

// ClientOptions configure a Client.
type ClientOptions struct {
	CacheDir string // content store root, paths.Home.Cache()
	CacheMax int64  // bytes; 0 means 1 GiB
	Offline  bool   // resolve from the content store alone
	Getenv   func(string) string
	HTTP     *http.Client // only its Transport is used; nil: built from Getenv (proxies, certificates)
	Now      func() time.Time
	UA       string // User-Agent
	// InsecureLoopback allows plain HTTP to loopback registries (tests).
	InsecureLoopback bool
	// Sleep waits between tries; nil: real time. It returns early with an
	// error when the context ends.
	Sleep func(context.Context, time.Duration) error
}

// NewClient makes a client; it reads nothing and creates nothing on disk until
// the first fetch.
func NewClient(o ClientOptions) (*Client, error) {
	if o.CacheDir == "" {
		return nil, errors.New("make registry client: no content store")
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	h := httpx.Options{
		Getenv: o.Getenv, UserAgent: o.UA, InsecureLoopback: o.InsecureLoopback, Now: o.Now, Sleep: o.Sleep,
	}
	if o.HTTP != nil {
		if h.Transport = o.HTTP.Transport; h.Transport == nil {
			h.Transport = http.DefaultTransport
		}
	}
	store := OpenStore(o.CacheDir, o.CacheMax, o.Now)
	return &Client{
		o: o, http: httpx.New(h), store: store,
		keys: &keyring{dir: filepath.Join(o.CacheDir, "keys"), store: store, now: o.Now, offers: map[string]offer{}},
	}, nil
}

// Store is the client's content store.
func (c *Client) Store() *Store { return c.store }

// Close ends idle connections. The client stays usable.
func (c *Client) Close() { c.http.CloseIdleConnections() }
