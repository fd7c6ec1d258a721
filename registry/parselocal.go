package registry

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/npmver"
	"github.com/wuu-plugins/wuu/lockfile"
)

func parseLocal(spec string, o SourceOptions) (Source, error) {
	if spec == "" {
		return Source{}, fault.New(fault.Usage, "SOURCE_UNKNOWN", "", "no source is given").WithHint("%s", sourceForms)
	}
	if remote(spec) {
		return Source{}, notExact(spec, &NotExactError{Wanted: spec})
	}
	path, err := absolute(spec, o.Dir)
	if err != nil {
		return Source{}, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return Source{}, missing(spec, err)
	}
	kind, err := localKind(spec, info)
	switch {
	case err != nil:
		return Source{}, err
	case o.Registry != "":
		return Source{}, conflict("--registry", spec, "it is a local path")
	case kind == Directory && o.Integrity != "":
		return Source{}, conflict("--integrity", spec, "a folder has no hash; pack it first")
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	return Source{Kind: kind, Path: path, Integrity: o.Integrity}, nil
}

const sourceForms = "a source is ./folder, ./package.zip, ./package.tgz, npm:<name>@<exact version> or lock:<path>"

// remote says whether spec is an address that some other tool would fetch.
func remote(spec string) bool {
	if strings.Contains(spec, "://") {
		return true
	}
	for _, prefix := range []string{"git:", "git+", "git@", "github:", "gitlab:", "bitbucket:", "gist:", "http:", "https:", "ssh:", "file:"} {
		if strings.HasPrefix(strings.ToLower(spec), prefix) {
			return true
		}
	}
	return false
}

func localKind(spec string, info fs.FileInfo) (SourceKind, error) {
	name := strings.ToLower(info.Name())
	switch {
	case info.IsDir():
		return Directory, nil
	case !info.Mode().IsRegular():
		return "", fault.New(fault.Usage, "SOURCE_UNSUPPORTED", spec, "is neither a file nor a folder")
	case strings.HasSuffix(name, ".zip"):
		return Zip, nil
	case strings.HasSuffix(name, ".tgz"), strings.HasSuffix(name, ".tar.gz"):
		return TGZ, nil
	case name == lockfile.Name || strings.HasSuffix(name, ".lock.json"):
		return "", fault.New(fault.Usage, "SOURCE_UNSUPPORTED", spec, "is not a package").WithHint("to replay a lock, write lock:%s", spec)
	}
	return "", fault.New(fault.Usage, "SOURCE_UNSUPPORTED", spec, "is not a .zip, .tgz or .tar.gz").WithHint("%s", sourceForms)
}

// missing explains a path that is not there; a word without any sign of a path
// was probably meant as something else.
func missing(spec string, err error) *Error {
	if !errors.Is(err, fs.ErrNotExist) {
		var path *fs.PathError
		if errors.As(err, &path) {
			err = path.Err
		}
		return fault.New(fault.Usage, "SOURCE_MISSING", spec, "cannot be read: %w", err)
	}
	name, version := splitVersion(spec)
	named := npmver.CheckName(name) == nil
	switch {
	case named && version != "":
		return fault.New(fault.Usage, "SOURCE_UNKNOWN", spec, "no such file or folder").
			WithHint("for a package of a registry, write npm:%s", spec)
	case named && !looksLikeFile(spec):
		return fault.New(fault.Usage, "SOURCE_UNKNOWN", spec, "no such file or folder").
			WithHint("for a package of a registry, write npm:%s@<exact version>; for a folder, ./%s", spec, spec)
	}
	return fault.New(fault.Usage, "SOURCE_MISSING", spec, "no such file or folder").WithHint("%s", sourceForms)
}

func looksLikeFile(spec string) bool {
	switch strings.ToLower(filepath.Ext(spec)) {
	case ".zip", ".tgz", ".gz", ".json", ".ts", ".js":
		return true
	}
	return false
}
