package host

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/wuu-plugins/wuu/internal/catalog"
	"github.com/wuu-plugins/wuu/internal/paths"
	"github.com/wuu-plugins/wuu/pack"
)

func storeAndRecord(t *testing.T) (*snapshots, record) {
	t.Helper()
	home, err := paths.At(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	src := t.TempDir()
	for name, mode := range map[string]fs.FileMode{"plugin.json": 0o644, "bin/run": 0o755} {
		path := filepath.Join(src, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("{}"), mode); err != nil {
			t.Fatal(err)
		}
	}
	root, err := os.OpenRoot(src)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	print, err := pack.FingerprintDir(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	return &snapshots{home: home}, catalog.Record{ID: "p", Fingerprint: print, Root: src}
}

// Hosts that start at the same time share one complete, read-only copy.
func TestSnapshotIsSharedAndReadOnly(t *testing.T) {
	s, r := storeAndRecord(t)
	var hosts sync.WaitGroup
	for range 8 {
		hosts.Go(func() {
			own := &snapshots{home: s.home}
			dir, release, err := own.open(t.Context(), r)
			if err != nil {
				t.Error(err)
				return
			}
			defer release()
			if _, err := os.Stat(filepath.Join(dir, "bin", "run")); err != nil {
				t.Error(err)
			}
		})
	}
	hosts.Wait()
	dir := s.home.Generation(r.Fingerprint)
	if runtime.GOOS != "windows" {
		for name, want := range map[string]fs.FileMode{"plugin.json": 0o444, "bin/run": 0o555} {
			info, err := os.Stat(filepath.Join(dir, name))
			if err != nil || info.Mode().Perm() != want {
				t.Errorf("%s: %v %v, want %v", name, info.Mode(), err, want)
			}
		}
	}
	if left := names(t, s); left != ".lock "+r.Fingerprint+" "+r.Fingerprint+".lock" {
		t.Errorf("generations/ holds %s", left)
	}
	if err := os.RemoveAll(r.Root); err != nil {
		t.Fatal(err)
	}
	_, release, err := s.open(t.Context(), r)
	if err != nil {
		t.Errorf("the snapshot needs its source: %v", err)
	}
	release()
}

func names(t *testing.T, s *snapshots) string {
	t.Helper()
	entries, err := os.ReadDir(s.home.Generations())
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return strings.Join(out, " ")
}

// A package that is not the recorded one is refused, and nothing is kept.
func TestSnapshotOfAnotherPackage(t *testing.T) {
	s, r := storeAndRecord(t)
	if err := os.WriteFile(filepath.Join(r.Root, "plugin.json"), []byte("{ }"), 0o644); err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS == "windows" {
		t.Skip("skipped: fingerprints of folders cannot be compared on Windows")
	}
	if _, _, err := s.open(t.Context(), r); err == nil || !strings.Contains(err.Error(), "not the recorded one") {
		t.Fatalf("open: %v", err)
	}
	r.Fingerprint = "../../etc"
	if _, _, err := s.open(t.Context(), r); err == nil {
		t.Error("a fingerprint that is a path was taken")
	}
	if left := names(t, s); strings.Contains(left, tempPrefix) {
		t.Errorf("generations/ holds %s", left)
	}
}

// Pruning takes what nobody selects or uses, and what a killed host left.
func TestPrune(t *testing.T) {
	s, r := storeAndRecord(t)
	if err := s.prune(t.Context(), nil); err != nil {
		t.Fatalf("prune of a home without generations: %v", err)
	}
	dir, release, err := s.open(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	leftover := filepath.Join(s.home.Generations(), tempPrefix+r.Fingerprint+"-0123")
	foreign := filepath.Join(s.home.Generations(), "notes")
	for _, path := range []string{leftover, foreign} {
		if err := os.Mkdir(path, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	prune := func(keep map[string]bool) {
		t.Helper()
		if err := (&snapshots{home: s.home}).prune(t.Context(), keep); err != nil {
			t.Fatal(err)
		}
	}
	exists := func(path string) bool {
		_, err := os.Stat(path)
		return !errors.Is(err, fs.ErrNotExist)
	}
	prune(nil)
	if !exists(dir) || !exists(leftover) {
		t.Error("prune took what is in use")
	}
	release()
	prune(map[string]bool{r.Fingerprint: true})
	if !exists(dir) || exists(leftover) {
		t.Error("prune took what is selected, or left a half copy")
	}
	prune(nil)
	if exists(dir) || exists(dir+lockSuffix) || !exists(foreign) {
		t.Errorf("prune left %s", names(t, s))
	}
	if _, release, err = s.open(t.Context(), r); err != nil {
		t.Fatalf("open after prune: %v", err)
	}
	release()
}
