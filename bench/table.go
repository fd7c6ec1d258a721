package main

import (
	"fmt"
	"math"
	"os"
)

// goal is a ratio with the figure to reach and the one that fails the run.
// With more, larger is better.
type goal struct {
	id, what     string
	ratio        float64
	target, gate float64
	more         bool
}

// table prints goals as they come and counts what failed.
type table struct{ failed int }

func (t *table) head(title string) {
	fmt.Printf("\n%s\n%-4s %-62s %8s %8s %8s\n", title, "id", "goal (median of pairwise ratios)", "ratio", "target", "gate")
}

func (t *table) add(g goal) {
	word := "ok"
	switch {
	case missed(g.ratio, g.gate, g.more):
		word = "FAIL"
		t.failed++
	case missed(g.ratio, g.target, g.more):
		word = "below target"
	}
	fmt.Printf("%-4s %-62s %8.2f %8.2f %8.2f  %s\n", g.id, g.what, g.ratio, g.target, g.gate, word)
}

func missed(ratio, limit float64, more bool) bool {
	if more {
		return ratio < limit
	}
	return ratio > limit
}

func (t *table) skip(id, what, reason string) {
	fmt.Printf("%-4s %-62s skipped: %s\n", id, what, reason)
}

// note prints a figure that is no goal.
func (t *table) note(format string, args ...any) { fmt.Printf("     "+format+"\n", args...) }

// progress tells on stderr what takes so long.
func progress(format string, args ...any) { fmt.Fprintf(os.Stderr, "bench: "+format+"\n", args...) }

func geometricMean(list []float64) float64 {
	sum := 0.0
	for _, v := range list {
		sum += math.Log(v)
	}
	return math.Exp(sum / float64(len(list)))
}
