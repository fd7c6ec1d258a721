package term

import (
	"math"
	"sync"
	"time"
)

const (
	// redrawEvery keeps the line calm: at most ten redraws a second.
	redrawEvery = 100 * time.Millisecond
	// staleAfter is when the line is drawn again although nothing came, so that
	// the rate of a download that stands still goes down.
	staleAfter = time.Second
	// smoothing is the time after which a change of the rate shows for the most part.
	smoothing = 2 * time.Second
	// settle is how long a phase has to run before a rate means anything.
	settle = 500 * time.Millisecond
)

// Progress is the status line of work in phases: a bar, the rate and the time
// left. It may be used by several goroutines.
type Progress struct {
	status *Status
	now    func() time.Time

	mu      sync.Mutex
	phase   string
	done    int64
	total   int64 // 0: unknown
	since   time.Time
	drawn   time.Time
	pending *time.Timer
	rate    rate
}

// Progress returns a line that is not shown yet. now is the clock.
func (t *IO) Progress(now func() time.Time) *Progress {
	return &Progress{status: t.Status(), now: now}
}

// Show tells how far a phase is; total is 0 when nobody knows. What comes more
// often than it can be drawn is drawn later, unless the line was cleared.
func (p *Progress) Show(phase string, done, total int64) {
	if !p.status.live() {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now()
	if phase != p.phase {
		p.phase, p.since, p.rate = phase, now, rate{}
	}
	p.done, p.total = done, total
	p.rate.add(now, done)
	if wait := redrawEvery - now.Sub(p.drawn); wait > 0 && !p.drawn.IsZero() {
		p.later(wait)
		return
	}
	p.drawn = now
	p.status.Show(p.text(now))
	p.later(staleAfter)
}

// later plans the next redraw; an earlier plan that is due sooner stands.
func (p *Progress) later(wait time.Duration) {
	if p.pending != nil {
		p.pending.Stop()
	}
	p.pending = time.AfterFunc(wait, p.redraw)
}

func (p *Progress) redraw() {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now()
	p.rate.add(now, p.done)
	if p.status.replace(p.text(now)) {
		p.drawn = now
		p.later(staleAfter)
	}
}

func (p *Progress) text(now time.Time) string {
	l := line{phase: p.phase, done: p.done, total: p.total}
	if now.Sub(p.since) >= settle {
		l.rate = p.rate.perSecond
	}
	return l.fit(p.status.t.columns() - 1)
}

// rate is an exponentially smoothed speed in bytes per second.
type rate struct {
	perSecond float64
	at        time.Time
	done      int64
	begun     bool // a first difference is in perSecond
}

// add takes a reading. Readings close to each other wait for the next, and one
// that goes back begins anew: the download has.
func (r *rate) add(now time.Time, done int64) {
	if r.at.IsZero() || done < r.done {
		*r = rate{at: now, done: done}
		return
	}
	passed := now.Sub(r.at)
	if passed < redrawEvery {
		return
	}
	current := float64(done-r.done) / passed.Seconds()
	weight := 1 - math.Exp(-passed.Seconds()/smoothing.Seconds())
	if !r.begun {
		weight = 1
	}
	r.perSecond += weight * (current - r.perSecond)
	r.at, r.done, r.begun = now, done, true
}
