package registry

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/npmver"
	"github.com/wuu-plugins/wuu/internal/origin"
	"github.com/wuu-plugins/wuu/lockfile"
)

func cutScheme(spec, scheme string) (string, bool) {
	head, rest, ok := strings.Cut(spec, ":")
	return rest, ok && head == scheme
}

func parseNPM(spec, rest string, o SourceOptions) (Source, error) {
	registry, err := registryOf(o)
	if err != nil {
		return Source{}, err
	}
	name, version := splitVersion(rest)
	if err := npmver.CheckName(name); err != nil {
		return Source{}, fault.New(fault.Usage, "NPM_NAME_INVALID", spec, "%w", err).
			WithHint("write npm:<name>@<exact version> or npm:@<scope>/<name>@<exact version>")
	}
	if v, err := npmver.Parse(version); err != nil || v.WithoutBuild() != version {
		return Source{}, notExact(spec, &NotExactError{Registry: registry.String(), Package: name, Wanted: version})
	}
	return Source{
		Kind: NPM, Registry: registry.String(), Package: name, Version: version, Integrity: o.Integrity,
	}, nil
}

// splitVersion cuts "name@version" at the first @ that does not begin a scope.
func splitVersion(s string) (name, version string) {
	if s == "" {
		return "", ""
	}
	if i := strings.IndexByte(s[1:], '@'); i >= 0 {
		return s[:i+1], s[i+2:]
	}
	return s, ""
}

func parseReplay(spec, file string, o SourceOptions) (Source, error) {
	switch {
	case o.Registry != "":
		return Source{}, conflict("--registry", spec, "a lock records its registry")
	case o.Integrity != "":
		return Source{}, conflict("--integrity", spec, "a lock records its integrity")
	case file == "":
		return Source{}, fault.New(fault.Usage, "LOCK_MISSING", spec, "no file is named").WithHint("write lock:<path>")
	}
	path, err := absolute(file, o.Dir)
	if err != nil {
		return Source{}, err
	}
	lock, err := lockfile.Read(path)
	if err != nil {
		f := fault.As(err)
		f.Subject = file
		return Source{}, f
	}
	if _, err := origin.Parse(lock.Registry, o.InsecureLoopback); err != nil {
		return Source{}, fault.New(fault.Lock, "LOCK_REGISTRY", file, "registry: %w", err)
	}
	return Source{
		Kind: Replay, Path: path, Registry: lock.Registry, Package: lock.Package, Version: lock.Version,
		Integrity: lock.Integrity, Lock: lock,
	}, nil
}

func absolute(path, dir string) (string, error) {
	if dir != "" && !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("find %s: %w", path, err)
	}
	return abs, nil
}
