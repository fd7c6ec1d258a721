package host

import (
	"slices"
	"strings"
)

// blockCycles blocks every package that stands on a circle of required
// dependencies.
func (p *plan) blockCycles(by map[string]*candidate) {
	for _, c := range p.all {
		if !c.runnable() {
			continue
		}
		if circle := circleThrough(c, by); circle != nil {
			names := append(slices.Clone(circle), c.id())
			c.failed = true
			c.block(c.id(), failure(CodeCycle, c.id(), "is on a circle of required dependencies: %s", strings.Join(names, " → ")))
		}
	}
}

// circleThrough returns the shortest way of required dependencies from c back
// to itself, c first; nil without one. Blocked members count: a circle stays
// one while its members are being blocked.
func circleThrough(c *candidate, by map[string]*candidate) []string {
	before := map[string]string{}
	queue := []string{c.id()}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		node := by[at]
		if node == nil || node.manifest == nil {
			continue
		}
		for _, d := range required(node.manifest) {
			if d.ID == c.id() {
				way := []string{at}
				for at != c.id() {
					at = before[at]
					way = append(way, at)
				}
				slices.Reverse(way)
				return way
			}
			if _, seen := before[d.ID]; !seen {
				before[d.ID] = at
				queue = append(queue, d.ID)
			}
		}
	}
	return nil
}

// sort fills order: providers first, ties by id. An optional dependency
// orders only where it closes no circle.
func (p *plan) sort(by map[string]*candidate) {
	needs := map[string][]string{} // consumer → providers
	for _, c := range p.all {
		if !c.runnable() {
			continue
		}
		for _, d := range required(c.manifest) {
			needs[c.id()] = append(needs[c.id()], d.ID)
		}
	}
	for _, c := range p.all {
		if !c.runnable() {
			continue
		}
		for _, d := range c.manifest.Dependencies {
			other := by[d.ID]
			if !d.Optional || other == nil || !other.runnable() || !d.Allows(other.rec.Version) {
				continue
			}
			if reaches(needs, d.ID, c.id()) {
				p.notes = append(p.notes, c.id()+": optional dependency on "+d.ID+" closes a circle and is not used for the order")
				continue
			}
			needs[c.id()] = append(needs[c.id()], d.ID)
		}
	}
	placed := map[string]bool{}
	for {
		next := slices.IndexFunc(p.all, func(c *candidate) bool {
			return c.runnable() && !placed[c.id()] && allIn(needs[c.id()], placed)
		})
		if next < 0 {
			return
		}
		placed[p.all[next].id()] = true
		p.all[next].needs = needs[p.all[next].id()]
		p.order = append(p.order, p.all[next])
	}
}

// reaches says whether from depends on to, directly or not.
func reaches(needs map[string][]string, from, to string) bool {
	seen := map[string]bool{}
	stack := []string{from}
	for len(stack) > 0 {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if at == to {
			return true
		}
		if !seen[at] {
			seen[at] = true
			stack = append(stack, needs[at]...)
		}
	}
	return false
}

func allIn(ids []string, set map[string]bool) bool {
	return !slices.ContainsFunc(ids, func(id string) bool { return !set[id] })
}
