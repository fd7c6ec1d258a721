package cli

import (
	"encoding/json"

	"github.com/wuu-plugins/wuu/internal/fault"
)

// npmName reads the name that an npm tarball is published under.
func (p *opened) npmName() (string, error) {
	src, err := p.pkg.ReadFile("package.json", 1<<20)
	var doc struct {
		Name string `json:"name"`
	}
	if err == nil {
		err = json.Unmarshal(src, &doc)
	}
	if err != nil || doc.Name == "" {
		return "", fault.New(fault.Check, "NPM_PACKAGE_JSON", "package.json", "an npm tarball needs one with a name").
			WithHint("add {\"name\": \"wuu-%s\", \"version\": %q}", p.pkg.ID, p.pkg.Version)
	}
	return doc.Name, nil
}
