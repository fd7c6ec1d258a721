package pack_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/wuu-plugins/wuu/pack"
)

func TestExtract(t *testing.T) {
	large := noise(700_000, 1) // several chunks
	members := append(sound[:2:2], member{name: "a/b/c", body: "deep"}, member{name: "large", body: large}, member{name: "empty"}, member{name: "a/d", body: "x"})
	for format, data := range map[string][]byte{"zip": zipped(t, members...), "tgz": tgz(t, under("package", members...)...)} {
		t.Run(format, func(t *testing.T) {
			dir := t.TempDir()
			p, findings := extract(t, data, dir, pack.Options{})
			if len(findings) > 0 {
				t.Fatalf("findings: %s", codes(findings))
			}
			got := tree(t, dir)
			for _, m := range members {
				if _, body, _ := strings.Cut(got[m.name], " "); body != m.body {
					t.Errorf("%s holds %.20q", m.name, body)
				}
				if body, err := p.ReadFile(m.name, 1<<20); err != nil || string(body) != m.body {
					t.Errorf("ReadFile(%s): %v", m.name, err)
				}
			}
			if len(got) != len(members) || p.Size != int64(len(plugin)+len(npm)+len(large)+5) || string(p.Format) != format {
				t.Errorf("%d files, size %d, format %s", len(got), p.Size, p.Format)
			}
			checked, _ := open(t, data, pack.Options{})
			if checked.Fingerprint != p.Fingerprint {
				t.Error("OpenArchive and Extract have two fingerprints")
			}
			installed, err := pack.FingerprintDir(t.Context(), openRoot(t, dir))
			if err != nil || installed != p.Fingerprint {
				t.Errorf("FingerprintDir = %s, %v, want %s", installed, err, p.Fingerprint)
			}
		})
	}
}

// TestNothingIsWrittenAfterARefusal also shows that checking goes on: the
// last entry is found although the second was refused.
func TestNothingIsWrittenAfterARefusal(t *testing.T) {
	members := []member{{name: "first", body: "1"}, {name: "nul", body: "2"}, {name: "later", body: "3"}, sound[0], sound[1], {name: "last."}}
	outside := append(under("package", member{name: "first", body: "1"}), member{name: "beside", body: "2"})
	outside = append(outside, under("package", member{name: "later", body: "3"}, sound[0], sound[1])...)
	tests := []struct {
		name string
		data []byte
		want []string
	}{
		{"zip", zipped(t, members...), []string{"PATH_RESERVED", "PATH_TRAILING"}},
		{"tgz", tgz(t, under("package", members...)...), []string{"PATH_RESERVED", "PATH_TRAILING"}},
		{"outside the root", tgz(t, outside...), []string{"LAYOUT_MULTI_ROOT"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			_, findings := extract(t, tt.data, dir, pack.Options{})
			if !slices.Equal(errorCodes(findings), tt.want) {
				t.Errorf("findings: %s", codes(findings))
			}
			if got := slices.Collect(maps.Keys(tree(t, dir))); !slices.Equal(got, []string{"first"}) {
				t.Errorf("written: %q", got)
			}
		})
	}
}

// TestExtractOverwritesNothing puts something in the way; it must survive.
func TestExtractOverwritesNothing(t *testing.T) {
	data := zipped(t, append(sound[:2:2], member{name: "a", body: "new"}, member{name: "d/b", body: "new"})...)
	outside := folder(t, map[string]string{"victim": "old"})
	tests := []struct {
		name string
		put  func(dir string) error
	}{
		{"file", func(dir string) error { return os.WriteFile(filepath.Join(dir, "a"), []byte("old"), 0o644) }},
		{"link to a file", func(dir string) error {
			return os.Symlink(filepath.Join(outside, "victim"), filepath.Join(dir, "a"))
		}},
		{"dangling link", func(dir string) error { return os.Symlink(filepath.Join(outside, "new"), filepath.Join(dir, "a")) }},
		{"link to a folder", func(dir string) error { return os.Symlink(outside, filepath.Join(dir, "d")) }},
		{"file for a folder", func(dir string) error { return os.WriteFile(filepath.Join(dir, "d"), []byte("old"), 0o644) }},
		{"folder for a file", func(dir string) error { return os.Mkdir(filepath.Join(dir, "a"), 0o755) }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			if err := tt.put(dir); err != nil {
				t.Skipf("skipped: %v", err)
			}
			p, _, err := pack.Extract(context.Background(), bytes.NewReader(data), int64(len(data)), openRoot(t, dir), pack.Options{})
			if err == nil || p != nil {
				t.Errorf("extracted over it: %v", p)
			}
			if body, _ := os.ReadFile(filepath.Join(dir, "a")); string(body) == "new" && tt.name != "link to a folder" && tt.name != "file for a folder" {
				t.Error("it was overwritten")
			}
			if got := tree(t, outside); len(got) != 1 || !strings.HasSuffix(got["victim"], "old") {
				t.Errorf("outside: %q", got)
			}
		})
	}
}

// TestSwappedFolder replaces folders of the destination by links to the
// outside while files are written. Whatever Extract makes of it, nothing may
// appear outside.
func TestSwappedFolder(t *testing.T) {
	var members []member
	for _, d := range []string{"a", "b", "a/x", "b/x", "a/y", "b/y"} {
		for _, f := range []string{"1", "2", "3"} {
			members = append(members, member{name: d + "/" + f, body: "x"})
		}
	}
	slices.SortStableFunc(members, func(a, b member) int { return strings.Compare(a.name[len(a.name)-1:], b.name[len(b.name)-1:]) })
	data := zipped(t, append(members, sound...)...)
	outside := t.TempDir()
	for range 60 {
		dir := t.TempDir()
		stop := make(chan struct{})
		var attacker sync.WaitGroup
		attacker.Go(func() {
			for i := 0; ; i++ {
				select {
				case <-stop:
					return
				default:
				}
				target := filepath.Join(dir, []string{"a", "b", "a/x", "b/y"}[i%4])
				if os.Rename(target, filepath.Join(dir, "moved"+string(rune('0'+i%10)))) == nil {
					_ = os.Symlink(outside, target)
				}
			}
		})
		root, err := os.OpenRoot(dir)
		if err != nil {
			t.Fatal(err)
		}
		_, _, _ = pack.Extract(context.Background(), bytes.NewReader(data), int64(len(data)), root, pack.Options{})
		close(stop)
		attacker.Wait()
		root.Close()
		if left, err := os.ReadDir(outside); err != nil || len(left) > 0 {
			t.Fatalf("written outside: %v %v", left, err)
		}
	}
}

func TestCancelledExtract(t *testing.T) {
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(cause)
	data := zipped(t, sound...)
	if _, _, err := pack.Extract(ctx, bytes.NewReader(data), int64(len(data)), openRoot(t, t.TempDir()), pack.Options{}); !errors.Is(err, cause) {
		t.Errorf("Extract: %v", err)
	}
	if _, _, err := pack.OpenDir(ctx, openRoot(t, folder(t, withManifest(nil))), pack.Options{}); !errors.Is(err, cause) {
		t.Errorf("OpenDir: %v", err)
	}
}

// brokenDisk fails behind some offset.
type brokenDisk struct {
	*bytes.Reader
	at int64
}

var errDisk = errors.New("disk broke")

func (b brokenDisk) ReadAt(p []byte, off int64) (int, error) {
	if off+int64(len(p)) > b.at {
		return 0, errDisk
	}
	return b.Reader.ReadAt(p, off)
}

func TestDiskErrorIsNoFinding(t *testing.T) {
	data := tgz(t, append(under("package", sound...), member{name: "package/large", body: noise(300_000, 1)})...)
	p, findings, err := pack.Extract(context.Background(), brokenDisk{bytes.NewReader(data), 200_000}, int64(len(data)), openRoot(t, t.TempDir()), pack.Options{})
	if !errors.Is(err, errDisk) || p != nil || findings != nil {
		t.Errorf("%v %s %v", p, codes(findings), err)
	}
}

func TestContentAfterOpenArchive(t *testing.T) {
	p, _ := open(t, zipped(t, append(sound[:2:2], member{name: "a", body: "x"})...), pack.Options{})
	for name, want := range map[string]string{"plugin.json": plugin, "package.json": npm} {
		if got, err := p.ReadFile(name, 1000); err != nil || string(got) != want {
			t.Errorf("%s = %q, %v", name, got, err)
		}
	}
	if _, err := p.ReadFile("a", 1000); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("a: %v", err)
	}
	if _, err := p.ReadFile("missing", 1000); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing: %v", err)
	}
	if err := p.CopyTo(t.Context(), openRoot(t, t.TempDir())); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("CopyTo: %v", err)
	}
	if f, ok := p.Lookup("a"); !ok || f.Size != 1 {
		t.Errorf("Lookup = %+v, %v", f, ok)
	}
}
