package secret

import (
	"encoding/binary"
	"sync"
)

// table finds the few places of a file that deserve a closer look. A find
// starts with a literal; of each literal three neighbouring bytes were chosen
// that are rare in code and prose. Looking at every second byte pair then is
// enough: one of the two pairs in those three bytes lies on an even place.
type table struct {
	bucket [1 << 16]uint8 // pair, first byte low → index into probes; 0 is none
	probes [][]probe
}

// probe is a rule and how far before the pair its literal starts.
type probe struct {
	rule   *rule
	before int
}

// tables are for text, and for binary files: there characters mean nothing.
var tables = sync.OnceValue(func() (t struct{ text, binary *table }) {
	list := rules()
	t.text, t.binary = newTable(list, true), newTable(list, false)
	return t
})

func newTable(list []rule, text bool) *table {
	pairs := map[uint16][]probe{}
	for i := range list {
		r := &list[i]
		if r.textOnly && !text {
			continue
		}
		if r.pairs != nil {
			for _, pair := range r.pairs() {
				pairs[pair] = append(pairs[pair], probe{r, 0})
			}
			continue
		}
		for at := r.at; at < r.at+2; at++ {
			pair := pairOf(r.literal[at], r.literal[at+1])
			pairs[pair] = append(pairs[pair], probe{r, at})
		}
	}
	t := &table{probes: [][]probe{nil}}
	shared := map[*rule]uint8{} // rules with many pairs of their own share one bucket
	for pair, probes := range pairs {
		if len(probes) == 1 && probes[0].rule.pairs != nil {
			if at, ok := shared[probes[0].rule]; ok {
				t.bucket[pair] = at
				continue
			}
			shared[probes[0].rule] = uint8(len(t.probes))
		}
		if len(t.probes) > 255 {
			panic("secret: more than 255 buckets")
		}
		t.bucket[pair] = uint8(len(t.probes))
		t.probes = append(t.probes, probes)
	}
	return t
}

func pairOf(a, b byte) uint16 { return uint16(a) | uint16(b)<<8 }

// next returns the first place i, i+2, … before to whose pair is in the table,
// or to. to+1 must not pass the data.
func (t *table) next(data []byte, i, to int) int {
	bucket := &t.bucket
	for i+8 <= to {
		v := binary.LittleEndian.Uint64(data[i:])
		if bucket[uint16(v)]|bucket[uint16(v>>16)]|bucket[uint16(v>>32)]|bucket[v>>48] != 0 {
			break
		}
		i += 8
	}
	for ; i < to; i += 2 {
		if bucket[pairOf(data[i], data[i+1])] != 0 {
			return i
		}
	}
	return to
}
