package catalog_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/wuu-plugins/wuu/internal/catalog"
	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/fsx"
	"github.com/wuu-plugins/wuu/internal/paths"
)

func mustPublish(t *testing.T, c *catalog.Catalog, p plugin, source string) catalog.Change {
	t.Helper()
	done, err := publish(t, c, p, source)
	if err != nil {
		t.Fatal(err)
	}
	return done
}

func realDir(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func devFile(t *testing.T, home paths.Home, id, name string) map[string]string {
	t.Helper()
	path := filepath.Join(home.Dev(id), name)
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]string
	if err := json.Unmarshal(b, &m); err != nil {
		t.Fatal(err)
	}
	if info, _ := os.Stat(path); runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%s: mode %v", name, info.Mode())
	}
	return m
}

func TestPublish(t *testing.T) {
	c, home := newHome(t)
	source := realDir(t)
	p := plugin{id: "hello", version: "0.1.0"}
	if done := mustPublish(t, c, p, source); done.Action != "published" || done.Before != nil {
		t.Errorf("%+v", done)
	}
	s := snapshot(t, c)
	checkComplete(t, s)
	r, ok := s.Find("hello")
	if !ok || !r.Dev || !r.Trusted || !r.Enabled() || r.Origin.Path != source || r.Origin.Kind != "dev" ||
		r.StorageSubject != "plugin:dev:hello" || r.Root != filepath.Join(home.Dev("hello"), "generation") || s.Epoch != 1 {
		t.Errorf("state %+v", s)
	}

	a, rc := devFile(t, home, "hello", "authorisation.json"), devFile(t, home, "hello", "receipt.json")
	if !regexp.MustCompile(`^[0-9a-f]{32}$`).MatchString(a["token"]) || a["plugin_id"] != "hello" || a["path"] != source || a["kind"] != "directory" {
		t.Errorf("authorisation %v", a)
	}
	mac := hmac.New(sha256.New, []byte(a["token"]))
	mac.Write([]byte("hello\x00" + source + "\x00" + r.Fingerprint + "\x00plugin:dev:hello"))
	if want := hex.EncodeToString(mac.Sum(nil)); rc["signature"] != want {
		t.Errorf("signature %s, want %s", rc["signature"], want)
	}

	if done := mustPublish(t, c, p, source); done.Action != "unchanged" || snapshot(t, c).Epoch != 1 {
		t.Errorf("the same again: %+v", done)
	}
	p.version = "0.2.0"
	mustPublish(t, c, p, source)
	if again := devFile(t, home, "hello", "authorisation.json"); again["token"] != a["token"] || again["created_at"] != a["created_at"] {
		t.Error("the authorisation was not reused")
	}
	// A lower version and more capabilities are the author's own business.
	mustPublish(t, c, plugin{id: "hello", version: "0.0.1", permissions: []string{"files.write"}}, source)
	checkComplete(t, snapshot(t, c))

	done, err := change(c, func(tx *catalog.Tx) (catalog.Change, error) { return tx.RevokeDev("hello") })
	if err != nil || done.Action != "revoked" {
		t.Errorf("revoke: %+v, %v", done, err)
	}
	if there, _ := fsx.Exists(home.Dev("hello")); there || len(snapshot(t, c).Dev) > 0 {
		t.Error("the override is still there")
	}
	if left := leftovers(t, home); len(left) > 0 {
		t.Errorf("leftovers: %v", left)
	}
}

func TestOverrideOfAnInstalledPlugin(t *testing.T) {
	c, _ := newHome(t)
	install(t, c, plugin{id: "hello", version: "1.0.0"})
	source := realDir(t)
	mustPublish(t, c, plugin{id: "hello", version: "1.1.0"}, source)
	r, _ := snapshot(t, c).Find("hello")
	if !r.Dev || r.StorageSubject != "plugin:user:hello" {
		t.Errorf("selected %+v", r)
	}
	// disable acts on the installed package; the override and its storage stay.
	if _, err := change(c, func(tx *catalog.Tx) (catalog.Change, error) { return tx.Set("hello", false) }); err != nil {
		t.Fatal(err)
	}
	if _, err := change(c, func(tx *catalog.Tx) (catalog.Change, error) { return tx.Remove("hello", false) }); err != nil {
		t.Fatal(err)
	}
	mustPublish(t, c, plugin{id: "hello", version: "1.2.0"}, source)
	if r, ok := snapshot(t, c).Find("hello"); !ok || !r.Enabled() || r.StorageSubject != "plugin:user:hello" {
		t.Errorf("selected %+v", r)
	}
	// Being developed here is not being trusted from elsewhere.
	_, err := put(t, c, plugin{id: "hello", version: "1.2.0"}, catalog.Consent{})
	wantFault(t, err, fault.Consent, "CONSENT_REQUIRED")
}

func TestAuthorisationIsPerPath(t *testing.T) {
	c, home := newHome(t)
	first, second := realDir(t), realDir(t)
	p := plugin{id: "hello", version: "0.1.0"}
	mustPublish(t, c, p, first)
	_, err := publish(t, c, p, second)
	e := wantFault(t, err, fault.Consent, "DEV_PATH")
	if !strings.Contains(e.Hint, "--move hello "+second) || !strings.Contains(e.Hint, "--revoke hello") {
		t.Errorf("hint %q", e.Hint)
	}
	// Losing the record or the authorisation does not open the id to others.
	for _, path := range []string{filepath.Join(home.Dev("hello"), "authorisation.json"), home.StateFile()} {
		keep, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		os.Remove(path)
		_, err = publish(t, c, p, second)
		wantFault(t, err, fault.Consent, "DEV_PATH")
		if err := os.WriteFile(path, keep, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	// A file where a folder was.
	file := filepath.Join(realDir(t), "tool.ts")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	mustPublish(t, c, plugin{id: "tool", version: "0.1.0"}, file)
	os.Remove(file)
	os.Mkdir(file, 0o700)
	_, err = publish(t, c, plugin{id: "tool", version: "0.1.0"}, file)
	wantFault(t, err, fault.Consent, "DEV_PATH")
	_, err = publish(t, c, p, filepath.Join(first, "missing"))
	wantFault(t, err, fault.Usage, "PATH_MISSING")
}

func TestMoveDev(t *testing.T) {
	c, home := newHome(t)
	first, second := realDir(t), realDir(t)
	p := plugin{id: "hello", version: "0.1.0"}
	mustPublish(t, c, p, first)
	before := devFile(t, home, "hello", "authorisation.json")
	moveTo := func(path string) (catalog.Change, error) {
		return change(c, func(tx *catalog.Tx) (catalog.Change, error) { return tx.MoveDev("hello", path) })
	}
	if done, err := moveTo(first); err != nil || done.Action != "unchanged" {
		t.Errorf("%+v, %v", done, err)
	}
	done, err := moveTo(second)
	if err != nil || done.Action != "moved" || done.Before.Origin.Path != first || done.After.Origin.Path != second {
		t.Errorf("%+v, %v", done, err)
	}
	s := snapshot(t, c)
	checkComplete(t, s)
	if s.Dev[0].Version != "0.1.0" || s.Dev[0].Origin.Path != second {
		t.Errorf("state %+v", s)
	}
	if after := devFile(t, home, "hello", "authorisation.json"); after["token"] == before["token"] {
		t.Error("the new path has the old path's token")
	}
	p.version = "0.2.0"
	mustPublish(t, c, p, second)
	_, err = publish(t, c, p, first)
	wantFault(t, err, fault.Consent, "DEV_PATH")
	_, err = change(c, func(tx *catalog.Tx) (catalog.Change, error) { return tx.MoveDev("other", second) })
	wantFault(t, err, fault.Usage, "NOT_INSTALLED")
	if left := leftovers(t, home); len(left) > 0 {
		t.Errorf("leftovers: %v", left)
	}
}

func TestTamperedOverride(t *testing.T) {
	edit := func(name, pattern, with string) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			path := filepath.Join(dir, name)
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			changed := regexp.MustCompile(pattern).ReplaceAll(b, []byte(with))
			if string(changed) == string(b) {
				t.Fatalf("%s does not match %s", b, pattern)
			}
			if err := os.WriteFile(path, changed, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	remove := func(name string) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, c := range map[string]struct {
		tamper func(t *testing.T, dir string)
		want   string
	}{
		"package changed":          {edit("generation/dist/main.js", `//`, `alert();`), "changed after"},
		"file added":               {func(t *testing.T, dir string) { os.WriteFile(filepath.Join(dir, "generation", "x"), nil, 0o600) }, "changed after"},
		"package missing":          {remove("generation"), "missing"},
		"manifest broken":          {edit("generation/plugin.json", `\{`, ``), "plugin.json"},
		"signature":                {edit("receipt.json", `"signature": "..`, `"signature": "zz`), "signature"},
		"receipt's fingerprint":    {edit("receipt.json", `"fingerprint": "..`, `"fingerprint": "zz`), "signature"},
		"receipt's path":           {edit("receipt.json", `"path": "`, `"path": "/x`), "another source path"},
		"receipt's plugin":         {edit("receipt.json", `"hello"`, `"other"`), "another plugin"},
		"receipt's storage":        {edit("receipt.json", `plugin:user:hello`, `plugin:user:x`), "signature"},
		"receipt not JSON":         {edit("receipt.json", `\}`, ``), "receipt cannot be used"},
		"receipt missing":          {remove("receipt.json"), "receipt is missing"},
		"authorisation missing":    {remove("authorisation.json"), "authorisation is missing"},
		"another token":            {edit("authorisation.json", `"token": "[0-9a-f]{8}`, `"token": "00000000`), "signature"},
		"token cut":                {edit("authorisation.json", `"token": "[0-9a-f]{8}`, `"token": "`), "authorisation cannot be used"},
		"all gone":                 {remove("."), "missing"},
		"authorisation's new path": {edit("authorisation.json", `"path": "`, `"path": "/x`), "another source path"},
	} {
		t.Run(name, func(t *testing.T) {
			cat, home := newHome(t)
			install(t, cat, plugin{id: "hello", version: "1.0.0"})
			mustPublish(t, cat, plugin{id: "hello", version: "2.0.0"}, realDir(t))
			c.tamper(t, home.Dev("hello"))
			s := snapshot(t, cat)
			if len(s.Dev) != 1 || !strings.Contains(s.Dev[0].Broken, c.want) {
				t.Errorf("dev %+v, want %q", s.Dev, c.want)
			}
			if r, ok := s.Find("hello"); !ok || r.Dev || r.Version != "1.0.0" {
				t.Errorf("selected %+v: the installed package should serve", r)
			}
		})
	}
}

// Publishing again from the authorised path mends what was tampered with.
func TestPublishMends(t *testing.T) {
	for _, name := range []string{"generation/dist/main.js", "receipt.json", "authorisation.json"} {
		c, home := newHome(t)
		source := realDir(t)
		p := plugin{id: "hello", version: "0.1.0"}
		mustPublish(t, c, p, source)
		if err := os.Remove(filepath.Join(home.Dev("hello"), filepath.FromSlash(name))); err != nil {
			t.Fatal(err)
		}
		if done := mustPublish(t, c, p, source); done.Action != "published" {
			t.Errorf("%s: %+v", name, done)
		}
		checkComplete(t, snapshot(t, c))
	}
}

func TestMovingABrokenOverride(t *testing.T) {
	c, home := newHome(t)
	mustPublish(t, c, plugin{id: "hello", version: "0.1.0"}, realDir(t))
	os.Remove(filepath.Join(home.Dev("hello"), "receipt.json"))
	_, err := change(c, func(tx *catalog.Tx) (catalog.Change, error) { return tx.MoveDev("hello", realDir(t)) })
	wantFault(t, err, fault.Plugin, "DEV_BROKEN")
	if _, err := change(c, func(tx *catalog.Tx) (catalog.Change, error) { return tx.RevokeDev("hello") }); err != nil {
		t.Error(err)
	}
}

// A folder that the state file has forgotten still holds an authorisation.
func TestRevokeWithoutARecord(t *testing.T) {
	c, home := newHome(t)
	mustPublish(t, c, plugin{id: "hello", version: "0.1.0"}, realDir(t))
	os.Remove(home.StateFile())
	if done, err := change(c, func(tx *catalog.Tx) (catalog.Change, error) { return tx.RevokeDev("hello") }); err != nil || done.Action != "revoked" {
		t.Errorf("%+v, %v", done, err)
	}
	mustPublish(t, c, plugin{id: "hello", version: "0.1.0"}, realDir(t))
}

// Revoking and authorising another path may be one transaction: what was
// revoked is not looked at any more, nor anything else in its place.
func TestRevokeAndPublishAtOnce(t *testing.T) {
	c, home := newHome(t)
	first, second := realDir(t), realDir(t)
	mustPublish(t, c, plugin{id: "hello", version: "0.1.0"}, first)
	b, err := os.ReadFile(filepath.Join(home.Dev("hello"), "authorisation.json"))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(second)
	if err := os.WriteFile("authorisation.json", b, 0o600); err != nil {
		t.Fatal(err)
	}
	s, candidate := stage(t, c, plugin{id: "hello", version: "0.2.0"})
	defer s.Close()
	_, err = change(c, func(tx *catalog.Tx) (catalog.Change, error) {
		if done, err := tx.RevokeDev("hello"); err != nil {
			return done, err
		}
		if _, err := tx.RevokeDev("hello"); err == nil {
			t.Error("revoked twice")
		}
		return tx.PutDev(s, candidate, second)
	})
	if err != nil {
		t.Fatal(err)
	}
	now := snapshot(t, c)
	checkComplete(t, now)
	if len(now.Dev) != 1 || now.Dev[0].Origin.Path != second {
		t.Errorf("state %+v", now)
	}
}
