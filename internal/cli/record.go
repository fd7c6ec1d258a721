package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/wuu-plugins/wuu/internal/catalog"
	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/internal/manifest"
	"github.com/wuu-plugins/wuu/internal/term"
	"github.com/wuu-plugins/wuu/lockfile"
	"github.com/wuu-plugins/wuu/registry"
)

// packageRecord is the record of design/cli.md; optional members are absent
// when they do not apply.
type packageRecord struct {
	ID                 string                `json:"id"`
	Name               string                `json:"name"`
	Version            string                `json:"version"`
	Description        string                `json:"description"`
	Source             recordSource          `json:"source"`
	ManifestPath       string                `json:"manifest_path"`
	FileCount          int                   `json:"file_count"`
	UnpackedSize       int64                 `json:"unpacked_size"`
	PackageFingerprint string                `json:"package_fingerprint"`
	Fingerprint        string                `json:"fingerprint,omitempty"`
	Distribution       *lockfile.Lock        `json:"distribution,omitempty"`
	Signature          *registry.Signature   `json:"signature,omitempty"`
	Capabilities       manifest.Capabilities `json:"capabilities"`
	CapabilitiesDigest string                `json:"capabilities_digest"`
	MinimumWuuVersion  string                `json:"minimum_wuu_version,omitempty"`
	Platforms          []string              `json:"platforms"`
	Dependencies       []manifest.Dependency `json:"dependencies"`
	Trusted            bool                  `json:"trusted"`
	Enabled            bool                  `json:"enabled"`
	EnabledOverride    *bool                 `json:"enabled_override,omitempty"`
	Dev                bool                  `json:"dev,omitempty"`
	Broken             string                `json:"broken,omitempty"`
	Findings           []diag.Finding        `json:"findings"`
}

type recordSource struct {
	Kind     string `json:"kind"`
	Spec     string `json:"spec"`
	Registry string `json:"registry,omitempty"`
	Path     string `json:"path,omitempty"`
}

// record describes what is in a source that is not (yet) installed.
func (p *opened) record() packageRecord {
	m := p.report.Manifest
	c := p.candidate()
	caps := m.Capabilities(c.Executables)
	return packageRecord{
		ID: m.ID, Name: m.Name, Version: m.Version, Description: m.Description,
		Source:       recordSource{c.Origin.Kind, c.Origin.Spec, c.Origin.Registry, c.Origin.Path},
		ManifestPath: c.ManifestPath, FileCount: c.FileCount, UnpackedSize: c.UnpackedSize,
		PackageFingerprint: c.PackageFingerprint, Distribution: p.distribution(), Signature: p.signature,
		Capabilities: caps, CapabilitiesDigest: caps.Digest(),
		MinimumWuuVersion: m.MinimumWuuVersion, Platforms: orEmpty(m.Platforms), Dependencies: orEmpty(m.Dependencies),
		Enabled: m.EnabledByDefault(), Findings: orEmpty(p.findings),
	}
}

// distribution is the lock that an installation would write.
func (p *opened) distribution() *lockfile.Lock {
	if p.lock == nil {
		return nil
	}
	lock := *p.lock
	lock.PluginID = p.report.Manifest.ID
	return &lock
}

// candidate describes the package to the catalog.
func (p *opened) candidate() catalog.Candidate {
	s := p.source
	c := catalog.Candidate{
		Manifest: p.report.Manifest, ManifestPath: p.pkg.ManifestPath,
		Origin: catalog.Origin{
			Kind: string(s.Kind), Spec: s.Spec, Registry: s.Registry, Package: s.Package, Path: s.Path, Identity: s.Identity(),
		},
		PackageFingerprint: p.pkg.Fingerprint, FileCount: len(p.pkg.Files), UnpackedSize: p.pkg.Size,
		Lock: p.distribution(),
	}
	if s.Kind == registry.Replay {
		// a replay has the identity of the recorded npm source
		c.Origin.Kind, c.Origin.Path = string(registry.NPM), ""
		c.Origin.Spec = "npm:" + s.Package + "@" + s.Version
	}
	for _, f := range p.pkg.Files {
		if f.Exec {
			c.Executables = append(c.Executables, f.Path)
		}
	}
	return c
}

// installedRecord describes an installed package or a dev override.
func installedRecord(r catalog.Record, lock *lockfile.Lock) packageRecord {
	return packageRecord{
		ID: r.ID, Name: r.Name, Version: r.Version, Description: r.Description,
		Source:       recordSource{r.Origin.Kind, r.Origin.Spec, r.Origin.Registry, r.Origin.Path},
		ManifestPath: r.ManifestPath, FileCount: r.FileCount, UnpackedSize: r.UnpackedSize,
		PackageFingerprint: r.PackageFingerprint, Fingerprint: r.Fingerprint, Distribution: lock,
		Capabilities: r.Capabilities, CapabilitiesDigest: r.CapabilitiesDigest,
		MinimumWuuVersion: r.MinimumWuuVersion, Platforms: orEmpty(r.Platforms), Dependencies: orEmpty(r.Dependencies),
		Trusted: r.Trusted, Enabled: r.Enabled(), EnabledOverride: r.EnabledOverride,
		Dev: r.Dev, Broken: r.Broken, Findings: []diag.Finding{},
	}
}

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// writeDetails prints a record's facts, indented, below the line of result.
func (r packageRecord) writeDetails(w io.Writer, s term.Style) {
	row := func(name, value string) {
		if value != "" {
			fmt.Fprintf(w, "  %s %s\n", s.Dim(fmt.Sprintf("%-14s", name)), term.Clean(value))
		}
	}
	row("description", r.Description)
	row("source", r.Source.Spec)
	row("files", fmt.Sprintf("%d, %s unpacked", r.FileCount, term.Size(r.UnpackedSize)))
	row("fingerprint", r.PackageFingerprint)
	if r.Distribution != nil {
		row("integrity", r.Distribution.Integrity)
	}
	if r.Signature != nil {
		row("signature", signatureText(*r.Signature))
	}
	for _, line := range capabilityLines(r.Capabilities) {
		row(line[0], line[1])
	}
}

// signatureText is the state first, for the three words must not be mixed up.
func signatureText(s registry.Signature) string {
	text := string(s.State)
	if s.Reason != "" {
		text += ": " + s.Reason
	}
	if s.KeyID != "" {
		text += " (key " + s.KeyID + ")"
	}
	return text
}

// capabilityLines is what a person is asked to agree to.
func capabilityLines(c manifest.Capabilities) [][2]string {
	lines := [][2]string{
		{"permissions", strings.Join(c.Permissions, ", ")},
		{"commands", strings.Join(c.Commands, ", ")},
		{"hooks", strings.Join(c.Hooks, ", ")},
		{"MCP servers", strings.Join(c.MCPServers, ", ")},
		{"executables", strings.Join(c.Executables, ", ")},
		{"credentials", strings.Join(c.CredentialOrigins, ", ")},
		{"skills", strings.Join(c.Skills, ", ")},
	}
	if c.ToolsDeclared == "at-runtime" {
		lines = append(lines, [2]string{"tools", "declared when the plugin runs"})
	}
	if c.Desktop {
		lines = append(lines, [2]string{"desktop", "has a desktop module"})
	}
	return lines
}
