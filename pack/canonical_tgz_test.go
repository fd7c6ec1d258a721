package pack_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/wuu-plugins/wuu/pack"
)

// TestCanonicalTarball reads what WriteTGZ writes with Go's own reader: no
// owner, no clock and no system is in it, whoever owns the files and whenever
// they were written.
func TestCanonicalTarball(t *testing.T) {
	dir := folder(t, withManifest(map[string]string{"a/run": "#!/bin/sh\n", "b": "text", "é": ""}))
	if err := os.Chtimes(filepath.Join(dir, "b"), time.Unix(1, 0), time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(dir, "b"), 0o600); err != nil {
		t.Fatal(err)
	}
	_ = os.Chown(filepath.Join(dir, "b"), 12345, 54321) // only root may; for others the owner is their own id
	p, _ := openDir(t, dir, pack.Options{})
	var out bytes.Buffer
	if err := p.WriteTGZ(t.Context(), &out); err != nil {
		t.Fatal(err)
	}
	zr, err := gzip.NewReader(&out)
	if err != nil {
		t.Fatal(err)
	}
	if zr.Name != "" || zr.Comment != "" || !zr.ModTime.IsZero() || zr.OS != 255 || len(zr.Extra) > 0 {
		t.Errorf("gzip header %+v", zr.Header)
	}
	var names []string
	tr := tar.NewReader(zr)
	for {
		h, err := tr.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, h.Name)
		mode := int64(0o644)
		if h.Name == "package/a/run" {
			mode = 0o755
		}
		if h.Uid != 0 || h.Gid != 0 || h.Uname != "" || h.Gname != "" || h.Mode != mode || h.Typeflag != tar.TypeReg {
			t.Errorf("%s: %d:%d %q %q mode %o", h.Name, h.Uid, h.Gid, h.Uname, h.Gname, h.Mode)
		}
		if !h.ModTime.Equal(time.Date(1985, 10, 26, 8, 15, 0, 0, time.UTC)) || !h.AccessTime.IsZero() || !h.ChangeTime.IsZero() {
			t.Errorf("%s: times %v %v %v", h.Name, h.ModTime, h.AccessTime, h.ChangeTime)
		}
	}
	if want := []string{"package/a/run", "package/b", "package/package.json", "package/plugin.json", "package/é"}; !slices.Equal(names, want) {
		t.Errorf("names %q", names)
	}
}
