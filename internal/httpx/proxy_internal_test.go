package httpx

import (
	"net/http"
	"strings"
	"testing"
)

func TestProxyChoice(t *testing.T) {
	const https, plain = "http://proxy.example.com:3128", "http://other.example.com:80"
	for _, c := range []struct {
		noProxy, url, want string
	}{
		{"", "https://registry.example.com/a", https},
		{"", "http://registry.example.com/a", plain},
		{"", "https://127.0.0.1:4873/a", ""},
		{"", "https://[::1]:4873/a", ""},
		{"", "https://localhost/a", ""},
		{"*", "https://registry.example.com/a", ""},
		{"registry.example.com", "https://registry.example.com/a", ""},
		{"registry.example.com", "https://REGISTRY.example.com./a", ""},
		{"example.com", "https://registry.example.com/a", ""},
		{"example.com", "https://example.com/a", ""},
		{"example.com", "https://notexample.com/a", https},
		{".example.com", "https://registry.example.com/a", ""},
		{".example.com", "https://example.com/a", https},
		{"*.example.com", "https://registry.example.com/a", ""},
		{".local,registry.example.com:4873", "https://registry.example.com:4873/a", ""},
		{".local,registry.example.com:4873", "https://registry.example.com/a", https},
		{"registry.example.com:443", "https://registry.example.com/a", ""},
		{"10.0.0.0/8", "https://10.1.2.3/a", ""},
		{"10.0.0.0/8", "https://11.1.2.3/a", https},
		{"10.1.2.3:8443 , x", "https://10.1.2.3:8443/a", ""},
		{"10.1.2.3:8443", "https://10.1.2.3/a", https},
		{"fd00::/8", "https://[fd00::1]/a", ""},
		{"[fd00::1]:443", "https://[fd00::1]/a", ""},
		{"[fd00::1]", "https://[fd00::1]/a", ""},
		{",,:80,[,/8", "https://registry.example.com/a", https},
	} {
		for _, upper := range []bool{true, false} {
			p, err := proxiesFrom(func(name string) string {
				if (name == strings.ToUpper(name)) != upper {
					return ""
				}
				return map[string]string{"HTTPS_PROXY": https, "HTTP_PROXY": plain, "NO_PROXY": c.noProxy}[strings.ToUpper(name)]
			})
			if err != nil {
				t.Fatal(err)
			}
			req, err := http.NewRequest(http.MethodGet, c.url, nil)
			if err != nil {
				t.Fatal(err)
			}
			u, err := p.forRequest(req)
			got := ""
			if u != nil {
				got = u.String()
			}
			if err != nil || got != c.want {
				t.Errorf("NO_PROXY=%q, %s: proxy %q, want %q", c.noProxy, c.url, got, c.want)
			}
		}
	}
}

func TestProxySettings(t *testing.T) {
	for value, want := range map[string]string{
		"proxy.example.com:3128":          "http://proxy.example.com:3128",
		" https://proxy.example.com ":     "https://proxy.example.com",
		"socks5://proxy.example.com:1080": "socks5://proxy.example.com:1080",
		"ftp://proxy.example.com":         "scheme \"ftp\"",
		"http://":                         "not a proxy URL",
		"http://u:secret@bad host":        "not a proxy URL",
	} {
		p, err := proxiesFrom(func(name string) string {
			if name == "HTTPS_PROXY" {
				return value
			}
			return ""
		})
		switch {
		case err != nil && (!strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "HTTPS_PROXY") || strings.Contains(err.Error(), "secret")):
			t.Errorf("%q: %v, want %q", value, err, want)
		case err == nil && (p.https == nil || p.https.String() != want):
			t.Errorf("%q: %v, want %q", value, p.https, want)
		}
	}
}
