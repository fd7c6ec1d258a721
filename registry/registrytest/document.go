package registrytest

import (
	"maps"
	"time"
)

// installFields are the manifest's fields that the abbreviated packument keeps
// (npm/registry, docs/responses/package-metadata.md).
func installFields() []string {
	return []string{"name", "version", "deprecated", "dependencies", "optionalDependencies", "devDependencies", "bundleDependencies",
		"peerDependencies", "peerDependenciesMeta", "bin", "directories", "engines", "os", "cpu", "funding"}
}

// document is the metadata of one version.
func (r *release) document(abbreviated bool) map[string]any {
	doc := map[string]any{}
	if abbreviated {
		for _, field := range installFields() {
			if v, ok := r.manifest[field]; ok {
				doc[field] = v
			}
		}
	} else {
		maps.Copy(doc, r.manifest)
		doc["_id"] = r.Name + "@" + r.Version
	}
	dist := map[string]any{
		"integrity":    r.Integrity,
		"shasum":       r.Shasum,
		"tarball":      r.Tarball,
		"fileCount":    r.files,
		"unpackedSize": r.unpacked,
	}
	if len(r.signatures) > 0 {
		dist["signatures"] = r.signatures
	}
	doc["dist"] = dist
	return doc
}

// document is the whole packument, or npm's install form of it.
func (p *packument) document(abbreviated bool) map[string]any {
	versions := map[string]any{}
	times := map[string]any{}
	var last time.Time
	for _, r := range p.versions {
		versions[r.Version] = r.document(abbreviated)
		times[r.Version] = r.time.Format(time.RFC3339Nano)
		last = r.time
	}
	doc := map[string]any{"name": p.name, "dist-tags": maps.Clone(p.tags), "versions": versions}
	if abbreviated {
		doc["modified"] = last.Format(time.RFC3339Nano)
		return doc
	}
	doc["_id"] = p.name
	times["modified"] = last.Format(time.RFC3339Nano)
	doc["time"] = times
	return doc
}
