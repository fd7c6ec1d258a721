package term

import (
	"bytes"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// recorder is a terminal that remembers when what was written.
type recorder struct {
	mu     sync.Mutex
	writes []string
	times  []time.Time
}

func (r *recorder) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.writes, r.times = append(r.writes, string(p)), append(r.times, time.Now())
	return len(p), nil
}

func (r *recorder) last() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.writes) == 0 {
		return ""
	}
	return r.writes[len(r.writes)-1]
}

func terminal(columns int) (*IO, *recorder) {
	r := &recorder{}
	return &IO{Err: r, ErrTTY: true, Columns: func() int { return columns }}, r
}

// TestProgressLine holds what is shown in each width.
func TestProgressLine(t *testing.T) {
	half := line{"download", 13_500_000, 27_000_000, 3_400_000}
	for _, c := range []struct {
		line  line
		width int
		want  string
	}{
		{half, 100, "download [###############---------------]  50%  13.5 MB of 27.0 MB  3.4 MB/s  4 s left"},
		{half, 79, "download [#####------]  50%  13.5 MB of 27.0 MB  3.4 MB/s  4 s left"},
		{half, 60, "download [#####-----]  50%  13.5 MB of 27.0 MB  3.4 MB/s"},
		{half, 50, "download 50%  13.5 MB of 27.0 MB  3.4 MB/s"},
		{half, 35, "download 50%  13.5 MB of 27.0 MB"},
		{half, 20, "download 50%"},
		{half, 5, "downl"},
		{half, 0, ""},
		{line{phase: "resolve"}, 79, "resolve"},
		{line{phase: "download", done: 2_000_000, rate: 1000}, 79, "download  2.0 MB  1.0 kB/s"},
		{line{"download", 999, 1000, 0}, 100, "download [#############################-]  99%  999 B of 1.0 kB"},
		{line{"download", 999, 1000, 0}, 50, "download 99%  999 B of 1.0 kB"},
		{line{"verify", 1000, 1000, 9}, 59, "verify   [#########] 100%  1.0 kB of 1.0 kB  9 B/s"},
		{line{"x", 0, 100_000_000, 1_000_000}, 60, "x        [----------]   0%  0 B of 100.0 MB  1.0 MB/s"},
		{line{"x", 0, 100_000_000, 1_000_000}, 79, "x        [-----------]   0%  0 B of 100.0 MB  1.0 MB/s  1 min 40 s left"},
		{line{"x", 0, 4_000_000, 1000}, 79, "x        [-----------]   0%  0 B of 4.0 MB  1.0 kB/s  1 h 06 min left"},
		{line{"x", 0, 1 << 40, 1}, 60, "x        [----------]   0%  0 B of 1099511.6 MB  1 B/s"},
	} {
		got := c.line.fit(c.width)
		if got != c.want || len(got) > c.width {
			t.Errorf("%+v in %d:\n%s\nwant\n%s", c.line, c.width, got, c.want)
		}
	}
	for width := range 120 {
		if got := half.fit(width); len(got) > width {
			t.Errorf("%d characters in a width of %d: %s", len(got), width, got)
		}
	}
}

// TestProgressIsCalm: however often progress is told, ten redraws a second at most.
func TestProgressIsCalm(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		io, r := terminal(100)
		p := io.Progress(time.Now)
		for ms := range int64(3000) {
			p.Show([]string{"download", "verify"}[ms/7%2], ms, 3000)
			time.Sleep(time.Millisecond)
		}
		io.Status().Clear()
		if len(r.writes) < 25 {
			t.Errorf("%d writes in 3 s: the line hardly moves", len(r.writes))
		}
		draws := r.times[:len(r.times)-1] // the last one takes the line away
		for i := 10; i < len(draws); i++ {
			if d := draws[i].Sub(draws[i-10]); d < time.Second {
				t.Errorf("eleven redraws in %v", d)
			}
		}
		for _, w := range r.writes {
			if strings.Count(w, "\r") != 1 || !strings.HasPrefix(w, "\r") || !strings.HasSuffix(w, "\x1b[K") || strings.Contains(w, "\n") {
				t.Errorf("%q is not one overwritten line", w)
			}
		}
	})
}

// TestProgressRate: the rate is smoothed, known after half a second, and goes
// down when nothing comes any more.
func TestProgressRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		io, r := terminal(120)
		p := io.Progress(time.Now)
		const total = 100_000_000
		done := int64(0)
		p.Show("download", done, total)
		if strings.Contains(r.last(), "/s") {
			t.Errorf("a rate after no time: %q", r.last())
		}
		feed := func(step int64, ticks int) {
			for range ticks {
				time.Sleep(100 * time.Millisecond)
				done += step
				p.Show("download", done, total)
			}
		}
		feed(100_000, 50)
		synctest.Wait()
		if !strings.Contains(r.last(), "5%  5.0 MB of 100.0 MB  1.0 MB/s  1 min 35 s left") {
			t.Errorf("after 5 s with 1 MB/s: %q", r.last())
		}
		feed(1_000_000, 1) // a burst does not throw the rate about
		if !strings.Contains(r.last(), "1.4 MB/s") {
			t.Errorf("after a burst: %q", r.last())
		}
		before := r.last()
		time.Sleep(10*time.Second + 50*time.Millisecond)
		synctest.Wait()
		if r.last() == before || strings.Contains(r.last(), "MB/s") {
			t.Errorf("10 s without a byte: %q", r.last())
		}
		p.Show("download", 0, total) // it begins anew
		feed(0, 1)
		if !strings.Contains(r.last(), "  0%  0 B of 100.0 MB\x1b") {
			t.Errorf("after a new beginning: %q", r.last())
		}
	})
}

// TestLateRedraw: what came too soon after the last redraw is shown later,
// but never once the line was taken away.
func TestLateRedraw(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		io, r := terminal(80)
		p := io.Progress(time.Now)
		p.Show("verify", 0, 0)
		p.Show("extract", 0, 0)
		if r.last() != "\rverify\x1b[K" {
			t.Fatalf("%q", r.last())
		}
		time.Sleep(101 * time.Millisecond)
		synctest.Wait()
		if r.last() != "\rextract\x1b[K" {
			t.Errorf("%q", r.last())
		}
		p.Show("done", 0, 0)
		io.Status().Clear()
		time.Sleep(5 * time.Second)
		synctest.Wait()
		if r.last() != "\r\x1b[K" {
			t.Errorf("after the end: %q", r.last())
		}
	})
}

// TestProgressElsewhere: pipes, files and dumb terminals get nothing at all.
func TestProgressElsewhere(t *testing.T) {
	for name, set := range map[string]func(*IO){
		"pipe": func(t *IO) { t.ErrTTY = false },
		"dumb": func(t *IO) {
			_ = t.SetColor("auto", func(k string) string { return map[string]string{"TERM": "dumb"}[k] })
		},
	} {
		var out bytes.Buffer
		io := &IO{Err: &out, ErrTTY: true}
		set(io)
		p := io.Progress(time.Now)
		p.Show("download", 1, 2)
		io.Status().Show("x")
		io.Status().Clear()
		if out.Len() != 0 {
			t.Errorf("%s: %q", name, out.String())
		}
	}
}

// TestStatusIsCut: a status longer than the terminal is wide would stay behind.
func TestStatusIsCut(t *testing.T) {
	io, r := terminal(10)
	io.Status().Show("building ünïts of a long name")
	if r.last() != "\rbuilding \x1b[K" {
		t.Errorf("%q", r.last())
	}
	io.Status().Show("ünïünïünïünï")
	if r.last() != "\rünïünïünï\x1b[K" {
		t.Errorf("%q", r.last())
	}
}
