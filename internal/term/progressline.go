package term

import (
	"fmt"
	"math"
	"strings"
	"time"
)

// line is one state of the progress line.
type line struct {
	phase       string
	done, total int64
	rate        float64 // bytes per second; 0: not known (yet)
}

const (
	barMin = 8
	barMax = 30
	// besideBar is the room for everything but the bar, and withoutLeft the same
	// without the time left. They do not depend on what is shown, so that the bar
	// keeps its place and length while the numbers change.
	besideBar   = len("download [] 100%  999.9 MB of 999.9 MB  999.9 MB/s  59 min 59 s left")
	withoutLeft = besideBar - len("  59 min 59 s left")
)

// fit writes the line in at most width characters. The parts that say least
// go first: the time left, the bar, the rate, the sizes.
func (l line) fit(width int) string {
	if l.total <= 0 {
		return fitParts(width, l.phase, l.sizes(), l.speed())
	}
	percent := fmt.Sprintf("%d%%", l.percent())
	cells, left := width-besideBar, l.left()
	if cells < barMin {
		cells, left = width-withoutLeft, ""
	}
	if cells >= barMin {
		head := fmt.Sprintf("%-8s %s %4s", l.phase, l.bar(min(cells, barMax)), percent)
		return fitParts(width, head, l.sizes(), l.speed(), left)
	}
	return fitParts(width, l.phase+" "+percent, l.sizes(), l.speed())
}

// fitParts leaves out parts from the end until the rest fits.
func fitParts(width int, parts ...string) string {
	for n := len(parts); n > 1; n-- {
		if text := join(parts[:n]...); len(text) <= width {
			return text
		}
	}
	return cut(parts[0], max(width, 0))
}

func join(parts ...string) string {
	var text []string
	for _, p := range parts {
		if p != "" {
			text = append(text, p)
		}
	}
	return strings.Join(text, "  ")
}

// percent never says 100 before the end.
func (l line) percent() int64 {
	if l.done >= l.total {
		return 100
	}
	return min(99, int64(float64(l.done)/float64(l.total)*100))
}

func (l line) bar(cells int) string {
	full := int(l.percent()) * cells / 100
	return "[" + strings.Repeat("#", full) + strings.Repeat("-", cells-full) + "]"
}

func (l line) sizes() string {
	switch {
	case l.done <= 0 && l.total <= 0:
		return ""
	case l.total <= 0:
		return Size(l.done)
	}
	return Size(l.done) + " of " + Size(l.total)
}

func (l line) speed() string {
	if l.rate < 1 {
		return ""
	}
	return Size(int64(l.rate)) + "/s"
}

// left is the remaining time at the present rate, "" when it cannot be told.
func (l line) left() string {
	if l.rate < 1 || l.done >= l.total {
		return ""
	}
	seconds := math.Ceil(float64(l.total-l.done) / l.rate)
	if seconds > 99*3600 {
		return ""
	}
	d := time.Duration(seconds) * time.Second
	switch h, m, s := int(d.Hours()), int(d.Minutes())%60, int(d.Seconds())%60; {
	case h > 0:
		return fmt.Sprintf("%d h %02d min left", h, m)
	case m > 0:
		return fmt.Sprintf("%d min %02d s left", m, s)
	default:
		return fmt.Sprintf("%d s left", s)
	}
}
