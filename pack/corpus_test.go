package pack_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/internal/manifest"
	"github.com/wuu-plugins/wuu/pack"
)

type corpusCase struct{ ID, File, Verdict, Code, Trick string }

// TestCorpus compares verdicts with a corpus of hostile archives that is not
// part of this module. WUU_CORPUS names its folder.
func TestCorpus(t *testing.T) {
	dir := corpusDir()
	list, err := os.ReadFile(filepath.Join(dir, "cases.json"))
	if err != nil {
		t.Skipf("skipped: no corpus of archives (%v)", err)
	}
	var cases []corpusCase
	if err := json.Unmarshal(list, &cases); err != nil {
		t.Fatal(err)
	}
	holds := 0
	for _, c := range cases {
		if why := judge(t, dir, c); why != "" {
			t.Errorf("%s (%s): %s", c.ID, c.Trick, why)
		} else {
			holds++
		}
	}
	t.Logf("corpus: %d of %d hold", holds, len(cases))
	if len(cases) == 0 {
		t.Error("the list of cases is empty")
	}
}

// corpusDir is where the shared corpus is, if anywhere.
func corpusDir() string {
	if dir := os.Getenv("WUU_CORPUS"); dir != "" {
		return dir
	}
	return filepath.Join("..", "..", "shared", "corpus", "archives")
}

// judge returns how a case differs, "" when it holds for both ways of reading.
func judge(t *testing.T, dir string, c corpusCase) string {
	data, err := os.ReadFile(filepath.Join(dir, c.File))
	if err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	o := pack.Options{Format: pack.FormatOf(c.File)}
	p, findings, err := pack.OpenArchive(context.Background(), bytes.NewReader(data), int64(len(data)), o)
	if err != nil {
		t.Fatalf("%s: %v", c.ID, err)
	}
	x, again := p, findings
	if len(data) < 200<<10 { // else thousands of files: one way of reading is enough
		x, again, err = pack.Extract(context.Background(), bytes.NewReader(data), int64(len(data)), root, o)
		if err != nil {
			t.Fatalf("%s: %v", c.ID, err)
		}
	}
	if (p == nil) != (x == nil) || len(findings) != len(again) || p != nil && p.Fingerprint != x.Fingerprint {
		return "OpenArchive and Extract differ"
	}
	// What the text of a manifest says is package manifest's to judge.
	if p != nil {
		m, said := manifest.Parse(p.ManifestPath, p.Manifest)
		findings = append(findings, said...)
		if m == nil || diag.Count(said).Errors > 0 {
			p = nil
		}
	}
	found := c.Code == ""
	for _, f := range findings {
		if f.Code == c.Code && (c.Verdict != "reject") == (f.Severity != diag.Error) {
			found = true
		}
	}
	switch {
	case !found:
		return "want " + c.Verdict + " " + c.Code + ", got " + codes(findings)
	case (p == nil) != (c.Verdict == "reject"):
		return "want " + c.Verdict + ", got " + codes(findings)
	}
	return ""
}

func codes(findings []pack.Finding) string {
	if len(findings) == 0 {
		return "no finding"
	}
	s := ""
	for _, f := range findings[:min(len(findings), 6)] {
		s += string(f.Severity) + " " + f.Code + " " + f.File + " " + f.Message + "; "
	}
	return s
}
