package devwatch

import (
	"slices"
	"strings"
)

// mailbox holds the batch that nobody has read yet and merges newer ones into
// it: what counts is the difference from what the last read batch saw.
type mailbox struct {
	seq    uint64
	unread *Batch
	before map[string]state // of the unread batch's paths
}

// state is whether a file exists, and with which content.
type state struct {
	exists bool
	hash   [32]byte
}

// delta is one change together with the state before it.
type delta struct {
	Change
	before state
}

func (d delta) after() state { return state{d.Op == Write, d.Hash} }

// put adds the changes of a settled batch.
func (m *mailbox) put(b Batch, deltas []delta) {
	if len(deltas) == 0 {
		return
	}
	changes := map[string]Change{}
	if m.unread == nil {
		m.seq++
		b.Seq = m.seq
		m.before = map[string]state{}
	} else {
		b.Seq, b.First = m.unread.Seq, m.unread.First
		b.Rescan = b.Rescan || m.unread.Rescan
		for _, c := range m.unread.Changes {
			changes[c.Path] = c
		}
	}
	for _, d := range deltas {
		if _, ok := m.before[d.Path]; !ok {
			m.before[d.Path] = d.before
		}
		if m.before[d.Path] == d.after() {
			delete(changes, d.Path)
		} else {
			changes[d.Path] = d.Change
		}
	}
	b.Changes = make([]Change, 0, len(changes))
	for _, c := range changes {
		b.Changes = append(b.Changes, c)
	}
	slices.SortFunc(b.Changes, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	if len(b.Changes) == 0 {
		m.unread = nil
		m.seq-- // nobody has seen it
		return
	}
	m.unread = &b
}

// taken empties the mailbox after a reader took the batch.
func (m *mailbox) taken() { m.unread, m.before = nil, nil }
