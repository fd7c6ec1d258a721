package npmver

import "errors"

// none matches nothing: no version is below the lowest prerelease of 0.0.0.
const none = "0.0.0-0"

// comparators parses pairs of operator and version; the numbers that desugaring
// made are checked against node's limit here.
func comparators(pairs ...string) ([]comparator, error) {
	var out []comparator
	for i := 0; i < len(pairs); i += 2 {
		v, err := Parse(pairs[i+1])
		if err != nil {
			return nil, err
		}
		out = append(out, comparator{pairs[i], v})
	}
	return out, nil
}

// between is >=low <high, prereleases of high excluded.
func between(low, high string) ([]comparator, error) {
	return comparators(">=", low, "<", high+"-0")
}

// simple desugars one operator with its partial version.
func simple(op string, p partial) ([]comparator, error) {
	switch {
	case p.big:
		return nil, errors.New("a number is above 2^53-1")
	case op == "^":
		return caret(p)
	case op == "~" || op == "~>":
		return tilde(p)
	case p.gap:
		return nil, errors.New("a number stands behind an x")
	case p.full() && p.odd:
		return nil, errors.New("two operators in a row")
	case p.full():
		if op == "" {
			op = "="
		}
		return comparators(op, p.floor())
	default:
		return xRange(op, p)
	}
}

// tilde allows patches: ~1.2.3, ~1.2 → <1.3.0; ~1 → <2.0.0.
func tilde(p partial) ([]comparator, error) {
	switch {
	case p.n[0] < 0:
		return nil, nil
	case p.n[1] < 0:
		return between(p.floor(), p.next(0))
	default:
		return between(p.floor(), p.next(1))
	}
}

// caret keeps the leftmost number that is not zero.
func caret(p partial) ([]comparator, error) {
	switch {
	case p.n[0] < 0:
		return nil, nil
	case p.n[0] > 0 || p.n[1] < 0:
		return between(p.floor(), p.next(0))
	case p.n[1] > 0 || p.n[2] < 0:
		return between(p.floor(), p.next(1))
	default:
		return between(p.floor(), p.next(2))
	}
}

// xRange desugars a version with a missing number behind a plain operator.
func xRange(op string, p partial) ([]comparator, error) {
	if p.n[0] < 0 {
		if op == "<" || op == ">" {
			return comparators("<", none)
		}
		return nil, nil
	}
	last := 0 // the last number that is there
	if p.n[1] >= 0 {
		last = 1
	}
	switch op {
	case ">":
		return comparators(">=", p.next(last))
	case ">=":
		return comparators(">=", p.floor())
	case "<":
		return comparators("<", p.floor()+"-0")
	case "<=":
		return comparators("<", p.next(last)+"-0")
	default: // none, or =
		return between(p.floor(), p.next(last))
	}
}

// hyphen desugars "from - to", both inclusive; a partial "to" covers all of it.
func hyphen(from, to partial) ([]comparator, error) {
	if from.big || to.big {
		return nil, errors.New("a number is above 2^53-1")
	}
	var pairs []string
	if from.n[0] >= 0 {
		pairs = append(pairs, ">=", from.floor())
	}
	switch {
	case to.n[0] < 0:
	case to.n[1] < 0:
		pairs = append(pairs, "<", to.next(0)+"-0")
	case to.n[2] < 0:
		pairs = append(pairs, "<", to.next(1)+"-0")
	default:
		pairs = append(pairs, "<=", to.floor())
	}
	return comparators(pairs...)
}
