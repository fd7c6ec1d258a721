package origin_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/wuu-plugins/wuu/internal/origin"
)

func TestParse(t *testing.T) {
	for _, c := range []struct {
		in, want, err string
		loopback      bool
	}{
		{in: "https://registry.example.com", want: "https://registry.example.com"},
		{in: "https://registry.example.com/", want: "https://registry.example.com"},
		{in: "https://Registry.Example.COM:443", want: "https://registry.example.com"},
		{in: "https://registry.example.com:8443", want: "https://registry.example.com:8443"},
		{in: "https://[::1]:4873", want: "https://[::1]:4873"},
		{in: "http://127.0.0.1:4873", loopback: true, want: "http://127.0.0.1:4873"},
		{in: "http://127.0.0.1:80/", loopback: true, want: "http://127.0.0.1"},
		{in: "http://[::1]:4873", loopback: true, want: "http://[::1]:4873"},
		{in: "http://127.0.0.1:4873", err: "WUU_INSECURE_LOOPBACK"},
		{in: "http://localhost:4873", loopback: true, err: "plain HTTP is not allowed"},
		{in: "http://registry.example.com", loopback: true, err: "plain HTTP is not allowed"},
		{in: "https://registry.example.com/npm", err: "without a path"},
		{in: "https://registry.example.com//", err: "without a path"},
		{in: "https://me:secret@registry.example.com", err: "credentials"},
		{in: "https://registry.example.com/?a=b", err: "query"},
		{in: "https://registry.example.com/?", err: "query"},
		{in: "https://registry.example.com/#x", err: "fragment"},
		{in: "https://registry.example.com/#", err: "fragment"},
		{in: "https://", err: "no host"},
		{in: "https://:443", err: "no host"},
		{in: "registry.example.com", err: "https://"},
		{in: "ftp://registry.example.com", err: "https://"},
		{in: "https://bücher.example.com", err: "punycode"},
		{in: "https://registry.example.com\n", err: "not a URL"},
		{in: "", err: "https://"},
	} {
		got, err := origin.Parse(c.in, c.loopback)
		switch {
		case c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)):
			t.Errorf("%q: error %v, want one with %q", c.in, err, c.err)
		case c.err == "" && (err != nil || got.String() != c.want):
			t.Errorf("%q: got %q, %v; want %q", c.in, got, err, c.want)
		}
	}
}

func TestContains(t *testing.T) {
	o, err := origin.Parse("https://registry.example.com", false)
	if err != nil {
		t.Fatal(err)
	}
	for raw, want := range map[string]bool{
		"https://registry.example.com/a/-/a-1.0.0.tgz":     true,
		"https://REGISTRY.example.com:443/a/-/a-1.0.0.tgz": true,
		"http://registry.example.com/a":                    false,
		"https://registry.example.com:8443/a":              false,
		"https://cdn.example.com/a":                        false,
		"https://registry.example.com.evil.example/a":      false,
	} {
		u, err := url.Parse(raw)
		if err != nil {
			t.Fatal(err)
		}
		if got := o.Contains(u); got != want {
			t.Errorf("%s: %v, want %v", raw, got, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"https://registry.example.com", "http://127.0.0.1:1/", "https://a:443", "https://u@h", "https://[::1]"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		o, err := origin.Parse(raw, true)
		if err != nil {
			return
		}
		again, err := origin.Parse(o.String(), true)
		if err != nil || again != o {
			t.Fatalf("%q → %q → %q, %v", raw, o, again, err)
		}
	})
}
