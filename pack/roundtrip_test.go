package pack_test

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/pack"
	"go.uber.org/goleak"
	"pgregory.net/rapid"
)

// part draws a name; some are refused by the rules, which is part of the test.
var part = rapid.OneOf(
	rapid.SampledFrom([]string{"a", "B", "src", "dist", "index.js", "é", "日本", "x y", ".hidden", "café", "Straße", "LICENSE"}),
	rapid.StringMatching(`[a-zA-Z0-9._ ~-]{1,12}`),
	rapid.StringMatching(`[a-z]{90,130}`),
)

// genTree draws a folder with a manifest: path → content.
var genTree = rapid.Custom(func(t *rapid.T) map[string]string {
	files := map[string]string{}
	body := rapid.OneOf(rapid.StringN(0, 40, -1), rapid.SampledFrom([]string{"", "#!/bin/sh\n", "\x7fELF", strings.Repeat("abc", 5000)}),
		rapid.Custom(func(t *rapid.T) string { return noise(rapid.IntRange(0, 200_000).Draw(t, "bytes"), 1) }))
	for range rapid.IntRange(0, 8).Draw(t, "files") {
		path := strings.Join(rapid.SliceOfN(part, 1, 4).Draw(t, "path"), "/")
		files[path] = body.Draw(t, "body")
	}
	files["plugin.json"], files["package.json"] = plugin, npm
	return files
})

// write puts files on disk in a random order; names that the system or another
// file forbids are left out.
func write(dir string, files map[string]string, order *rand.Rand) {
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	order.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	// The two that every package needs come last, so that nothing replaces them.
	for _, name := range append(names, "plugin.json", "package.json") {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if os.MkdirAll(filepath.Dir(path), 0o755) == nil {
			_ = os.WriteFile(path, []byte(files[name]), 0o600)
		}
	}
}

// TestRoundTrip: whatever OpenDir accepts, both formats install with the same
// fingerprint, whichever way they are read, and two packs are the same bytes.
func TestRoundTrip(t *testing.T) {
	base := t.TempDir()
	run := 0
	accepted := 0
	rapid.Check(t, func(t *rapid.T) {
		run++
		files := genTree.Draw(t, "tree")
		dir := filepath.Join(base, fmt.Sprint(run))
		for _, sub := range []string{"1", "2", "zip", "tgz"} {
			must(t, os.MkdirAll(filepath.Join(dir, sub), 0o755))
		}
		write(filepath.Join(dir, "1"), files, rand.New(rand.NewPCG(1, 1)))
		p, findings := openForCheck(t, filepath.Join(dir, "1"))
		if p == nil {
			if diag.Count(findings).Errors == 0 {
				t.Fatal("no package and no error")
			}
			return
		}
		accepted++
		z, g := packed(t, p)
		write(filepath.Join(dir, "2"), files, rand.New(rand.NewPCG(2, 2)))
		if again, _ := openForCheck(t, filepath.Join(dir, "2")); again != nil && again.Fingerprint == p.Fingerprint {
			z2, g2 := packed(t, again)
			if !bytes.Equal(z, z2) || !bytes.Equal(g, g2) {
				t.Fatal("two packs of one tree differ")
			}
		}
		if rapid.Bool().Draw(t, "zip") { // files are slow: one of the two is enough for each tree
			sameEverywhere(t, p, z, filepath.Join(dir, "zip"))
		} else {
			sameEverywhere(t, p, g, filepath.Join(dir, "tgz"))
		}
	})
	if accepted == 0 {
		t.Error("no tree was accepted: nothing was tested")
	}
}

func must(t *rapid.T, err error) {
	if err != nil {
		t.Fatal(err)
	}
}

func openForCheck(t *rapid.T, dir string) (*pack.Package, []pack.Finding) {
	root, err := os.OpenRoot(dir)
	must(t, err)
	t.Cleanup(func() { root.Close() })
	p, findings, err := pack.OpenDir(context.Background(), root, pack.Options{})
	must(t, err)
	return p, findings
}

func packed(t *rapid.T, p *pack.Package) (z, g []byte) {
	var zb, gb bytes.Buffer
	must(t, p.WriteZip(context.Background(), &zb))
	must(t, p.WriteTGZ(context.Background(), &gb))
	return zb.Bytes(), gb.Bytes()
}

// sameEverywhere reads data in all ways, and packs what was extracted again.
func sameEverywhere(t *rapid.T, p *pack.Package, data []byte, dir string) {
	checked, findings, err := pack.OpenArchive(context.Background(), bytes.NewReader(data), int64(len(data)), pack.Options{})
	must(t, err)
	if checked == nil || len(findings) > 0 {
		t.Fatalf("what was packed is refused: %v", findings)
	}
	root, err := os.OpenRoot(dir)
	must(t, err)
	defer root.Close()
	x, _, err := pack.Extract(context.Background(), bytes.NewReader(data), int64(len(data)), root, pack.Options{})
	must(t, err)
	installed, err := pack.FingerprintDir(context.Background(), root)
	must(t, err)
	for what, got := range map[string]string{"OpenArchive": checked.Fingerprint, "Extract": x.Fingerprint, "FingerprintDir": installed} {
		if got != p.Fingerprint {
			t.Fatalf("%s has %s, the folder %s", what, got, p.Fingerprint)
		}
	}
	if !slices.Equal(checked.Files, p.Files) || checked.ID != p.ID || checked.Version != p.Version || checked.Size != p.Size {
		t.Fatalf("packages differ: %+v and %+v", checked, p)
	}
	z1, g1 := packed(t, p)
	z2, g2 := packed(t, x)
	if !bytes.Equal(z1, z2) || !bytes.Equal(g1, g2) {
		t.Fatal("packing what was installed gives other bytes")
	}
}

func TestCanonicalZip(t *testing.T) {
	defer goleak.VerifyNone(t)
	dir := folder(t, withManifest(map[string]string{"b": "b", "a/run": "#!/bin/sh\n" + strings.Repeat("echo\n", 100), "stored": noise(100, 1), "é": ""}))
	p, _ := openDir(t, dir, pack.Options{})
	var buf bytes.Buffer
	if err := p.WriteZip(t.Context(), &buf); err != nil {
		t.Fatal(err)
	}
	zr, err := zip.NewReader(bytes.NewReader(buf.Bytes()), int64(buf.Len()))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range zr.File {
		names = append(names, f.Name)
		wantMode, wantMethod := os.FileMode(0o644), zip.Store
		if f.Name == "a/run" {
			wantMode, wantMethod = 0o755, zip.Deflate
		}
		if f.Mode() != wantMode || f.Method != wantMethod && f.Name != "plugin.json" && f.Name != "package.json" {
			t.Errorf("%s has mode %v and method %d", f.Name, f.Mode(), f.Method)
		}
		if y, m, d := f.Modified.Date(); y != 1980 || m != 1 || d != 1 || f.Flags&8 != 0 || len(f.Extra) > 0 {
			t.Errorf("%s: time %v, flags %x, extra %x", f.Name, f.Modified, f.Flags, f.Extra)
		}
		rc, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, rc); err != nil {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
	if want := []string{"a/run", "b", "package.json", "plugin.json", "stored", "é"}; !slices.Equal(names, want) {
		t.Errorf("names %q", names)
	}
}

func TestPackFailsAsInstallWould(t *testing.T) {
	zeros := strings.Repeat("\x00", 3<<20)
	dir := folder(t, withManifest(map[string]string{"zeros": zeros}))
	p, _ := openDir(t, dir, pack.Options{})
	small, _ := openDir(t, dir, pack.Options{Limits: pack.Limits{Archive: 100}})
	noNPM, _ := openDir(t, folder(t, map[string]string{"plugin.json": plugin}), pack.Options{})
	otherNPM, _ := openDir(t, folder(t, map[string]string{"plugin.json": plugin, "package.json": `{"version":"2.0.0"}`}), pack.Options{})
	tests := []struct {
		name  string
		write func(context.Context, io.Writer) error
		want  string
	}{
		{"bomb zip", p.WriteZip, "LIMIT_RATIO"},
		{"bomb tgz", p.WriteTGZ, "LIMIT_RATIO"},
		{"large zip", small.WriteZip, "LIMIT_ARCHIVE"},
		{"large tgz", small.WriteTGZ, "LIMIT_ARCHIVE"},
		{"npm without package.json", noNPM.WriteTGZ, "PACKAGE_JSON_MISSING"},
		{"npm of another version", otherNPM.WriteTGZ, "IDENTITY_MISMATCH"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := tt.write(t.Context(), new(bytes.Buffer))
			if f := fault.As(err); f == nil || f.Code != tt.want || f.Kind != fault.Check {
				t.Errorf("error %v, want %s", err, tt.want)
			}
		})
	}
}

// failingWriter fails after some bytes.
type failingWriter struct{ left int }

func (f *failingWriter) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, errDisk
	}
	return len(p), nil
}

func TestFailingWriter(t *testing.T) {
	defer goleak.VerifyNone(t)
	files := map[string]string{}
	for i := range 40 {
		files[fmt.Sprint("f", i)] = noise(5000, i)
	}
	p, _ := openDir(t, folder(t, withManifest(files)), pack.Options{})
	for _, left := range []int{0, 10_000, 100_000} {
		if err := p.WriteZip(t.Context(), &failingWriter{left}); err != errDisk {
			t.Errorf("zip after %d bytes: %v", left, err)
		}
		if err := p.WriteTGZ(t.Context(), &failingWriter{left}); err != errDisk {
			t.Errorf("tgz after %d bytes: %v", left, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := p.WriteZip(ctx, io.Discard); err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
}

func TestFileNames(t *testing.T) {
	for _, tt := range []struct{ got, want string }{
		{pack.NPMFileName("wuu-hello", "0.1.0"), "wuu-hello-0.1.0.tgz"},
		{pack.NPMFileName("@a/b", "1.0.0"), "a-b-1.0.0.tgz"},
		{pack.ZipFileName("hello", "1.0.0"), "hello-1.0.0.zip"},
		{pack.ZipFileName("hello", ""), "hello.zip"},
	} {
		if tt.got != tt.want {
			t.Errorf("%q, want %q", tt.got, tt.want)
		}
	}
}
