package pack

import (
	"bytes"
	"encoding/json"
	"path"
	"strings"

	"github.com/wuu-plugins/wuu/internal/manifest"
	"github.com/wuu-plugins/wuu/internal/pathname"
)

// maxJSON bounds plugin.json and package.json, in bytes.
const maxJSON = 1 << 20

const packageJSON = "package.json"

// keptJSON reports the files whose content a Package keeps.
func keptJSON(p string) bool {
	if p == packageJSON {
		return true
	}
	for _, l := range manifest.Locations {
		if p == l {
			return true
		}
	}
	return false
}

// names are the few fields that pack itself looks at, read leniently: what is
// wrong with them is for validate to say.
type names struct{ id, name, version, command string }

func readNames(doc []byte) names {
	fields := object(doc)
	n := names{id: text(fields["id"]), name: text(fields["name"]), version: text(fields["version"])}
	n.command = text(object(fields["runtime"])["command"])
	return n
}

func object(doc []byte) map[string]json.RawMessage {
	var m map[string]json.RawMessage
	if json.Unmarshal(bytes.TrimPrefix(doc, []byte("\ufeff")), &m) != nil {
		return nil
	}
	return m
}

func text(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return strings.TrimSpace(s)
}

// pluginID is the manifest's id, or its name; "" unless portable.
func (n names) pluginID() string {
	id := n.id
	if id == "" {
		id = n.name
	}
	if pathname.CheckID(id) != nil {
		return ""
	}
	return id
}

// identify finds the manifest and compares the names that must agree.
func identify(p *Package, o Options, rep *reporter) {
	var found []string
	for _, l := range manifest.Locations {
		if p.find(l) >= 0 {
			found = append(found, l)
		}
	}
	switch len(found) {
	case 0:
		missingManifest(p, rep)
	case 1:
		p.ManifestPath = found[0]
	default:
		rep.error("MANIFEST_CONFLICT", found[1], "the package has more than one manifest: %s", strings.Join(found, ", "))
	}
	for _, name := range append(found, packageJSON) {
		if i := p.find(name); i >= 0 && p.Files[i].Size > maxJSON {
			rep.error("MANIFEST_TOO_LARGE", name, "the file has %d bytes, at most %d are allowed", p.Files[i].Size, maxJSON)
		}
	}
	if p.ManifestPath == "" || rep.refused {
		return
	}
	n := readNames(p.Manifest)
	p.ID, p.Version = n.pluginID(), n.version
	compareNames(p, n, o, rep)
}

func missingManifest(p *Package, rep *reporter) {
	f := finding("error", "MANIFEST_MISSING", "", "there is no plugin.json")
	for _, file := range p.Files {
		switch {
		case strings.EqualFold(file.Path, manifest.Locations[0]):
			f.Hint = "rename " + file.Path + " to " + manifest.Locations[0]
		case path.Base(file.Path) == manifest.Locations[0] && f.Hint == "":
			above := path.Dir(file.Path)
			f.Hint = "a manifest is at " + file.Path + "; use the content of " + above + " as the package"
			if p.Format == Zip {
				f.Code, f.File = "LAYOUT_WRAPPED", file.Path
				f.Message, f.Hint = "the manifest lies in a folder of the zip", "zip the content of "+above
			}
		}
	}
	if f.Hint == "" && p.Format == Dir {
		f.Hint = "name the plugin's folder, or make a plugin with: wuu plugin create <name>"
	}
	rep.add(f)
}

// compareNames checks what the registry said and, for npm tarballs, that
// package.json and the manifest agree.
func compareNames(p *Package, n names, o Options, rep *reporter) {
	if p.PackageJSON == nil {
		if p.Format == TGZ || o.WantName != "" || o.WantVersion != "" {
			rep.error("PACKAGE_JSON_MISSING", packageJSON, "an npm package has a package.json")
		}
		return
	}
	npm := readNames(p.PackageJSON)
	differ := func(what, got, want, whose string) {
		if got != want {
			rep.error("IDENTITY_MISMATCH", packageJSON, "the %s is %q, but %s says %q", what, got, whose, want)
		}
	}
	if o.WantName != "" {
		differ("name", npm.name, o.WantName, "the registry")
	}
	if o.WantVersion != "" {
		version, _, _ := strings.Cut(npm.version, "+") // registries drop build metadata
		differ("version", version, o.WantVersion, "the registry")
	}
	if p.Format == TGZ {
		differ("version", npm.version, n.version, p.ManifestPath)
	}
}
