package manifest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/wuu-plugins/wuu/internal/manifest"
)

// BenchmarkLarge reads manifests of 1 MiB that are full of one thing.
func BenchmarkLarge(b *testing.B) {
	for _, c := range []struct{ name, before, entry, after string }{
		{"themes", `{"id": "a", "contributes": {"themes": [`, `{"id": "t%d", "name": "T", "base": "dark", "tokens": {"--wuu-ink": "#000", "--wuu-inc%[1]d": "#000"}}`, `]}}`},
		{"skins", `{"id": "a", "minimum_wuu_version": "1.0.0", "contributes": {"skins": [`, `{"id": "s%d", "name": "S", "light": ` + plainScheme + `, "dark": ` + plainScheme + `}`, `]}}`},
		{"settings", `{"id": "a", "contributes": {"settings": {`, `"s%d": {"type": "boolean", "title": "S", "default": true, "scope": "user", "apply": "live"}`, `}}}`},
		{"commands", `{"id": "a", "contributes": {"commands": [`, `{"id": "c%d", "title": "C", "kind": "prompt_template", "prompt": "p.md", "descripton": "d"}`, `]}}`},
		{"views", `{"id": "a", "desktop": {"entry": "r.js"}, "contributes": {"navigation": [`, `{"id": "v%d", "view": "v", "title": "T", "icon": "serch"}`, `]}}`},
		{"unknown fields", `{"id": "a", "x": 1`, `,"versoin%d": 1`, `}`},
	} {
		var src strings.Builder
		src.WriteString(c.before)
		for i := 0; src.Len() < 1<<20-300; i++ {
			if i > 0 && c.name != "unknown fields" {
				src.WriteByte(',')
			}
			fmt.Fprintf(&src, c.entry, i)
		}
		src.WriteString(c.after)
		text := []byte(src.String())
		if m, _ := manifest.Parse("plugin.json", text); m == nil {
			b.Fatal(c.name)
		}
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				manifest.Parse("plugin.json", text)
			}
		})
	}
}
