package devwatch

import (
	"maps"
	"testing"

	"pgregory.net/rapid"
)

// Whatever was merged, applying every batch that was read gives the state that
// the changes alone give, and no read batch has a change that changes nothing.
func TestMailboxMerges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var box mailbox
		truth, reader := map[string]state{}, map[string]state{}
		var lastSeq uint64
		read := func() {
			if box.unread == nil {
				return
			}
			b := *box.unread
			box.taken()
			if b.Seq != lastSeq+1 {
				t.Fatalf("batch %d follows %d", b.Seq, lastSeq)
			}
			lastSeq = b.Seq
			for _, c := range b.Changes {
				after := state{c.Op == Write, c.Hash}
				if reader[c.Path] == after {
					t.Fatalf("%s: a change that changes nothing", c.Path)
				}
				set(reader, c.Path, after)
			}
		}
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			var deltas []delta
			for path := range rapid.MapOf(rapid.SampledFrom([]string{"a", "b", "c"}), rapid.Bool()).Draw(t, "paths") {
				after := state{true, [32]byte{rapid.ByteRange(1, 3).Draw(t, "hash")}}
				op := Write
				if rapid.Bool().Draw(t, "removed") {
					after, op = state{}, Remove
				}
				if before := truth[path]; before != after {
					deltas = append(deltas, delta{Change{path, op, after.hash}, before})
					set(truth, path, after)
				}
			}
			box.put(Batch{}, deltas)
			if rapid.Bool().Draw(t, "read") {
				read()
			}
		}
		read()
		if !maps.Equal(truth, reader) {
			t.Fatalf("reader has %v, truth is %v", reader, truth)
		}
	})
}

func set(m map[string]state, path string, s state) {
	if s.exists {
		m[path] = s
	} else {
		delete(m, path)
	}
}
