package procgroup

import "testing"

func TestParseStat(t *testing.T) {
	rest := " S 1 77 77 0 -1 4194304 1 0 0 0 0 0 0 0 20 0 1 0 4242 0 0"
	for _, c := range []struct {
		raw  string
		want stat
		ok   bool
	}{
		{"42 (node)" + rest, stat{'S', 1, 77, "4242"}, true},
		{"42 (a) b (c)" + rest, stat{'S', 1, 77, "4242"}, true},
		{"42 (a\n)" + rest + "\n", stat{'S', 1, 77, "4242"}, true},
		{"42 (node) S 1", stat{}, false},
		{"42 (node) S 1 x" + rest, stat{}, false},
		{"42 (node) S x 77" + rest, stat{}, false},
		{"", stat{}, false},
	} {
		got, err := parseStat([]byte(c.raw))
		if got != c.want || (err == nil) != c.ok {
			t.Errorf("%q: got %+v, %v", c.raw, got, err)
		}
	}
}

func FuzzParseStat(f *testing.F) {
	f.Add([]byte("42 (node) S 1 77 77 0 -1 4194304 1 0 0 0 0 0 0 0 20 0 1 0 4242 0 0"))
	f.Add([]byte(")"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		s, err := parseStat(raw)
		if err == nil && s.start == "" {
			t.Fatalf("%q has no start time", raw)
		}
	})
}
