package registry_test

import (
	"slices"
	"testing"

	"github.com/wuu-plugins/wuu/registry"
)

// TestVerifyTellsHowFar: the bytes grow to the size of all archives.
func TestVerifyTellsHowFar(t *testing.T) {
	w := newWorld(t)
	total := int64(0)
	for _, version := range []string{"1.0.0", "1.0.1"} {
		tgz, _ := w.publish("pkg", version)
		if _, _, err := w.fetch(w.client, w.source("npm:pkg@"+version)); err != nil {
			t.Fatal(err)
		}
		total += int64(len(tgz))
	}
	var seen []int64
	dropped, err := w.client.Store().Verify(t.Context(), func(p registry.Phase) {
		if p.Name != "verify" || p.Total != total {
			t.Errorf("%+v of %d", p, total)
		}
		seen = append(seen, p.Bytes)
	})
	if err != nil || len(dropped) != 0 || !slices.IsSorted(seen) || seen[len(seen)-1] != total {
		t.Errorf("%v, %v, %v", dropped, err, seen)
	}
}
