package pack_test

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/wuu-plugins/wuu/pack"
	"pgregory.net/rapid"
)

// agreement extracts archives with this package and with every other reader of
// the machine, and compares.
type agreement struct {
	dir      string
	run      int
	accepted int
	readers  []otherReader
	judged   map[string]int // archives that a reader read, by its name
}

func newAgreement(t *testing.T) *agreement {
	return &agreement{dir: t.TempDir(), readers: otherReaders(t), judged: map[string]int{}}
}

// check fails when data is accepted and another reader that accepts it too
// finds other files in it. With all, every reader has to accept it.
func (a *agreement) check(t *rapid.T, data []byte, format pack.Format, all bool) {
	a.run++
	dir := filepath.Join(a.dir, fmt.Sprint(a.run))
	must(t, os.Mkdir(dir, 0o755))
	defer os.RemoveAll(dir)
	ours, findings := a.extract(t, data, format, dir)
	if ours == nil {
		if all {
			t.Fatalf("refused: %s", codes(findings))
		}
		return
	}
	a.accepted++
	file := filepath.Join(dir, "archive."+string(format))
	must(t, os.WriteFile(file, data, 0o644))
	for _, r := range a.readers {
		if !strings.Contains(r.formats, string(format)) {
			continue
		}
		theirs, err := r.read(file, format)
		if err != nil {
			if all {
				t.Fatalf("%s refuses it: %v", r.name, err)
			}
			continue
		}
		a.judged[r.name]++
		if got := inPackage(theirs, format); !maps.Equal(got, ours) {
			keep(t, data, format)
			t.Fatalf("%s reads %s\nwuu reads %s", r.name, listed(got), listed(ours))
		}
	}
}

// keep leaves a failing archive where WUU_KEEP_FAILING says.
func keep(t *rapid.T, data []byte, format pack.Format) {
	if dir := os.Getenv("WUU_KEEP_FAILING"); dir != "" {
		must(t, os.WriteFile(filepath.Join(dir, "failing."+string(format)), data, 0o644))
	}
}

func (a *agreement) extract(t *rapid.T, data []byte, format pack.Format, dir string) (map[string]string, []pack.Finding) {
	at := filepath.Join(dir, "ours")
	must(t, os.Mkdir(at, 0o755))
	root, err := os.OpenRoot(at)
	must(t, err)
	defer root.Close()
	p, findings, err := pack.Extract(context.Background(), bytes.NewReader(data), int64(len(data)), root, pack.Options{Format: format})
	must(t, err)
	if p == nil {
		return nil, findings
	}
	files := map[string]string{}
	for _, f := range p.Files {
		body, err := os.ReadFile(filepath.Join(at, filepath.FromSlash(f.Path)))
		must(t, err)
		files[f.Path] = string(body)
	}
	return files, findings
}

// inPackage gives the names of another reader the form they have in a package:
// without the root of a tarball, and without what macOS leaves behind.
func inPackage(files map[string]string, format pack.Format) map[string]string {
	out := map[string]string{}
	for name, body := range files {
		name = path.Clean(name)
		if format == pack.TGZ {
			name = strings.TrimPrefix(name, "package/")
		}
		if path.Base(name) == ".DS_Store" || slices.Contains(strings.Split(name, "/"), "__MACOSX") {
			continue
		}
		out[name] = body
	}
	return out
}

func listed(files map[string]string) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(&b, "%q (%d bytes) ", name, len(files[name]))
	}
	return b.String()
}

// done fails when nothing was compared.
func (a *agreement) done(t *testing.T, format string) {
	t.Logf("%d of %d archives accepted; compared with %v", a.accepted, a.run, a.judged)
	for _, r := range a.readers {
		if strings.Contains(r.formats, format) && a.judged[r.name] == 0 {
			t.Errorf("%s accepted nothing: nothing was compared", r.name)
		}
	}
}
