package cli

import (
	"context"
	"crypto/sha512"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/term"
	"github.com/wuu-plugins/wuu/pack"
	"github.com/wuu-plugins/wuu/registry"
)

// The verdicts of --verify.
const (
	identical   = "identical"    // the same files, byte for byte
	lineEndings = "line_endings" // the same but for CRLF in text
	differs     = "differs"
)

type proofDoc struct {
	Archive     string            `json:"archive"`
	Verdict     string            `json:"verdict"`
	Exact       bool              `json:"archive_identical"` // the file itself is what pack would write
	Fingerprint string            `json:"package_fingerprint"`
	Source      string            `json:"source_fingerprint"`
	Files       int               `json:"file_count"`
	Differences []pack.Difference `json:"differences"`
	Findings    []diag.Finding    `json:"findings"`
}

// verifyArchive proves an archive from its source.
func (a *App) verifyArchive(ctx context.Context, t *packTree, o *packOptions) error {
	src, err := a.parseSource(ctx, archiveSpec(o.Verify), sourceFlags{})
	if err != nil {
		return err
	}
	if src.Kind != registry.Zip && src.Kind != registry.TGZ {
		return fault.New(fault.Usage, "USAGE", o.Verify, "--verify takes a zip or an npm tarball on disk")
	}
	p := &opened{source: src}
	defer p.Close()
	if err := p.read(ctx, a, sourceFlags{}); err != nil {
		return err
	}
	diag.Sort(p.findings)
	if err := p.failure(a); err != nil {
		return err
	}
	doc := proofDoc{
		Archive: a.rel(src.Path), Verdict: identical, Fingerprint: p.pkg.Fingerprint, Source: t.pkg.Fingerprint, Files: len(p.pkg.Files),
		Differences: []pack.Difference{}, Findings: orEmpty(p.findings),
	}
	found, err := pack.Differences(ctx, t.pkg, p.pkg)
	if err != nil {
		return err
	}
	doc.Differences = append(doc.Differences, found...)
	for _, d := range found {
		if d.Change != pack.LineEnding {
			doc.Verdict = differs
			break
		}
		doc.Verdict = lineEndings
	}
	if doc.Verdict == identical {
		if doc.Exact, err = sameBytes(ctx, t.pkg, p.pkg.Format, src.Path); err != nil {
			return err
		}
	}
	if err := a.emit(doc, doc.write); err != nil {
		return err
	}
	if doc.Verdict == differs {
		return checkFailed(fault.Check, "ARCHIVE_DIFFERS")
	}
	return nil
}

// archiveSpec makes a bare file name a path.
func archiveSpec(name string) string {
	if filepath.IsAbs(name) || filepath.VolumeName(name) != "" {
		return name
	}
	return "./" + filepath.ToSlash(name)
}

// sameBytes compares a file with what pack would write. A package that cannot
// be written in that format is another one.
func sameBytes(ctx context.Context, source *pack.Package, format pack.Format, path string) (bool, error) {
	want := sha512.New()
	write := source.WriteZip
	if format == pack.TGZ {
		write = source.WriteTGZ
	}
	if err := write(ctx, want); err != nil {
		if fault.As(err).Kind == fault.Check {
			return false, nil
		}
		return false, err
	}
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	got := sha512.New()
	if _, err := io.Copy(got, f); err != nil {
		return false, err
	}
	return string(got.Sum(nil)) == string(want.Sum(nil)), nil
}

func (d proofDoc) write(w io.Writer, s term.Style) {
	switch d.Verdict {
	case identical:
		fmt.Fprintf(w, "%s %s: %d files, byte for byte those of the source\n", s.Green("identical"), d.Archive, d.Files)
		if d.Exact {
			fmt.Fprintln(w, "  the archive itself is what pack writes")
		} else {
			fmt.Fprintln(w, "  another tool or version wrote the archive: the same files in other bytes")
		}
	case lineEndings:
		fmt.Fprintf(w, "%s %s: the same text, with other line ends in %d of %d files\n", s.Yellow("line endings differ"), d.Archive, len(d.Differences), d.Files)
	default:
		fmt.Fprintf(w, "%s %s is not what the source gives: %d differences\n", s.Red("differs"), d.Archive, len(d.Differences))
	}
	words := map[pack.Change]string{
		pack.Added: "only in the archive", pack.Missing: "only in the source", pack.Content: "other content",
		pack.LineEnding: "other line ends", pack.Mode: "executable in one of the two",
	}
	for _, diff := range d.Differences {
		fmt.Fprintf(w, "  %-28s %s\n", words[diff.Change], term.Clean(diff.Path))
	}
	fmt.Fprintf(w, "  fingerprint %s\n", d.Fingerprint)
}
