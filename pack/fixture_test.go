package pack_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/pack"
)

const (
	plugin = `{"id":"hello","name":"Hello","version":"1.0.0"}`
	npm    = `{"name":"wuu-hello","version":"1.0.0"}`
)

// sound are the members every archive below starts with, without their root.
var sound = []member{{name: "plugin.json", body: plugin}, {name: "package.json", body: npm}}

// member is one archive entry. mode 0 is 0644.
type member struct {
	name, body string
	typeflag   byte // of a tar; 0 is a regular file
	mode       int64
	fileMode   fs.FileMode // of a zip; 0 is 0644
}

// tgz writes members as they are: hostile names and kinds included.
func tgz(t testing.TB, members ...member) []byte {
	t.Helper()
	var buf bytes.Buffer
	zw := gzip.NewWriter(&buf)
	tw := tar.NewWriter(zw)
	for _, m := range members {
		h := &tar.Header{Name: m.name, Size: int64(len(m.body)), Mode: m.mode, Typeflag: m.typeflag}
		if h.Typeflag == 0 {
			h.Typeflag = tar.TypeReg
		}
		if h.Typeflag == tar.TypeLink || h.Typeflag == tar.TypeSymlink {
			h.Linkname = "plugin.json"
		}
		if h.Mode == 0 {
			h.Mode = 0o644
		}
		if err := tw.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := tw.Write([]byte(m.body)); err != nil {
			t.Fatal(err)
		}
	}
	if err := tw.Close(); err != nil {
		t.Fatal(err)
	}
	if err := zw.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func zipped(t testing.TB, members ...member) []byte {
	t.Helper()
	var buf bytes.Buffer
	zw := zip.NewWriter(&buf)
	for _, m := range members {
		h := &zip.FileHeader{Name: m.name, Method: zip.Deflate}
		mode := m.fileMode
		if mode == 0 {
			mode = 0o644
		}
		h.SetMode(mode)
		w, err := zw.CreateHeader(h)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(m.body)); err != nil && !strings.HasSuffix(m.name, "/") {
			t.Fatal(err)
		}
	}
	if err := zw.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// under puts members below a root folder.
func under(root string, members ...member) []member {
	out := slices.Clone(members)
	for i := range out {
		out[i].name = root + "/" + out[i].name
	}
	return out
}

func open(t testing.TB, data []byte, o pack.Options) (*pack.Package, []pack.Finding) {
	t.Helper()
	p, findings, err := pack.OpenArchive(context.Background(), bytes.NewReader(data), int64(len(data)), o)
	if err != nil {
		t.Fatal(err)
	}
	checkOutcome(t, p, findings)
	return p, findings
}

// checkOutcome holds always: a package or an error finding, never both.
func checkOutcome(t testing.TB, p *pack.Package, findings []pack.Finding) {
	t.Helper()
	if (p == nil) != (diag.Count(findings).Errors > 0) {
		t.Fatalf("package %v with findings %s", p != nil, codes(findings))
	}
	if len(findings) > pack.MaxFindings+1 {
		t.Fatalf("%d findings", len(findings))
	}
}

func extract(t testing.TB, data []byte, dir string, o pack.Options) (*pack.Package, []pack.Finding) {
	t.Helper()
	root := openRoot(t, dir)
	p, findings, err := pack.Extract(context.Background(), bytes.NewReader(data), int64(len(data)), root, o)
	if err != nil {
		t.Fatal(err)
	}
	checkOutcome(t, p, findings)
	return p, findings
}

func openRoot(t testing.TB, dir string) *os.Root {
	t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	return root
}

// folder writes files (path → content) below a new folder.
func folder(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, body := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(body), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// withManifest adds the two JSON files of a sound package.
func withManifest(files map[string]string) map[string]string {
	out := map[string]string{"plugin.json": plugin, "package.json": npm}
	maps.Copy(out, files)
	return out
}

func openDir(t testing.TB, dir string, o pack.Options) (*pack.Package, []pack.Finding) {
	t.Helper()
	p, findings, err := pack.OpenDir(context.Background(), openRoot(t, dir), o)
	if err != nil {
		t.Fatal(err)
	}
	checkOutcome(t, p, findings)
	return p, findings
}

// errorCodes are the codes of the errors, in order.
func errorCodes(findings []pack.Finding) []string {
	var out []string
	for _, f := range findings {
		if f.Severity == diag.Error {
			out = append(out, f.Code)
		}
	}
	return out
}

func paths(p *pack.Package) []string {
	var out []string
	for _, f := range p.Files {
		out = append(out, f.Path)
	}
	return out
}

// tree reads a folder back: path → mode and content.
func tree(t testing.TB, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(p string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		body, err := fs.ReadFile(os.DirFS(dir), p)
		out[p] = info.Mode().String() + " " + string(body)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
