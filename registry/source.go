package registry

import (
	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/origin"
	"github.com/wuu-plugins/wuu/internal/sri"
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

// Source is a parsed spec. Path is absolute and free of symbolic links for
// local kinds, and the lock file of a Replay; Registry (a canonical origin),
// Package and Version are set for NPM and Replay.
type Source struct {
	Kind      SourceKind
	Spec      string // as typed
	Path      string
	Registry  string
	Package   string
	Version   string
	Integrity string // what the user, or the lock, expects; may be empty
	Lock      *lockfile.Lock
}

// SourceOptions are the flags that go with a spec.
type SourceOptions struct {
	Registry  string // --registry; "" means Default. Only npm: takes one
	Integrity string // --integrity; its strongest hash must be a sha512. Not for lock: and folders
	Default   string // registry when Registry is empty; "" means DefaultRegistry
	Dir       string // base of relative paths; "" means the working directory
	// InsecureLoopback allows plain HTTP to loopback addresses that Registry
	// names (tests); a Default may never be plain HTTP.
	InsecureLoopback bool
}

// DefaultRegistry is the npm registry's origin.
const DefaultRegistry = "https://registry.npmjs.org"

// Identity is what trust is bound to: "npm:<origin>/<package>", the same for
// npm: and for the replay of its lock, or "local:<path>".
func (s Source) Identity() string {
	if s.Kind == NPM || s.Kind == Replay {
		return "npm:" + s.Registry + "/" + s.Package
	}
	return "local:" + s.Path
}

// ParseSource is the only parser of specs. It does no I/O but reading a lock:
// file and asking whether a local path is a file or a folder. Errors are
// *Error of kind Usage, or Lock for a damaged lock. A range, a tag, a missing
// version or a git or web address is SOURCE_NOT_EXACT; [Client.SuggestExact]
// adds the exact versions to it.
func ParseSource(spec string, o SourceOptions) (Source, error) {
	s, err := parseSource(spec, o)
	if err != nil {
		return Source{}, err
	}
	s.Spec = spec
	return s, nil
}

func parseSource(spec string, o SourceOptions) (Source, error) {
	if o.Integrity != "" {
		if _, err := sri.ParseSHA512(o.Integrity); err != nil {
			return Source{}, fault.New(fault.Usage, "INTEGRITY_INVALID", "--integrity", "%q: %w; want sha512-<base64>", o.Integrity, err)
		}
	}
	if rest, ok := cutScheme(spec, "npm"); ok {
		return parseNPM(spec, rest, o)
	}
	if rest, ok := cutScheme(spec, "lock"); ok {
		return parseReplay(spec, rest, o)
	}
	return parseLocal(spec, o)
}

// registryOf returns the registry that the options choose.
func registryOf(o SourceOptions) (origin.Origin, error) {
	raw, flag, loopback := o.Registry, "--registry", o.InsecureLoopback
	if raw == "" {
		raw, flag, loopback = o.Default, "registry", false
	}
	if raw == "" {
		raw = DefaultRegistry
	}
	at, err := origin.Parse(raw, loopback)
	if err != nil {
		return at, fault.New(fault.Usage, "REGISTRY_INVALID", flag, "%w", err).
			WithHint("give an HTTPS origin, such as %s", DefaultRegistry)
	}
	return at, nil
}

func conflict(flag, spec, why string) *Error {
	return fault.New(fault.Usage, "SOURCE_CONFLICT", spec, "%s cannot go with it: %s", flag, why)
}
