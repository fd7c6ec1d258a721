package devwatch

import (
	"maps"
	"slices"
	"testing"
	"time"
)

// at is a moment, in milliseconds, of a settler's life.
func at(ms int) time.Time { return time.UnixMilli(int64(ms)) }

func written(size int64) sample { return sample{kind: file, size: size, inode: 1} }

func TestSettlerWaits(t *testing.T) {
	for _, c := range []struct {
		name  string
		seen  sample
		moved bool
		want  int // ms until the look that settles
	}{
		{"written", written(1), false, 30},
		{"renamed into place", written(1), true, 10},
		{"gone", sample{}, false, 150},
		{"gone by a rename", sample{}, true, 150},
	} {
		s := newSettler(quietWritten)
		s.touch("a", at(0), c.seen, c.moved)
		next, ok := s.next()
		if !ok || next != at(c.want) {
			t.Errorf("%s: next look at %v, want %v", c.name, next, at(c.want))
		}
		if due := s.due(at(c.want - 1)); len(due) != 0 {
			t.Errorf("%s: due too early", c.name)
		}
		if due := s.due(at(c.want)); !slices.Equal(due, []string{"a"}) {
			t.Errorf("%s: due %v", c.name, due)
		}
		if ready, _ := s.ready(at(c.want)); ready {
			t.Errorf("%s: ready before the second look", c.name)
		}
		s.look("a", at(c.want), c.seen)
		if ready, forced := s.ready(at(c.want)); !ready || forced {
			t.Errorf("%s: ready %v, forced %v after two equal looks", c.name, ready, forced)
		}
	}
}

func TestSettlerRestartsWhenLooksDiffer(t *testing.T) {
	s := newSettler(quietWritten)
	s.touch("a", at(0), written(1), true)
	s.look("a", at(10), written(2)) // not complete after all
	if next, _ := s.next(); next != at(40) {
		t.Errorf("next look at %v, want 30 ms later", next)
	}
	s.look("a", at(40), written(2))
	if ready, _ := s.ready(at(40)); !ready {
		t.Error("not ready after two equal looks")
	}
}

func TestSettlerUnlinkThenCreate(t *testing.T) {
	s := newSettler(quietWritten)
	s.touch("a", at(0), sample{}, false)
	s.touch("a", at(80), written(5), false)
	s.look("a", at(110), written(5))
	batch, first := s.take(at(110))
	if want := map[string]sample{"a": written(5)}; !maps.Equal(batch, want) || first != at(0) {
		t.Errorf("took %v, first %v", batch, first)
	}
}

func TestSettlerWaitsForAll(t *testing.T) {
	s := newSettler(quietWritten)
	s.touch("a", at(0), written(1), true)
	s.touch("b", at(5), written(1), false)
	s.look("a", at(10), written(1))
	if ready, _ := s.ready(at(10)); ready {
		t.Error("ready while b is not settled")
	}
	s.look("b", at(35), written(1))
	if next, ok := s.next(); !ok || next.After(at(35)) {
		t.Error("a complete batch must not wait")
	}
	if batch, _ := s.take(at(35)); len(batch) != 2 {
		t.Errorf("took %v", batch)
	}
	if _, ok := s.next(); ok {
		t.Error("an empty settler has nothing due")
	}
}

func TestSettlerLimit(t *testing.T) {
	s := newSettler(quietWritten)
	for ms := 0; ms < 1000; ms += 20 {
		s.touch("a", at(ms), written(int64(ms)), false)
		if ready, _ := s.ready(at(ms)); ready {
			t.Fatalf("ready at %d ms under constant writing", ms)
		}
	}
	s.touch("gone", at(990), sample{}, false)
	if next, _ := s.next(); next != at(1000) {
		t.Errorf("next %v, want the limit", next)
	}
	ready, forced := s.ready(at(1000))
	if !ready || !forced {
		t.Fatalf("ready %v, forced %v at the limit", ready, forced)
	}
	batch, first := s.take(at(1000))
	if len(batch) != 1 || batch["a"].size != 980 || first != at(0) {
		t.Errorf("took %v since %v", batch, first)
	}
	if last, pending := s.pending("gone"); !pending || last.kind != none {
		t.Error("a file missing only once must stay pending")
	}
	if ready, _ := s.ready(at(1500)); ready {
		t.Error("the next batch has its own second")
	}
}

func TestSettlerDrop(t *testing.T) {
	s := newSettler(quietWritten)
	s.touch("a", at(0), written(1), false)
	s.drop("a")
	s.look("a", at(30), written(1))
	if ready, _ := s.ready(at(2000)); ready {
		t.Error("a dropped path makes no batch")
	}
}
