package lockfile_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/sri"
	"github.com/wuu-plugins/wuu/lockfile"
)

func sample() lockfile.Lock {
	return lockfile.Lock{
		LockVersion: 1, Source: "npm", Registry: "https://registry.npmjs.org", Package: "@scope/pkg", Version: "1.2.3", PluginID: "my-plugin",
		Tarball: "https://registry.npmjs.org/@scope/pkg/-/pkg-1.2.3.tgz", Integrity: sri.FormatSHA512([64]byte{1}),
	}
}

func Example() {
	lock, err := lockfile.Parse("my-plugin.lock.json", []byte(`{
  "lock_version": 1,
  "source": "npm",
  "registry": "https://registry.npmjs.org",
  "package": "@scope/pkg",
  "version": "1.2.3",
  "plugin_id": "my-plugin",
  "tarball": "https://cdn.example.com/pkg-1.2.3.tgz",
  "integrity": "sha512-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=="
}`))
	fmt.Println(lock, err)
	// Output: <nil> my-plugin.lock.json: line 8, column 14: tarball: it is on https://cdn.example.com, not on the registry https://registry.npmjs.org
}

const golden = `{
  "lock_version": 1,
  "source": "npm",
  "registry": "https://registry.npmjs.org",
  "package": "@scope/pkg",
  "version": "1.2.3",
  "plugin_id": "my-plugin",
  "tarball": "https://registry.npmjs.org/@scope/pkg/-/pkg-1.2.3.tgz",
  "integrity": "sha512-AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=="
}
`

func TestMarshal(t *testing.T) {
	if d := cmp.Diff(golden, string(sample().Marshal())); d != "" {
		t.Error(d)
	}
	got, err := lockfile.Parse("x", []byte(golden))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(sample(), *got); d != "" {
		t.Error(d)
	}
}

// edit returns the golden lock with one replacement that must happen.
func edit(t *testing.T, old, new string) string {
	t.Helper()
	if strings.Count(golden, old) != 1 {
		t.Fatalf("%q stands %d times in the lock", old, strings.Count(golden, old))
	}
	return strings.Replace(golden, old, new, 1)
}

func TestParseIsFreeInLayout(t *testing.T) {
	lines := strings.Split(strings.Trim(golden, "{}\n"), "\n")
	slices.Reverse(lines)
	for i := range lines {
		lines[i] = strings.TrimSpace(strings.TrimSuffix(lines[i], ","))
	}
	src := "\r\n{" + strings.Join(lines, ",\t") + "}\r\n\n"
	got, err := lockfile.Parse("x", []byte(src))
	if err != nil || *got != sample() {
		t.Errorf("%v, %v from %s", got, err, src)
	}
}

func TestConflict(t *testing.T) {
	theirs := strings.ReplaceAll(golden, "1.2.3", "1.3.0")
	head := strings.Split(golden, "\n")
	tail := strings.Split(theirs, "\n")
	merged := slices.Concat(head[:5], []string{"<<<<<<< HEAD"}, head[5:9], []string{"=======\r"}, tail[5:9], []string{">>>>>>> topic"}, head[9:])
	diff3 := slices.Concat(head[:5], []string{"<<<<<<< HEAD"}, head[5:9], []string{"||||||| base", "anything"}, []string{"======="}, tail[5:9], []string{">>>>>>> topic"}, head[9:])
	for name, c := range map[string]struct {
		src   []string
		lines []int
		sides []string
		hint  string
	}{
		"merge": {merged, []int{6, 11, 16}, []string{"@scope/pkg@1.2.3", "@scope/pkg@1.3.0"}, "@scope/pkg@1.2.3 above =======, @scope/pkg@1.3.0 below"},
		"diff3": {diff3, []int{6, 11, 13, 18}, []string{"@scope/pkg@1.2.3", "@scope/pkg@1.3.0"}, "@scope/pkg@1.3.0 below"},
		"half":  {[]string{"{", "<<<<<<<", "}"}, []int{2}, nil, "keep one side whole"},
	} {
		_, err := lockfile.Parse("x", []byte(strings.Join(c.src, "\n")))
		e := fault.As(err)
		details, ok := e.Details.(lockfile.ConflictDetails)
		if e.Kind != fault.Lock || e.Code != "LOCK_CONFLICT" || !ok {
			t.Errorf("%s: %+v", name, e)
			continue
		}
		if !slices.Equal(details.Lines, c.lines) || !slices.Equal(details.Sides, c.sides) || !strings.Contains(e.Hint, c.hint) {
			t.Errorf("%s: %v %v, hint %q", name, details.Lines, details.Sides, e.Hint)
		}
		for _, n := range c.lines {
			if !strings.Contains(err.Error(), fmt.Sprint(n)) {
				t.Errorf("%s: %q does not name line %d", name, err, n)
			}
		}
	}
}

func TestRead(t *testing.T) {
	file := filepath.Join(t.TempDir(), "my.lock.json")
	_, err := lockfile.Read(file)
	if e := fault.As(err); e.Kind != fault.Usage || e.Code != "LOCK_MISSING" || e.Subject != file {
		t.Errorf("missing: %+v", e)
	}
	_, err = lockfile.Read(t.TempDir())
	if e := fault.As(err); e.Kind != fault.Usage || e.Code != "LOCK_FOLDER" {
		t.Errorf("folder: %+v", e)
	}
	if err := os.WriteFile(file, []byte(golden), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := lockfile.Read(file); err != nil || *got != sample() {
		t.Errorf("%v, %v", got, err)
	}
	if err := os.WriteFile(file, make([]byte, lockfile.MaxSize+10), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := lockfile.Read(file); fault.As(err).Kind != fault.Lock {
		t.Errorf("huge: %v", err)
	}
}

func TestDiff(t *testing.T) {
	if d := lockfile.Diff(sample(), sample()); d != nil {
		t.Errorf("of equal locks: %v", d)
	}
	other := sample()
	other.Version, other.PluginID = "2.0.0", "other"
	want := []lockfile.Difference{{Key: "version", Want: "1.2.3", Got: "2.0.0"}, {Key: "plugin_id", Want: "my-plugin", Got: "other"}}
	if d := cmp.Diff(want, lockfile.Diff(sample(), other)); d != "" {
		t.Error(d)
	}
}

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		registry := rapid.SampledFrom([]string{"https://registry.npmjs.org", "https://npm.example.com:8443", "http://127.0.0.1:4873"}).Draw(t, "registry")
		var sum [64]byte
		copy(sum[:], rapid.SliceOfN(rapid.Byte(), 64, 64).Draw(t, "sum"))
		lock := lockfile.Lock{
			LockVersion: lockfile.Version, Source: "npm", Registry: registry,
			Package:   rapid.StringMatching(`(@[a-z0-9]{1,8}/)?[a-z0-9][a-z0-9._-]{0,20}`).Draw(t, "package"),
			Version:   rapid.StringMatching(`(0|[1-9][0-9]{0,4})\.(0|[1-9][0-9]{0,4})\.(0|[1-9][0-9]{0,4})(-[a-z]{1,4}\.[1-9])?`).Draw(t, "version"),
			PluginID:  rapid.StringMatching(`p[a-z0-9]{0,10}(-[a-z0-9]{1,5})?`).Draw(t, "id"),
			Tarball:   registry + "/" + rapid.StringMatching(`[a-z0-9@%&;=/._~-]{0,30}\.tgz`).Filter(func(s string) bool { return !strings.Contains(s, "%") }).Draw(t, "tarball"),
			Integrity: sri.FormatSHA512(sum),
		}
		src := lock.Marshal()
		got, err := lockfile.Parse("x", src)
		if err != nil || *got != lock || string(got.Marshal()) != string(src) {
			t.Fatalf("%s → %v, %v", src, got, err)
		}
	})
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(golden))
	f.Add([]byte(`{"lock_version":2}`))
	f.Add([]byte("{\n<<<<<<< a\n=======\n>>>>>>> b\n}"))
	f.Add([]byte(`{"lock_version":1,"lock_version":1}`))
	f.Fuzz(func(t *testing.T, src []byte) {
		lock, err := lockfile.Parse("x", src)
		if err != nil {
			if lock != nil || fault.As(err).Kind != fault.Lock {
				t.Fatalf("%v, %v", lock, err)
			}
			return
		}
		again, err := lockfile.Parse("x", lock.Marshal())
		if err != nil || *again != *lock {
			t.Fatalf("%+v → %+v, %v", lock, again, err)
		}
	})
}
