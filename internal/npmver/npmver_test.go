package npmver_test

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/wuu-plugins/wuu/internal/npmver"
)

// table is testdata/cases.json: npm's own answers (see testdata/generate.cjs).
type table struct {
	Invalid []string
	Order   []struct {
		Version         string
		EqualToPrevious bool `json:"equal_to_previous"`
	}
	Ranges []struct {
		Range   string
		Valid   bool
		Matches []string
	}
}

func load(t testing.TB) (c table) {
	t.Helper()
	src, err := os.ReadFile("testdata/cases.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(src, &c); err != nil {
		t.Fatal(err)
	}
	if len(c.Invalid) < 20 || len(c.Order) < 50 || len(c.Ranges) < 1000 {
		t.Fatalf("the table is cut: %d, %d, %d", len(c.Invalid), len(c.Order), len(c.Ranges))
	}
	return c
}

func parse(t testing.TB, s string) npmver.Version {
	t.Helper()
	v, err := npmver.Parse(s)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestInvalidVersions(t *testing.T) {
	for _, s := range load(t).Invalid {
		if v, err := npmver.Parse(s); err == nil {
			t.Errorf("%q was read as %s", s, v)
		}
	}
}

func TestOrder(t *testing.T) {
	order := load(t).Order
	for i := 1; i < len(order); i++ {
		a, b := parse(t, order[i-1].Version), parse(t, order[i].Version)
		want := -1
		if order[i].EqualToPrevious {
			want = 0
		}
		if a.Compare(b) != want || b.Compare(a) != -want {
			t.Errorf("%s and %s: %d and %d, want %d", a, b, a.Compare(b), b.Compare(a), want)
		}
	}
}

func TestRanges(t *testing.T) {
	c := load(t)
	for _, want := range c.Ranges {
		r, err := npmver.ParseRange(want.Range)
		if (err == nil) != want.Valid {
			t.Errorf("range %q: error %v, npm says valid=%v", want.Range, err, want.Valid)
			continue
		}
		if err != nil {
			continue
		}
		for _, v := range c.Order {
			if got := r.Match(parse(t, v.Version)); got != slices.Contains(want.Matches, v.Version) {
				t.Errorf("range %q, version %s: %v, npm says otherwise", want.Range, v.Version, got)
			}
		}
	}
}

func TestClean(t *testing.T) {
	for in, want := range map[string]string{" v1.2.3 ": "1.2.3", "=1.2.3": "1.2.3", "=v1.2.3-a": "1.2.3-a", "1.2.3": "1.2.3"} {
		if got, err := npmver.Clean(in); err != nil || got.String() != want {
			t.Errorf("%q: %v, %v; want %s", in, got, err, want)
		}
	}
	for _, in := range []string{"^1.2.3", "1.2", "", "v", "> 1.2.3"} {
		if v, err := npmver.Clean(in); err == nil {
			t.Errorf("%q was read as %s", in, v)
		}
	}
}

func TestCompareTexts(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"1.10.0", "1.9.0", 1}, {"1.0.0-rc.1", "1.0.0", -1}, {"1.0.0+a", "1.0.0+b", 0},
		{"junk", "0.0.0-0", -1}, {"1.0.0", "v2.0.0", 1}, {"junk", "", 0},
	} {
		if got := npmver.Compare(c.a, c.b); got != c.want {
			t.Errorf("%q and %q: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

func TestNewest(t *testing.T) {
	all := []string{"1.0.0", "2.0.0-rc.1", "1.10.0", "junk", "1.9.0", "2.0.0", "0.9.0", "1.2.0"}
	if got, want := npmver.SortNewest(all), []string{"2.0.0", "2.0.0-rc.1", "1.10.0", "1.9.0", "1.2.0", "1.0.0", "0.9.0"}; !slices.Equal(got, want) {
		t.Errorf("sorted: %v, want %v", got, want)
	}
	r, err := npmver.ParseRange("^1")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := npmver.Newest(all, r, 3), []string{"1.10.0", "1.9.0", "1.2.0"}; !slices.Equal(got, want) {
		t.Errorf("newest: %v, want %v", got, want)
	}
}

func TestCheckName(t *testing.T) {
	for _, name := range []string{"left-pad", "a", "JSONStream", "@types/node", "@scope/wuu-plugin", "lodash.merge", "x_y", "7zip", "-dash", "@7/7", strings.Repeat("a", 214)} {
		if err := npmver.CheckName(name); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	for name, want := range map[string]string{
		"": "empty", ".hidden": "starts with", "_private": "starts with", "a b": "character", "a/b": "character", "@scope": "@scope/name",
		"@/a": "scope is empty", "@a/": "name is empty", "@a/b/c": "character", "@a/.b": "starts with", "@.a/b": "starts with", "../evil": "starts with", "a/../b": "character",
		"node_modules": "forbids", "Favicon.ico": "forbids", "a%2fb": "character", "a~b": "character", "a'b": "character", "é": "character", "a\nb": "character", "a\\b": "character",
		"@@a/b": "character", strings.Repeat("a", 215): "214",
	} {
		if err := npmver.CheckName(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one with %q", name, err, want)
		}
	}
}

func TestExactRangeMatchesItself(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringMatching(`(0|[1-9][0-9]{0,5})\.(0|[1-9][0-9]{0,5})\.(0|[1-9][0-9]{0,5})(-[a-z][0-9a-z-]{0,5}(\.(0|[1-9][0-9]?))?)?`).Draw(t, "version")
		v, err := npmver.Parse(s)
		if err != nil || v.String() != s {
			t.Fatalf("%q: %v, %v", s, v, err)
		}
		for _, op := range []string{"", "=", ">=", "<=", "^", "~"} {
			if r, err := npmver.ParseRange(op + s); err != nil || !r.Match(v) {
				t.Fatalf("%s does not match itself behind %q: %v", s, op, err)
			}
		}
	})
}

func FuzzParseRange(f *testing.F) {
	for _, c := range load(f).Ranges[:300] {
		f.Add(c.Range, "1.2.3-beta.4")
	}
	f.Fuzz(func(t *testing.T, text, version string) {
		r, err := npmver.ParseRange(text)
		if err != nil {
			return
		}
		if v, err := npmver.Parse(version); err == nil {
			r.Match(v)
		}
	})
}
