package lockfile_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/sri"
	"github.com/wuu-plugins/wuu/lockfile"
)

// refusal is one way in which a lock can be wrong.
type refusal struct{ name, src string }

func refusals(t *testing.T) []refusal {
	const scoped = "https://registry.npmjs.org/@scope"
	return []refusal{
		{"empty", ""},
		{"white space", "\n\t\n"},
		{"array", "[]"},
		{"cut in a string", golden[:100]},
		{"cut behind a value", strings.TrimRight(golden, "}\n")},
		{"comment", "// mine\n" + golden},
		{"byte order mark", "\ufeff" + golden},
		{"UTF-16", "\xff\xfe{\x00}\x00"},
		{"trailing comma", edit(t, "==\"\n}", "==\",\n}")},
		{"trailing data", golden + "{}"},
		{"not UTF-8", edit(t, "my-plugin", "my-\xff")},
		{"nested", edit(t, `"npm"`, `{"a":1}`)},
		{"too big", golden + strings.Repeat(" ", lockfile.MaxSize)},
		{"newer", edit(t, `"lock_version": 1`, `"lock_version": 2`)},
		{"newer with new keys", edit(t, `"lock_version": 1`, `"lock_version": 3, "proof": "x"`)},
		{"version as text", edit(t, `"lock_version": 1`, `"lock_version": "1"`)},
		{"version missing", edit(t, `"lock_version": 1,`, "")},
		{"unknown key", edit(t, `"source": "npm"`, `"source": "npm", "mirror": "x"`)},
		{"other case", edit(t, `"source"`, `"Source"`)},
		{"key twice", edit(t, `"source": "npm"`, `"source": "npm", "source": "npm"`)},
		{"key twice, escaped", edit(t, `"version"`, `"s\u006furce": "npm", "version"`)},
		{"key missing", edit(t, `  "plugin_id": "my-plugin",`+"\n", "")},
		{"null", edit(t, `"my-plugin"`, "null")},
		{"empty value", edit(t, `"my-plugin"`, `""`)},
		{"source", edit(t, `"npm"`, `"git"`)},
		{"registry with path", edit(t, `npmjs.org",`, `npmjs.org/npm",`)},
		{"registry not canonical", edit(t, `npmjs.org",`, `npmjs.org/",`)},
		{"registry with credentials", edit(t, `"https://registry.npmjs.org",`, `"https://u:p@registry.npmjs.org",`)},
		{"registry over HTTP", edit(t, `"https://registry.npmjs.org",`, `"http://registry.npmjs.org",`)},
		{"registry that only looks like it", edit(t, `"https://registry.npmjs.org",`, `"https://registry.npmjs.org.example.com",`)},
		{"package with ..", edit(t, `"@scope/pkg"`, `"../pkg"`)},
		{"package with an escaped slash", edit(t, `"@scope/pkg"`, `"@scope%2fpkg"`)},
		{"version range", edit(t, `"1.2.3"`, `"^1.2.3"`)},
		{"version tag", edit(t, `"1.2.3"`, `"latest"`)},
		{"plugin id with ..", edit(t, `"my-plugin"`, `"../x"`)},
		{"tarball elsewhere", edit(t, scoped, `https://cdn.example.com/@scope`)},
		{"tarball on another port", edit(t, scoped, `https://registry.npmjs.org:8443/@scope`)},
		{"tarball over HTTP", edit(t, scoped, `http://registry.npmjs.org/@scope`)},
		{"tarball with query", edit(t, `pkg-1.2.3.tgz`, `pkg-1.2.3.tgz?token=x`)},
		{"tarball relative", edit(t, scoped, `/@scope`)},
		{"sha1 alone", edit(t, sample().Integrity, "sha1-"+strings.Repeat("A", 27)+"=")},
		{"sha256 alone", edit(t, sample().Integrity, "sha256-"+strings.Repeat("A", 43)+"=")},
		{"short hash", edit(t, sample().Integrity, "sha512-AAAA")},
		{"no hash", edit(t, sample().Integrity, "md5-AAAA")},
		{"two hashes", edit(t, sample().Integrity, sample().Integrity+" "+sri.FormatSHA512([64]byte{2}))},
		{"conflict", strings.Replace(golden, "  \"source\"", "<<<<<<< HEAD\n  \"source\"", 1)},
	}
}

// TestRefusals compares every message with testdata/refusals.txt, and no two
// kinds of damage have the same. WUU_UPDATE=1 writes the file.
func TestRefusals(t *testing.T) {
	var got strings.Builder
	seen := map[string]string{}
	for _, c := range refusals(t) {
		lock, err := lockfile.Parse("the.lock.json", []byte(c.src))
		var e *fault.Error
		if !errors.As(err, &e) || lock != nil || e.Kind != fault.Lock || e.Subject != "the.lock.json" || e.Hint == "" {
			t.Errorf("%s: %v, %#v", c.name, lock, err)
			continue
		}
		if other, ok := seen[err.Error()]; ok && c.name != "white space" {
			t.Errorf("%s has the message of %s: %v", c.name, other, err)
		}
		seen[err.Error()] = c.name
		place, _ := e.Details.(lockfile.Place)
		if place != (lockfile.Place{}) && !strings.Contains(err.Error(), fmt.Sprintf("line %d, column %d: ", place.Line, place.Column)) {
			t.Errorf("%s: the details say %v, the message %v", c.name, place, err)
		}
		fmt.Fprintf(&got, "# %s\n%s %v\nhint: %s\n", c.name, e.Code, err, e.Hint)
	}
	file := filepath.Join("testdata", "refusals.txt")
	if os.Getenv("WUU_UPDATE") == "1" {
		if err := os.WriteFile(file, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got.String()); d != "" {
		t.Error(d)
	}
}

// TestSameLockInOtherClothes: line ends and layout are no damage.
func TestSameLockInOtherClothes(t *testing.T) {
	for name, src := range map[string]string{
		"CRLF":       strings.ReplaceAll(golden, "\n", "\r\n"),
		"old Mac":    strings.ReplaceAll(golden, "\n", "\r"),
		"one line":   strings.ReplaceAll(golden, "\n", ""),
		"no newline": strings.TrimSuffix(golden, "\n"),
	} {
		if got, err := lockfile.Parse("x", []byte(src)); err != nil || *got != sample() {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}
