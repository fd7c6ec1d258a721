package pack_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/wuu-plugins/wuu/internal/diag"
	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/secret"
	"github.com/wuu-plugins/wuu/pack"
)

// githubToken is one that was never given out.
func githubToken() string {
	body := "Zk3vQ9sLw8xR2mT6" + "bY4nHc7JdF1gPa"
	return "ghp_" + body + secret.Checksum([]byte(body))
}

func scanned(t *testing.T, files map[string]string, overlay map[string][]byte, o pack.ScanOptions) []pack.Finding {
	t.Helper()
	p, findings := openDir(t, folder(t, withManifest(files)), pack.Options{Overlay: overlay})
	if p == nil {
		t.Fatal(codes(findings))
	}
	list, err := p.Scan(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// places writes findings as severity:code:file:line:column.
func places(list []pack.Finding) []string {
	out := []string{}
	for _, f := range list {
		out = append(out, fmt.Sprintf("%s %s %s:%d:%d", f.Severity, f.Code, f.File, f.Start.Line, f.Start.ColChar))
	}
	return out
}

func TestScan(t *testing.T) {
	token := githubToken()
	clean := map[string]string{"src/a.ts": "const a = 1;\n", "README.md": "# Hello 👩\u200d💻\n"}
	dirty := map[string]string{
		"src/a.ts": "// 日本🎉\nconst t = \"" + token + "\";\n", "b.md": "one\r\ntwo\u202e\n", "z/.env": "A=\nB=1\n", "k.p12": "\xfe\xed\xfe\xed\x00\x00\x00\x02" + strings.Repeat("\x00", 40),
		"large.js": strings.Repeat("x", 900_000) + "\n" + strings.Repeat("é", 10) + " '" + token + "'",
	}
	allowed := func(texts ...string) (list []pack.Allow) {
		for _, text := range texts {
			a, err := pack.ParseAllow(text)
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, a)
		}
		return list
	}
	all := []string{
		"error HIDDEN_UNICODE b.md:2:4", "error SECRET_PRIVATE_KEY k.p12:0:0", "error SECRET_TOKEN large.js:2:13", "error SECRET_TOKEN src/a.ts:2:12", "error SECRET_FILE z/.env:2:3",
	}
	tests := []struct {
		name    string
		files   map[string]string
		overlay map[string][]byte
		o       pack.ScanOptions
		want    []string
	}{
		{"clean", clean, nil, pack.ScanOptions{}, []string{}},
		{"all", dirty, nil, pack.ScanOptions{}, all},
		{"one allowed", dirty, nil, pack.ScanOptions{Allow: allowed("SECRET_TOKEN:src/a.ts")}, slices.Delete(slices.Clone(all), 3, 4)},
		{"another code", dirty, nil, pack.ScanOptions{Allow: allowed("SECRET_FILE:src/a.ts")}, append(slices.Clone(all), "warning ALLOW_UNUSED :0:0")},
		{"a pattern", dirty, nil, pack.ScanOptions{Allow: allowed("SECRET_TOKEN:src/*.ts", "SECRET_TOKEN:*.js", "SECRET_FILE:**/.env")}, all[:2]},
		{"a pattern starts at the root", dirty, nil, pack.ScanOptions{Allow: allowed("SECRET_TOKEN:a.*")}, append(slices.Clone(all), "warning ALLOW_UNUSED :0:0")},
		{"left out", map[string]string{".wuuignore": ".env", ".env": "A=1"}, nil, pack.ScanOptions{}, []string{}},
		{"overlay", clean, map[string][]byte{"dist/a.js": []byte("a = '" + token + "\u200b'")}, pack.ScanOptions{}, []string{"error SECRET_TOKEN dist/a.js:1:6"}},
		{"overlay with its sources", map[string]string{".wuuignore": "src/", "src/a.ts": "x\u200by\n" + token}, map[string][]byte{"dist/a.js": []byte("a = '\u200b'")},
			pack.ScanOptions{Sources: []string{"src/a.ts"}}, []string{"error HIDDEN_UNICODE src/a.ts:1:2"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			list := scanned(t, tt.files, tt.overlay, tt.o)
			if got := places(list); !slices.Equal(got, tt.want) {
				t.Errorf("%q\nwant %q", got, tt.want)
			}
			for _, f := range list {
				if strings.Contains(f.Message+f.Hint, token[:6]) {
					t.Errorf("the secret is shown: %s", f.Message)
				}
				if f.Start.Line > 0 && f.Severity == diag.Error && !strings.Contains(f.Hint, ":"+f.File) {
					t.Errorf("%s: the hint does not say how to allow it: %s", f.File, f.Hint)
				}
			}
		})
	}
}

func TestScanLimits(t *testing.T) {
	files := map[string]string{}
	for i := range 60 {
		files[fmt.Sprintf("f%02d", i)] = githubToken()
	}
	list := scanned(t, files, nil, pack.ScanOptions{})
	if len(list) != pack.MaxFindings+1 || list[pack.MaxFindings].Code != "MORE_FINDINGS" {
		t.Errorf("%d findings", len(list))
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p, _ := openDir(t, folder(t, withManifest(files)), pack.Options{})
	if _, err := p.Scan(ctx, pack.ScanOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	checked, _ := open(t, zipped(t, append(sound, member{name: "a", body: "b"})...), pack.Options{})
	if _, err := checked.Scan(t.Context(), pack.ScanOptions{}); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("without content: %v", err)
	}
}

func TestParseAllow(t *testing.T) {
	for _, text := range []string{"", "SECRET_TOKEN", "SECRET_TOKEN:", "token:a", "PATH_VCS:.git"} {
		if _, err := pack.ParseAllow(text); fault.As(err) == nil || fault.As(err).Kind != fault.Usage {
			t.Errorf("%q: %v", text, err)
		}
	}
	if a, err := pack.ParseAllow("SECRET_FILE:a/b:c"); err != nil || a.Code != "SECRET_FILE" || a.Path != "a/b:c" {
		t.Errorf("%+v, %v", a, err)
	}
}

func TestSettings(t *testing.T) {
	now := time.Date(2027, 1, 31, 23, 0, 0, 0, time.UTC)
	entry := func(more string) string {
		return `{"wuu":{"lint":{"ignore":[{"rule":"SECRET_TOKEN","path":"a","reason":"a test"` + more + `}]}}}`
	}
	tests := []struct {
		doc    string
		allow  int
		budget int64
		want   string // code and column of the finding
	}{
		{`{}`, 0, 0, ""},
		{`not JSON`, 0, 0, ""},
		{`{"wuu":7}`, 0, 0, ""},
		{entry(""), 1, 0, ""},
		{entry(`,"expires":"2027-01-31"`), 1, 0, ""},
		{entry(`,"expires":"2027-01-30"`), 0, 0, "ALLOW_EXPIRED 89"},
		{entry(`,"expires":"soon"`), 0, 0, "ALLOW_INVALID 89"},
		{`{"wuu":{"lint":{"ignore":[{"rule":"SECRET_TOKEN","path":"a"}]}}}`, 0, 0, "ALLOW_INVALID 27"},
		{`{"wuu":{"lint":{"ignore":[{"rule":"PATH_VCS","path":"a","reason":"b"}]}}}`, 0, 0, ""},
		{`{"wuu":{"lint":{"ignore":[{"rule":"ALLOW_UNUSED","path":"a","reason":"b"}]}}}`, 0, 0, "ALLOW_INVALID 35"},
		{`{"wuu":{"lint":{"ignore":{}}}}`, 0, 0, "ALLOW_INVALID 26"},
		{`{"wuu":{"budget":"2MB"}}`, 0, 2_000_000, ""},
		{`{"wuu":{"budget":500}}`, 0, 500, ""},
		{`{"wuu":{"budget":"lots"}}`, 0, 0, "BUDGET_INVALID 18"},
		{`{"wuu":{"budget":true}}`, 0, 0, "BUDGET_INVALID 18"},
	}
	for _, tt := range tests {
		s, found := pack.ReadSettings([]byte(tt.doc), now)
		got := ""
		for _, f := range found {
			got = fmt.Sprintf("%s %d", f.Code, f.Start.Col16)
		}
		if len(s.Allow) != tt.allow || s.Budget != tt.budget || got != tt.want {
			t.Errorf("%s: %d allowed, budget %d, %q, want %q", tt.doc, len(s.Allow), s.Budget, got, tt.want)
		}
	}
}

func TestParseSize(t *testing.T) {
	for text, want := range map[string]int64{
		"1500": 1500, "900 B": 900, "20kB": 20_000, "20KB": 20_000, "2MB": 2_000_000, "1.5 GB": 1_500_000_000, "1KiB": 1024, "2mib": 2 << 20,
		"": 0, "MB": 0, "-1MB": 0, "0": 0, "2TB": 0, "1e30": 0, "NaN": 0, "lots": 0,
	} {
		got, err := pack.ParseSize(text)
		if got != want || (err == nil) != (want > 0) {
			t.Errorf("ParseSize(%q) = %d, %v", text, got, err)
		}
	}
}
