package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/wuu-plugins/wuu/internal/catalog"
	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/term"
	"github.com/wuu-plugins/wuu/pack"
)

type verifyDoc struct {
	packageRecord
	Verify verification `json:"verify"`
}

// verification is what inspect --verify found. Against says what the files
// were compared with: list (kept at install), archive (of the content store),
// or fingerprint, which tells only whether all is as it was.
type verification struct {
	OK          bool   `json:"ok"`
	Against     string `json:"against"`
	Fingerprint string `json:"fingerprint,omitempty"` // of the files now, when they have one
	pack.Alterations
}

// verifyInstalled hashes the files of an installed package again and compares
// them with what was installed; anything else ends with exit code 1.
func (a *App) verifyInstalled(ctx context.Context, id string) error {
	r, err := a.installed(id)
	if err != nil {
		return err
	}
	if r.Fingerprint == "" {
		return fault.New(fault.Check, "PLUGIN_BROKEN", id, "there is nothing to compare with: it %s", r.Broken).
			WithHint("install it from where it came")
	}
	root, err := os.OpenRoot(r.Root)
	if err != nil {
		return fault.New(fault.Check, "PLUGIN_BROKEN", id, "its folder cannot be opened: %w", plainPath(err)).WithHint("install it again from %s", r.Origin.Spec)
	}
	defer root.Close()
	v, err := a.verify(ctx, root, r)
	if err != nil {
		return err
	}
	doc := verifyDoc{installedRecord(r, installedLock(r)), v}
	werr := a.emit(doc, func(w io.Writer, s term.Style) {
		if v.OK {
			fmt.Fprintf(w, "%s %s %s\n  fingerprint %s\n", s.Green("verified"), r.ID, r.Version, r.Fingerprint)
			return
		}
		fmt.Fprintf(w, "%s %s %s\n", s.Red("altered"), r.ID, r.Version)
		v.write(w, s)
	})
	if werr != nil || v.OK {
		return werr
	}
	e := fault.New(fault.Check, "FINGERPRINT_MISMATCH", id, "its files have changed since it was installed")
	return a.reportedAfter(e.WithHint("install it again from %s", r.Origin.Spec))
}

func plainPath(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// verify compares file by file where it is known what the files were.
func (a *App) verify(ctx context.Context, root *os.Root, r catalog.Record) (verification, error) {
	v := verification{Against: "fingerprint", Alterations: pack.Alterations{Changed: []pack.FileChange{}, Missing: []string{}, Added: []string{}}}
	got, err := pack.FingerprintDir(ctx, root)
	if ctx.Err() != nil {
		return v, context.Cause(ctx)
	}
	// An error here is a link or an unreadable file: a change like others.
	v.Fingerprint, v.OK = got, err == nil && got == r.Fingerprint
	files, from := a.installedFiles(ctx, r)
	if from != "" {
		v.Against = from
	}
	if v.OK || from == "" {
		return v, nil
	}
	v.Alterations, err = pack.CompareDir(ctx, root, files)
	return v, err
}

func (v verification) write(w io.Writer, s term.Style) {
	for _, c := range v.Changed {
		fmt.Fprintf(w, "  %s %s (%s)\n", s.Yellow("changed"), term.Clean(c.Path), c.Reason)
	}
	for _, path := range v.Missing {
		fmt.Fprintf(w, "  %s %s\n", s.Red("missing"), term.Clean(path))
	}
	for _, path := range v.Added {
		fmt.Fprintf(w, "  %s   %s\n", s.Cyan("added"), term.Clean(path))
	}
	if v.Against == "fingerprint" {
		fmt.Fprintln(w, "  which files cannot be told: neither a list of them nor the archive is there")
	}
}
