package bundle_test

import (
	"testing"

	"github.com/wuu-plugins/wuu/internal/bundle"
)

// Whatever stands in a source, its findings have places inside it.
func FuzzPositions(f *testing.F) {
	for _, src := range []string{
		"const b = ;", "\ufeffconst b = ;", "a\r\n;;\rimport 'x'\n(", "const s = \"😀é\", b = ;", "\u2028)", "`${", "/*", "import './missing'", "\xff\xfe(", "x\u2029\n😀😀)",
	} {
		f.Add([]byte(src))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		root := tree(t, map[string]string{"src/index.ts": string(src)})
		b, err := bundle.NewBuilder(nodeEntry("src/index.ts"), bundle.Options{Root: root})
		if err != nil {
			t.Fatal(err)
		}
		defer b.Close()
		_, findings, err := b.Build(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range findings {
			if f.Message == "" || f.Code == "" {
				t.Errorf("an empty finding: %+v", f)
			}
			if f.File != "src/index.ts" {
				continue
			}
			if f.Start.Offset < 0 || f.End.Offset > len(src) || f.Start.Line > 0 && (f.Start.Col16 < f.Start.ColChar || f.Start.ColChar < 1) {
				t.Errorf("a place outside the source: %+v", f)
			}
		}
	})
}
