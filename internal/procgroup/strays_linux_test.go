package procgroup_test

import (
	"runtime"
	"testing"

	"github.com/wuu-plugins/wuu/internal/procgroup"
)

// TestKillReachesOtherGroups: a child with a session of its own dies with what
// had to be killed.
func TestKillReachesOtherGroups(t *testing.T) {
	g, child, born := startFamily(t, "detached")
	if err := g.Kill(); err != nil {
		t.Fatal(err)
	}
	<-g.Done()
	for procgroup.Alive(child, born) { // killed, but nobody waits for it here
		runtime.Gosched()
	}
}
