package dev

import (
	"bytes"
	"strings"

	"github.com/wuu-plugins/wuu/internal/manifest"
	"github.com/wuu-plugins/wuu/pack"
)

// effects says what a publish changes for those who use the plugin, in the
// order trust, runtime, desktop, theme. Everything is new after nothing.
func effects(before, after *pack.Package, m *manifest.Manifest) []string {
	var trust, runtime, desktop, theme bool
	changed := func(path string) {
		switch {
		case path == after.ManifestPath:
			trust = true
			theme = theme || themes(before, m)
		case m.Desktop != nil && strings.TrimSuffix(path, ".map") == m.Desktop.Entry:
			desktop = true
		default:
			runtime = true
		}
	}
	old := map[string][32]byte{}
	if before != nil {
		for _, f := range before.Files {
			old[f.Path] = f.SHA256
		}
	}
	for _, f := range after.Files {
		if sum, there := old[f.Path]; !there || sum != f.SHA256 {
			changed(f.Path)
		}
		delete(old, f.Path)
	}
	for path := range old {
		changed(path)
	}
	var list []string
	for _, effect := range []struct {
		on   bool
		name string
	}{{trust, "trust"}, {runtime, "runtime"}, {desktop, "desktop"}, {theme, "theme"}} {
		if effect.on {
			list = append(list, effect.name)
		}
	}
	return list
}

// themes reports whether the themes of the manifest differ from those before.
func themes(before *pack.Package, m *manifest.Manifest) bool {
	now := m.Contributes.Raw["themes"]
	if before == nil {
		return now != nil
	}
	old, _ := manifest.Parse(before.ManifestPath, before.Manifest)
	return old == nil || !bytes.Equal(old.Contributes.Raw["themes"], now)
}
