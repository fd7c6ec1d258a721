package pack_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/wuu-plugins/wuu/internal/pathname"
	"github.com/wuu-plugins/wuu/pack"
)

// FuzzOpenArchive feeds anything. Nothing may panic, there is a package or an
// error finding, and what is accepted obeys the rules about names and packs
// again to the same package. Memory is bounded by small limits.
func FuzzOpenArchive(f *testing.F) {
	f.Add(zipped(f, sound...))
	f.Add(zipped(f, under("top", sound...)...))
	f.Add(tgz(f, under("package", sound...)...))
	f.Add(zipped(f, member{name: "plugin.json", body: plugin}, member{name: "d/"}, member{name: "D/x"}))
	for _, data := range smallFixtures() {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p, findings := open(t, data, pack.Options{Limits: pack.Limits{Archive: 1 << 20, Unpacked: 1 << 20, Entries: 50}})
		if p == nil {
			pack.Refusal(findings)
			return
		}
		for i, file := range p.Files {
			if problem := pathname.Check(file.Path); problem != nil {
				t.Fatalf("accepted %q: %s", file.Path, problem.Code)
			}
			if i > 0 && p.Files[i-1].Path >= file.Path {
				t.Fatalf("%q and %q are not in order", p.Files[i-1].Path, file.Path)
			}
		}
		if p.Fingerprint != pack.Fingerprint(p.Files) {
			t.Fatal("wrong fingerprint")
		}
		x, _, err := pack.Extract(context.Background(), bytes.NewReader(data), int64(len(data)), openRoot(t, t.TempDir()), pack.Options{})
		if err != nil || x == nil || x.Fingerprint != p.Fingerprint {
			t.Fatalf("Extract: %v, %v", x, err)
		}
		var zip bytes.Buffer
		if err := x.WriteZip(context.Background(), &zip); err != nil {
			t.Fatal(err)
		}
		if again, findings := open(t, zip.Bytes(), pack.Options{}); again == nil || again.Fingerprint != p.Fingerprint {
			t.Fatalf("packed again: %s", codes(findings))
		}
	})
}

// smallFixtures are the archives of the tables about rules and of the corpus,
// as far as they are small enough to be changed byte by byte.
func smallFixtures() [][]byte {
	var out [][]byte
	add := func(data []byte) {
		if len(data) > 0 && len(data) < 8<<10 {
			out = append(out, data)
		}
	}
	for _, c := range ruleCases() {
		add(c.tgz)
		add(c.zip)
	}
	for _, c := range twins() {
		add(c.data)
	}
	return out
}
