package ignore

import "strings"

// globber matches one glob against one path with the rules of gitignore(5):
// "*" and "?" stop at a slash, "**" between slashes crosses them. It works on
// bytes, as git does. failed remembers pairs of positions that were tried in
// vain, so that the time is bounded by len(glob) × len(text).
type globber struct {
	glob, text string
	failed     []uint64
}

func glob(pattern, text string) bool {
	g := globber{glob: pattern, text: text}
	if strings.Count(pattern, "*") > 2 {
		g.failed = make([]uint64, ((len(pattern)+1)*(len(text)+1)+63)/64)
	}
	return g.match(0, 0)
}

func (g *globber) match(p, t int) bool {
	if g.failed == nil {
		return g.try(p, t)
	}
	bit := p*(len(g.text)+1) + t
	if g.failed[bit/64]&(1<<(bit%64)) != 0 {
		return false
	}
	if g.try(p, t) {
		return true
	}
	g.failed[bit/64] |= 1 << (bit % 64)
	return false
}

// try compares from the two positions up to the next star, which it hands on.
func (g *globber) try(p, t int) bool {
	for p < len(g.glob) {
		c := g.glob[p]
		if c == '*' {
			return g.star(p, t)
		}
		if t == len(g.text) {
			return false
		}
		b := g.text[t]
		switch c {
		case '?':
			if b == '/' {
				return false
			}
		case '[':
			matched, next := bracket(g.glob, p, b)
			if !matched || b == '/' {
				return false
			}
			p, t = next, t+1
			continue
		case '\\':
			p++
			if p == len(g.glob) || g.glob[p] != b {
				return false
			}
		default:
			if c != b {
				return false
			}
		}
		p, t = p+1, t+1
	}
	return t == len(g.text)
}

// star matches a run of stars that starts at p.
func (g *globber) star(p, t int) bool {
	start := p
	for p < len(g.glob) && g.glob[p] == '*' {
		p++
	}
	rest := g.glob[p:]
	crossing := false
	if p-start > 1 {
		before := start == 0 || g.glob[start-1] == '/'
		after := rest == "" || rest[0] == '/' || strings.HasPrefix(rest, `\/`)
		crossing = before && after
	}
	if crossing && rest != "" && rest[0] == '/' && g.match(p+1, t) {
		return true // "**/" stands for no folder at all
	}
	if rest == "" {
		return crossing || !strings.Contains(g.text[t:], "/")
	}
	for ; ; t++ {
		if g.match(p, t) {
			return true
		}
		if t == len(g.text) || !crossing && g.text[t] == '/' {
			return false
		}
	}
}

// bracket matches b against the bracket expression that starts at p. next is
// the position after it; an expression that is never closed matches nothing.
func bracket(glob string, p int, b byte) (matched bool, next int) {
	p++
	negated := p < len(glob) && (glob[p] == '!' || glob[p] == '^')
	if negated {
		p++
	}
	found, prev, ranged := false, byte(0), false // ranged: prev may start a range
	for first := true; ; first = false {
		if p >= len(glob) {
			return false, p
		}
		c := glob[p]
		switch {
		case c == ']' && !first:
			return found != negated, p + 1
		case c == '-' && ranged && p+1 < len(glob) && glob[p+1] != ']':
			p++
			high := glob[p]
			if high == '\\' {
				p++
				if p >= len(glob) {
					return false, p
				}
				high = glob[p]
			}
			found = found || prev <= b && b <= high
			ranged = false
		case c == '[' && p+1 < len(glob) && glob[p+1] == ':':
			end := strings.IndexByte(glob[p+2:], ']')
			if end < 0 {
				return false, p
			}
			end += p + 2
			if end == p+2 || glob[end-1] != ':' { // not a class: a plain bracket
				found = found || b == '['
				prev, ranged = '[', true
				break
			}
			in, known := class(glob[p+2:end-1], b)
			if !known {
				return false, p
			}
			found, ranged = found || in, false
			p = end
		default:
			if c == '\\' {
				p++
				if p >= len(glob) {
					return false, p
				}
				c = glob[p]
			}
			found = found || c == b
			prev, ranged = c, true
		}
		p++
	}
}

// class reports whether b is in the POSIX class of that name.
func class(name string, b byte) (in, known bool) {
	lower, upper, digit := 'a' <= b && b <= 'z', 'A' <= b && b <= 'Z', '0' <= b && b <= '9'
	graph := b > 0x20 && b < 0x7f
	switch name {
	case "alpha":
		return lower || upper, true
	case "alnum":
		return lower || upper || digit, true
	case "lower":
		return lower, true
	case "upper":
		return upper, true
	case "digit":
		return digit, true
	case "xdigit":
		return digit || 'a' <= b|0x20 && b|0x20 <= 'f', true
	case "space":
		return b == ' ' || '\t' <= b && b <= '\r', true
	case "blank":
		return b == ' ' || b == '\t', true
	case "cntrl":
		return b < 0x20 || b == 0x7f, true
	case "print":
		return graph || b == ' ', true
	case "graph":
		return graph, true
	case "punct":
		return graph && !lower && !upper && !digit, true
	}
	return false, false
}
