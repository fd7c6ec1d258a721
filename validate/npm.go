package validate

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/internal/jsonpos"
	"github.com/wuu-plugins/wuu/internal/npmver"
)

const packageJSON = "package.json"

// checkPackageJSON applies the rules of npm tarballs. Outside of npm a
// package.json is the author's business: what would break there is a warning.
func (c *checker) checkPackageJSON() error {
	if _, there := c.files[packageJSON]; !there {
		if c.o.NPM {
			c.found.Add(Finding{
				Code: "NPM_PACKAGE_JSON", Severity: diag.Error, File: packageJSON,
				Message: "an npm package needs a package.json", Hint: `add one with "name" and "version"`,
			})
		}
		return nil
	}
	src, err := c.read(packageJSON, jsonpos.MaxSize)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	doc, found := jsonpos.Parse(packageJSON, src)
	for _, f := range found {
		c.found.Add(c.npmSeverity(f))
	}
	if doc == nil {
		return nil
	}
	if doc.Root.Kind != jsonpos.Object {
		c.found.Add(c.npmSeverity(doc.AtValue(doc.Root, Finding{Code: "NPM_PACKAGE_JSON", Severity: diag.Error, Message: "package.json must hold an object"})))
		return nil
	}
	if c.o.NPM {
		c.checkNPMName(doc)
	}
	c.checkNPMVersion(doc)
	c.checkNPMDependencies(doc)
	return nil
}

func (c *checker) npmSeverity(f Finding) Finding {
	if !c.o.NPM && f.Severity == diag.Error {
		f.Severity = diag.Warning
	}
	return f
}

func (c *checker) checkNPMName(doc *jsonpos.Document) {
	name := doc.Root.Get("name")
	f := Finding{Code: "NPM_NAME", Severity: diag.Error}
	switch {
	case name == nil:
		f.Message, f.Hint = `package.json has no "name"`, fmt.Sprintf(`for example "name": "wuu-%s"`, strings.ToLower(c.m.ID))
		c.found.Add(doc.At(doc.Root, jsonpos.Span{Start: doc.Root.Start, End: doc.Root.Start + 1}, f))
	case name.Kind != jsonpos.String:
		f.Message = "the name must be a string, not " + name.Kind.String()
		c.found.Add(doc.AtValue(name, f))
	default:
		if err := npmver.CheckName(name.Text); err != nil {
			f.Message = err.Error()
			c.found.Add(doc.AtValue(name, f))
		}
	}
}

func (c *checker) checkNPMVersion(doc *jsonpos.Document) {
	version := doc.Root.Get("version")
	f := Finding{Code: "NPM_VERSION", Severity: diag.Error}
	switch {
	case version == nil && !c.o.NPM:
	case version == nil:
		f.Message = `package.json has no "version"`
		c.found.Add(doc.At(doc.Root, jsonpos.Span{Start: doc.Root.Start, End: doc.Root.Start + 1}, f))
	case version.Kind != jsonpos.String:
		f.Message = "the version must be a string, not " + version.Kind.String()
		c.found.Add(c.npmSeverity(doc.AtValue(version, f)))
	case version.Text != c.m.Version && (c.m.Version != "" || c.o.NPM):
		f.Message = fmt.Sprintf("the version is %s here and %s in %s", jsonpos.Quote(version.Text), jsonpos.Quote(c.m.Version), c.p.ManifestPath)
		f.Hint = "both must be the same"
		c.found.Add(c.npmSeverity(doc.AtValue(version, f)))
	}
}

// checkNPMDependencies refuses what npm would install beside the package:
// nobody installs it when a plugin is unpacked.
func (c *checker) checkNPMDependencies(doc *jsonpos.Document) {
	for _, key := range []string{"dependencies", "optionalDependencies", "peerDependencies", "bundledDependencies", "bundleDependencies"} {
		n := doc.Root.Get(key)
		if n == nil || len(n.Children) == 0 && n.Text != "true" {
			continue
		}
		c.found.Add(c.npmSeverity(doc.AtKey(n, Finding{
			Code: "NPM_DEPENDENCIES", Severity: diag.Error,
			Message: fmt.Sprintf("%s are not installed with a plugin", key),
			Hint:    "bundle them into the entry and move them to devDependencies",
		})))
	}
}
