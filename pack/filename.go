package pack

import "strings"

// ZipFileName is the name of the zip that pack writes: <id>-<version>.zip, or
// <id>.zip without a version.
func ZipFileName(id, version string) string {
	if version == "" {
		return id + ".zip"
	}
	return id + "-" + version + ".zip"
}

// NPMFileName is the name that npm gives a tarball: a scope becomes a prefix,
// so @a/b 1.0.0 is a-b-1.0.0.tgz.
func NPMFileName(name, version string) string { return npmBase(name) + "-" + version + ".tgz" }

func npmBase(name string) string {
	if scoped, ok := strings.CutPrefix(name, "@"); ok {
		return strings.Replace(scoped, "/", "-", 1)
	}
	return name
}
