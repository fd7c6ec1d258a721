package devwatch_test

import (
	"testing"

	"github.com/wuu-plugins/wuu/devwatch"
)

func TestEditorTemp(t *testing.T) {
	for name, want := range map[string]bool{
		"4913": true, "/p/4913": true, "index.ts~": true, ".#index.ts": true, "#index.ts#": true,
		".index.ts.swp": true, ".index.ts.swx": true, ".x.swo": true, "index.ts.tmp": true,
		"index.ts": false, "4913.ts": false, "a~b": false, "#": false, "##": false, "tmp": false, ".env": false, "x.swp.ts": false,
	} {
		if got := devwatch.EditorTemp(name); got != want {
			t.Errorf("EditorTemp(%q) = %v", name, got)
		}
	}
}
