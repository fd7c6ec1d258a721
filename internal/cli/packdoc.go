package cli

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/internal/term"
	"github.com/wuu-plugins/wuu/pack"
)

type packDoc struct {
	ID          string         `json:"id"`
	Version     string         `json:"version"`
	Artifacts   []artifact     `json:"artifacts"`
	Fingerprint string         `json:"package_fingerprint"`
	Size        int64          `json:"unpacked_size"`
	Files       []packedFile   `json:"files"`
	Omitted     []pack.Omitted `json:"omitted"`
	Findings    []diag.Finding `json:"findings"`
	SBOM        string         `json:"sbom,omitempty"`
}

type artifact struct {
	Path      string `json:"path"`
	Format    string `json:"format"`
	Size      int64  `json:"size"`
	SHA512    string `json:"sha512"`
	Integrity string `json:"integrity"`
}

type packedFile struct {
	Path   string `json:"path"`
	Size   int64  `json:"size"`
	Mode   string `json:"mode"`
	SHA256 string `json:"sha256"`
}

func newPackDoc(p *opened) packDoc {
	doc := packDoc{
		ID: p.pkg.ID, Version: p.pkg.Version, Fingerprint: p.pkg.Fingerprint, Size: p.pkg.Size,
		Artifacts: []artifact{}, Files: []packedFile{}, Omitted: orEmpty(p.pkg.Omitted), Findings: orEmpty(p.findings),
	}
	for _, f := range p.pkg.Files {
		mode := "0644"
		if f.Exec {
			mode = "0755"
		}
		doc.Files = append(doc.Files, packedFile{f.Path, f.Size, mode, hex.EncodeToString(f.SHA256[:])})
	}
	return doc
}

func (d packDoc) write(w io.Writer, s term.Style, o *packOptions) {
	for _, art := range d.Artifacts {
		word := "packed"
		if o.DryRun {
			word = "would pack"
		}
		fmt.Fprintf(w, "%s %s (%s)\n  %s\n", s.Green(word), art.Path, term.Size(art.Size), art.Integrity)
	}
	fmt.Fprintf(w, "  %s %s, %d files, %s unpacked, fingerprint %s\n", d.ID, d.Version, len(d.Files), term.Size(d.Size), d.Fingerprint)
	if d.SBOM != "" {
		fmt.Fprintf(w, "  bill of materials: %s\n", d.SBOM)
	}
	switch {
	case o.List:
		for _, f := range d.Files {
			fmt.Fprintf(w, "  %s %10s  %s\n", f.Mode, term.Size(f.Size), f.Path)
		}
	case !o.DryRun:
		return
	}
	d.writeLargest(w, o)
	d.writeOmitted(w, s, o)
}

// largestShown is how many files the preview names; a shorter list shows all.
const largestShown = 5

func (d packDoc) writeLargest(w io.Writer, o *packOptions) {
	if o.List && len(d.Files) <= 2*largestShown {
		return // they can be seen
	}
	fmt.Fprintln(w, "  largest:")
	for _, f := range largest(d.Files) {
		fmt.Fprintf(w, "    %10s  %s\n", term.Size(f.Size), f.Path)
	}
}

// largest are the largest files, the largest first.
func largest(files []packedFile) []packedFile {
	files = slices.Clone(files)
	slices.SortStableFunc(files, func(a, b packedFile) int { return cmp.Compare(b.Size, a.Size) })
	return files[:min(len(files), largestShown)]
}

// writeOmitted groups what is left out by the reason; without --list three
// names stand for each group.
func (d packDoc) writeOmitted(w io.Writer, s term.Style, o *packOptions) {
	var reasons []string
	groups := map[string][]string{}
	for _, out := range d.Omitted {
		if groups[out.Reason] == nil {
			reasons = append(reasons, out.Reason)
		}
		groups[out.Reason] = append(groups[out.Reason], out.Path)
	}
	slices.Sort(reasons)
	for i, reason := range reasons {
		if i == 0 {
			fmt.Fprintln(w, "  left out:")
		}
		names := groups[reason]
		if o.List {
			fmt.Fprintf(w, "    %s\n", s.Dim(reason))
			for _, name := range names {
				fmt.Fprintf(w, "      %s\n", name)
			}
			continue
		}
		more := ""
		if len(names) > 3 {
			more = fmt.Sprintf(" and %d more", len(names)-3)
		}
		fmt.Fprintf(w, "    %s: %s%s\n", s.Dim(reason), strings.Join(names[:min(len(names), 3)], ", "), more)
	}
}
