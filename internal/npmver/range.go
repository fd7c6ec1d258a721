package npmver

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/wuu-plugins/wuu/internal/lazyregexp"
)

// Range is a set of versions in node-semver's notation (ranges of npm's
// package.json: ^1.2, ~1.2.3, 1.x, >=1 <2, 1.0 - 2.0, a || b).
type Range struct {
	text string
	sets [][]comparator // any set whose comparators all hold
}

type comparator struct {
	op string // <, <=, =, >=, >
	v  Version
}

// String is the range as it was given.
func (r Range) String() string { return r.text }

// ParseRange reads a range; the empty one, like "*", is any release.
func ParseRange(s string) (Range, error) {
	r := Range{text: s}
	flat := strings.Join(strings.Fields(s), " ")
	if len(flat) > 4096 {
		return Range{}, fmt.Errorf("range of %d bytes is too long", len(flat))
	}
	for part := range strings.SplitSeq(flat, "||") {
		set, err := parseSet(strings.TrimSpace(part))
		if err != nil {
			return Range{}, fmt.Errorf("%q is not a version range: %w", clip(s), err)
		}
		r.sets = append(r.sets, set)
	}
	return r, nil
}

// Match says whether v is in the range. A prerelease matches only when a
// comparator of the same set names a prerelease of the same three numbers.
func (r Range) Match(v Version) bool {
	for _, set := range r.sets {
		if matchSet(set, v) {
			return true
		}
	}
	return false
}

func matchSet(set []comparator, v Version) bool {
	named := v.Prerelease() == ""
	for _, c := range set {
		if !c.holds(v) {
			return false
		}
		if c.v.Prerelease() != "" && c.v.v.Major() == v.v.Major() && c.v.v.Minor() == v.v.Minor() && c.v.v.Patch() == v.v.Patch() {
			named = true
		}
	}
	return named
}

func (c comparator) holds(v Version) bool {
	order := v.Compare(c.v)
	switch c.op {
	case "<":
		return order < 0
	case "<=":
		return order <= 0
	case ">":
		return order > 0
	case ">=":
		return order >= 0
	default:
		return order == 0
	}
}

const (
	numberPattern  = `0|[1-9][0-9]*|[xX*]`
	idPattern      = `(?:[0-9]*[A-Za-z-][0-9A-Za-z-]*|0|[1-9][0-9]*)`
	partialPattern = `([v=]*)(` + numberPattern + `)(?:\.(` + numberPattern + `)(?:\.(` + numberPattern + `)(?:-(` + idPattern + `(?:\.` + idPattern + `)*))?)?)?`
)

var (
	buildPart   = lazyregexp.New(`\+[0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*`)
	hyphenRange = lazyregexp.New(`^` + partialPattern + ` - ` + partialPattern + `$`)
	operatorGap = lazyregexp.New(`(~>?|\^|[<>]=?|=) ([v=]*[0-9xX*])`)
	simpleRange = lazyregexp.New(`^(~>?|\^|[<>]?=?)` + partialPattern + `$`)
)

func parseSet(s string) ([]comparator, error) {
	s = buildPart().ReplaceAllString(s, "")
	if m := hyphenRange().FindStringSubmatch(s); m != nil {
		return hyphen(newPartial(m[1:6]), newPartial(m[6:11]))
	}
	s = strings.ReplaceAll(s, "~ >", "~>")
	s = operatorGap().ReplaceAllString(s, "$1$2")
	var set []comparator
	for token := range strings.FieldsSeq(s) {
		m := simpleRange().FindStringSubmatch(token)
		if m == nil {
			if token == "<" || token == ">" || token == "<=" || token == ">=" || token == "=" {
				return nil, fmt.Errorf("nothing behind %q", token)
			}
			return nil, fmt.Errorf("cannot read %q", clip(token))
		}
		more, err := simple(m[1], newPartial(m[2:7]))
		if err != nil {
			return nil, err
		}
		set = append(set, more...)
	}
	return set, nil
}

// partial is a version whose last numbers may be missing (-1).
type partial struct {
	n   [3]int64
	pre string
	gap bool // a number behind a missing one, as in 1.x.3
	odd bool // more than a "v" in front, which node takes before incomplete versions only
	big bool // a number that node refuses
}

func newPartial(m []string) partial {
	p := partial{pre: m[4], odd: len(m[0]) > 1 || m[0] == "="}
	m = m[1:]
	for i := range p.n {
		p.n[i] = -1
		if m[i] == "" || strings.ContainsAny(m[i], "xX*") {
			continue
		}
		n, err := strconv.ParseInt(m[i], 10, 64)
		p.big = p.big || err != nil || n > maxSafe
		p.n[i] = n
	}
	p.gap = p.n[0] < 0 && p.n[1] >= 0 || p.n[1] < 0 && p.n[2] >= 0
	return p
}

// full says that all three numbers are there.
func (p partial) full() bool { return p.n[0] >= 0 && p.n[1] >= 0 && p.n[2] >= 0 }

// floor is the lowest release of the partial, or the exact version of a full one.
func (p partial) floor() string {
	n := p.n
	for i := range n {
		if i > 0 && n[i-1] < 0 || n[i] < 0 {
			n[i] = -1
		}
	}
	s := fmt.Sprintf("%d.%d.%d", max(n[0], 0), max(n[1], 0), max(n[2], 0))
	if p.full() && p.pre != "" {
		s += "-" + p.pre
	}
	return s
}

// next is the version after the partial when its number at i is raised.
func (p partial) next(i int) string {
	n := [3]int64{}
	copy(n[:], p.n[:i+1])
	n[i]++
	return fmt.Sprintf("%d.%d.%d", n[0], n[1], n[2])
}
