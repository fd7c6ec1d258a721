package devwatch

import "time"

// The settling times (design/dev-loop.md, "Watching").
const (
	quietMoved   = 10 * time.Millisecond  // a rename into place is complete
	quietWritten = 30 * time.Millisecond  // other writes
	quietGone    = 150 * time.Millisecond // missing twice in a row
	maxWait      = time.Second            // for a batch under constant writing
)

// settler decides when a set of changing files has come to rest. It does no
// I/O and reads no clock: its caller tells it what a look at a path showed and
// when. Its zero value is not ready; see newSettler.
type settler struct {
	quiet time.Duration // for writes
	paths map[string]*unrest
	first time.Time // of the batch; zero when nothing is pending
}

// unrest is one path that something happened to.
type unrest struct {
	last    sample
	moved   bool
	due     time.Time // of the look that may settle it
	settled bool
}

func newSettler(quiet time.Duration) *settler {
	return &settler{quiet: quiet, paths: map[string]*unrest{}}
}

// touch reports that something happened to path, and what it looks like now.
func (s *settler) touch(path string, now time.Time, seen sample, moved bool) {
	if s.first.IsZero() {
		s.first = now
	}
	u := s.paths[path]
	if u == nil {
		u = &unrest{}
		s.paths[path] = u
	}
	u.last, u.moved, u.settled = seen, moved, false
	u.due = now.Add(s.wait(u))
}

func (s *settler) wait(u *unrest) time.Duration {
	switch {
	case u.last.kind == none:
		return max(quietGone, s.quiet)
	case u.moved:
		return quietMoved
	}
	return s.quiet
}

// pending reports whether path waits, and what it looked like last.
func (s *settler) pending(path string) (sample, bool) {
	if u := s.paths[path]; u != nil {
		return u.last, true
	}
	return sample{}, false
}

// due lists the paths that want a look at now.
func (s *settler) due(now time.Time) []string {
	var list []string
	for path, u := range s.paths {
		if !u.settled && !u.due.After(now) {
			list = append(list, path)
		}
	}
	return list
}

// look reports what a look that was due showed. The same as before settles the
// path; anything else starts the wait again.
func (s *settler) look(path string, now time.Time, seen sample) {
	u := s.paths[path]
	if u == nil {
		return
	}
	if seen == u.last {
		u.settled = true
		return
	}
	u.last, u.moved = seen, false
	u.due = now.Add(s.wait(u))
}

// drop forgets path.
func (s *settler) drop(path string) {
	delete(s.paths, path)
	if len(s.paths) == 0 {
		s.first = time.Time{}
	}
}

// next is when due or ready has news; ok is false when nothing is pending.
func (s *settler) next() (at time.Time, ok bool) {
	if len(s.paths) == 0 {
		return time.Time{}, false
	}
	at = s.first.Add(maxWait)
	all := true
	for _, u := range s.paths {
		if u.settled {
			continue
		}
		all = false
		if u.due.Before(at) {
			at = u.due
		}
	}
	if all {
		return s.first, true
	}
	return at, true
}

// ready reports whether the batch is complete: everything settled, or it has
// waited long enough (forced).
func (s *settler) ready(now time.Time) (ready, forced bool) {
	if len(s.paths) == 0 {
		return false, false
	}
	for _, u := range s.paths {
		if !u.settled {
			over := !now.Before(s.first.Add(maxWait))
			return over, over
		}
	}
	return true, false
}

// take empties the settler and returns what it held. A path that was found
// missing only once stays behind: it may be between unlink and create.
func (s *settler) take(now time.Time) (batch map[string]sample, first time.Time) {
	batch, first = make(map[string]sample, len(s.paths)), s.first
	s.first = time.Time{}
	for path, u := range s.paths {
		if u.last.kind == none && !u.settled {
			s.first = now
			continue
		}
		batch[path] = u.last
		delete(s.paths, path)
	}
	return batch, first
}
