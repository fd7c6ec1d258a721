package main

import (
	"fmt"
	"os/exec"
	"slices"
	"time"
)

// contender is one program in a race. argv is made for each round, since every
// round starts from nothing: fresh folders, empty caches.
type contender struct {
	name string
	// start prepares a round, untimed, and returns what is timed.
	start func(round int) (*exec.Cmd, error)
	// end checks that the work was done, untimed.
	end func(round int) error
}

// sample is what one run took.
type sample struct {
	wall time.Duration
	rss  int64 // peak resident memory in bytes, 0 where the system does not tell
}

// race runs all contenders in turn, round by round, so that whatever the
// machine does meanwhile hits all of them. The first round warms up.
func race(contenders []contender, rounds int) (map[string][]sample, error) {
	results := map[string][]sample{}
	for round := range rounds + 1 {
		for _, c := range contenders {
			s, err := c.once(round)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", c.name, err)
			}
			if round > 0 {
				results[c.name] = append(results[c.name], s)
			}
		}
	}
	return results, nil
}

func (c contender) once(round int) (sample, error) {
	cmd, err := c.start(round)
	if err != nil {
		return sample{}, err
	}
	start := time.Now()
	out, err := cmd.CombinedOutput()
	s := sample{wall: time.Since(start)}
	if err != nil {
		return s, fmt.Errorf("%v: %w\n%s", cmd.Args, err, out)
	}
	s.rss = peakMemory(cmd.ProcessState)
	if c.end != nil {
		err = c.end(round)
	}
	return s, err
}

// ratio is the median of a over b, round by round.
func ratio(a, b []sample) float64 {
	pairs := make([]float64, min(len(a), len(b)))
	for i := range pairs {
		pairs[i] = float64(a[i].wall) / float64(b[i].wall)
	}
	return median(pairs)
}

func median(list []float64) float64 {
	list = slices.Sorted(slices.Values(list))
	return list[len(list)/2]
}

// wall is the median time in milliseconds.
func wall(list []sample) float64 {
	var ms []float64
	for _, s := range list {
		ms = append(ms, float64(s.wall.Microseconds())/1000)
	}
	return median(ms)
}

// peak is the highest memory of all rounds in MiB.
func peak(list []sample) float64 {
	var most int64
	for _, s := range list {
		most = max(most, s.rss)
	}
	return float64(most) / (1 << 20)
}
