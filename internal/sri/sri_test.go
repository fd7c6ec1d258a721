package sri_test

import (
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/wuu-plugins/wuu/internal/sri"
)

func value(name string, sum []byte) string {
	return name + "-" + base64.StdEncoding.EncodeToString(sum)
}

func sums(data string) (s1, s256, s384, s512 string) {
	a, b, c, d := sha1.Sum([]byte(data)), sha256.Sum256([]byte(data)), sha512.Sum384([]byte(data)), sha512.Sum512([]byte(data))
	return value("sha1", a[:]), value("sha256", b[:]), value("sha384", c[:]), value("sha512", d[:])
}

func TestParse(t *testing.T) {
	s1, s256, s384, s512 := sums("hello")
	_, _, _, other := sums("other")
	for _, c := range []struct{ name, in, want, err string }{
		{name: "one", in: s512, want: s512},
		{name: "strongest first", in: s1 + " " + s256 + "\n" + s512 + "\t" + s384, want: strings.Join([]string{s512, s384, s256, s1}, " ")},
		{name: "order of alternatives is kept", in: s512 + " " + other, want: s512 + " " + other},
		{name: "repeat", in: s512 + " " + s512, want: s512},
		{name: "option", in: s512 + "?ct=application/gzip", want: s512},
		{name: "unknown ignored", in: "md5-AAAA " + s256 + " blake3-!!", want: s256},
		{name: "only unknown", in: "md5-AAAA", err: "states no hash"},
		{name: "empty", in: " \n", err: "states no hash"},
		{name: "no dash", in: "sha512", err: "algorithm-base64"},
		{name: "upper case is unknown", in: "SHA512-" + s512[7:], err: "states no hash"},
		{name: "bad base64", in: "sha512-%%%%", err: "base64"},
		{name: "no padding", in: strings.TrimRight(s512, "="), err: "base64"},
		{name: "loose last bits", in: "sha1-AAAAAAAAAAAAAAAAAAAAAAAAAAB=", err: "base64"},
		{name: "short", in: "sha512-AAAA", err: "digest of 3 bytes, want 64"},
		{name: "another one's length", in: "sha512-" + s256[7:], err: "digest of 32 bytes, want 64"},
		{name: "one bad of two", in: s512 + " sha256-AAAA", err: "digest of 3 bytes, want 32"},
	} {
		got, err := sri.Parse(c.in)
		switch {
		case c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)):
			t.Errorf("%s: error %v, want one with %q", c.name, err, c.err)
		case c.err == "" && (err != nil || got.String() != c.want):
			t.Errorf("%s: got %q, %v; want %q", c.name, got, err, c.want)
		}
	}
}

func TestParseSHA512(t *testing.T) {
	s1, s256, _, s512 := sums("hello")
	if _, err := sri.ParseSHA512(s256 + " " + s1); err == nil || !strings.Contains(err.Error(), "strongest hash is sha256") {
		t.Errorf("sha256 taken as enough: %v", err)
	}
	if _, err := sri.ParseSHA512("md5-AAAA"); !errors.Is(err, sri.ErrEmpty) {
		t.Errorf("error %v, want ErrEmpty", err)
	}
	got, err := sri.ParseSHA512(s1 + " " + s512)
	if err != nil || len(got.Strongest()) != 1 || got.Strongest()[0].String() != s512 {
		t.Errorf("got %v, %v", got, err)
	}
	if got := sri.FormatSHA512(sha512.Sum512([]byte("hello"))); got != s512 {
		t.Errorf("FormatSHA512 gives %s, want %s", got, s512)
	}
}

func TestVerifier(t *testing.T) {
	s1, s256, s384, s512 := sums("hello")
	o1, o256, _, o512 := sums("other")
	for _, c := range []struct {
		name, in  string
		want, got string // of the mismatch
	}{
		{name: "sha512", in: s512},
		{name: "all four", in: s512 + " " + s384 + " " + s256 + " " + s1},
		{name: "one of two alternatives", in: o512 + " " + s512},
		{name: "wrong", in: o512, want: o512, got: s512},
		{name: "the strongest is compared first", in: o1 + " " + o512, want: o512, got: s512},
		{name: "weaker one disagrees", in: s512 + " " + o1, want: o1, got: s1},
		{name: "middle one disagrees", in: s512 + " " + o256 + " " + s1, want: o256, got: s256},
	} {
		want, err := sri.Parse(c.in)
		if err != nil {
			t.Fatal(err)
		}
		v := sri.NewVerifier(want)
		v.Write([]byte("garbage of an earlier try"))
		v.Reset()
		v.Write([]byte("hel"))
		v.Write([]byte("lo"))
		if v.N() != 5 || v.SHA512() != sha512.Sum512([]byte("hello")) {
			t.Errorf("%s: %d bytes, sha512 %x", c.name, v.N(), v.SHA512())
		}
		var m *sri.Mismatch
		err = v.Check()
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.want != "" && (!errors.As(err, &m) || m.Want != c.want || m.Got != c.got):
			t.Errorf("%s: got %v, want %s and %s", c.name, err, c.want, c.got)
		}
	}
}

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var sum [64]byte
		copy(sum[:], rapid.SliceOfN(rapid.Byte(), 64, 64).Draw(t, "sum"))
		text := sri.FormatSHA512(sum)
		got, err := sri.ParseSHA512(text)
		if err != nil || len(got) != 1 || got[0].Digest != string(sum[:]) || got.String() != text {
			t.Fatalf("%x → %s → %v, %v", sum, text, got, err)
		}
	})
}

func FuzzParse(f *testing.F) {
	_, s256, _, s512 := sums("hello")
	for _, s := range []string{s512, s256 + " " + s512 + "?a", "md5-x", "sha512-", "-", "sha1-AAAAAAAAAAAAAAAAAAAAAAAAAAA="} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, in string) {
		got, err := sri.Parse(in)
		if err != nil {
			return
		}
		again, err := sri.Parse(got.String())
		if err != nil || again.String() != got.String() {
			t.Fatalf("%q → %q → %q, %v", in, got, again, err)
		}
	})
}
