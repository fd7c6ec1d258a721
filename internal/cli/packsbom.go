package cli

import (
	"encoding/hex"
	"path/filepath"
	"strconv"
	"time"

	"github.com/wuu-plugins/wuu/internal/bundle"
	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/fsx"
	"github.com/wuu-plugins/wuu/internal/sbom"
	"github.com/wuu-plugins/wuu/internal/sri"
	"github.com/wuu-plugins/wuu/internal/version"
)

// writeSBOM writes the bill of materials of what was built and returns its
// path as it is shown.
func (a *App) writeSBOM(t *packTree, o *packOptions) (string, error) {
	bill := sbom.Bill{
		Plugin: sbom.Component{Name: t.pkg.ID, Version: t.pkg.Version}, Fingerprint: t.pkg.Fingerprint, Tool: version.Base(),
	}
	if name, err := t.npmName(); err == nil {
		bill.Plugin.Name = name
	}
	if epoch, err := strconv.ParseInt(a.Getenv("SOURCE_DATE_EPOCH"), 10, 64); err == nil {
		bill.Time = time.Unix(epoch, 0)
	}
	if t.built.result != nil {
		if err := fillBill(&bill, t); err != nil {
			return "", err
		}
	}
	bill.Complete = t.built.result != nil && len(t.built.plan.AsIs) == 0
	if !bill.Complete {
		a.warn("the project is not built by wuu alone: the bill of materials says that more may be bundled")
	}
	text, err := bill.JSON()
	if err != nil {
		return "", err
	}
	path := o.SBOM
	if !filepath.IsAbs(path) {
		path = filepath.Join(a.Dir, path)
	}
	if err := fsx.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return "", fault.New(fault.Usage, "OUTPUT", o.SBOM, "%w", pathCause(err))
	}
	if err := fsx.WriteFile(path, text, 0o644); err != nil {
		return "", fault.New(fault.Usage, "OUTPUT", o.SBOM, "%w", pathCause(err))
	}
	return a.rel(path), nil
}

// fillBill turns the packages of the build into components. The same version
// in two folders is one component.
func fillBill(bill *sbom.Bill, t *packTree) error {
	packages, own, err := bundle.Packages(t.source.Path, t.built.result.Modules)
	if err != nil {
		return err
	}
	refs := map[string]string{} // folder → ref
	for _, p := range packages {
		refs[p.Dir] = sbom.Component{Name: p.Name, Version: p.Version}.Ref()
	}
	of := func(dirs []string) (list []string) {
		for _, dir := range dirs {
			list = append(list, refs[dir])
		}
		return list
	}
	at := map[string]int{}
	for _, p := range packages {
		c := sbom.Component{Name: p.Name, Version: p.Version, License: p.License, SHA512: sha512Hex(p.Integrity), Needs: of(p.Needs)}
		if i, known := at[c.Ref()]; known {
			bill.Components[i].Needs = append(bill.Components[i].Needs, c.Needs...)
			continue
		}
		at[c.Ref()] = len(bill.Components)
		bill.Components = append(bill.Components, c)
	}
	bill.Plugin.Needs = of(own)
	return nil
}

// sha512Hex is the SHA-512 of an integrity text, "" when it has none.
func sha512Hex(integrity string) string {
	list, err := sri.Parse(integrity)
	if err != nil {
		return ""
	}
	for _, h := range list.Strongest() {
		if h.Algorithm == sri.SHA512 {
			return hex.EncodeToString([]byte(h.Digest))
		}
	}
	return ""
}
