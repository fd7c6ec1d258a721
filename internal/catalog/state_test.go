package catalog_test

import (
	"errors"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/wuu-plugins/wuu/internal/catalog"
	"github.com/wuu-plugins/wuu/internal/fault"
)

func TestDamagedState(t *testing.T) {
	for name, c := range map[string]struct{ content, code string }{
		"cut":              {`{"schema":1,"epoch":1,"plu`, "STATE_DAMAGED"},
		"empty":            {``, "STATE_DAMAGED"},
		"unknown key":      {`{"schema":1,"epoch":1,"plugins":[],"dev":[],"x":1}`, "STATE_DAMAGED"},
		"data after it":    {`{"schema":1,"epoch":1,"plugins":[],"dev":[]} {}`, "STATE_DAMAGED"},
		"id leads outside": {`{"schema":1,"epoch":1,"plugins":[{"id":"../x","manifest_path":"plugin.json"}],"dev":[]}`, "STATE_DAMAGED"},
		"id is ours":       {`{"schema":1,"epoch":1,"plugins":[{"id":".previous-x","manifest_path":"plugin.json"}],"dev":[]}`, "STATE_DAMAGED"},
		"manifest outside": {`{"schema":1,"epoch":1,"plugins":[{"id":"x","manifest_path":"../plugin.json"}],"dev":[]}`, "STATE_DAMAGED"},
		"twice":            {`{"schema":1,"epoch":1,"plugins":[{"id":"x","manifest_path":"a"},{"id":"x","manifest_path":"a"}],"dev":[]}`, "STATE_DAMAGED"},
		"newer":            {`{"schema":2,"anything":true}`, "STATE_SCHEMA"},
	} {
		t.Run(name, func(t *testing.T) {
			cat, home := newHome(t)
			install(t, cat, plugin{id: "hello", version: "1.0.0"})
			if err := os.WriteFile(home.StateFile(), []byte(c.content), 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := cat.Snapshot()
			if e := wantFault(t, err, fault.Lock, c.code); e.Subject != home.StateFile() || e.Hint == "" {
				t.Errorf("%+v", e)
			}
			_, err = cat.Begin(bg)
			wantFault(t, err, fault.Lock, c.code)
			if b, _ := os.ReadFile(home.StateFile()); string(b) != c.content {
				t.Error("the damaged file was written over")
			}
			// The lease was given back.
			os.Remove(home.StateFile())
			begin(t, cat).Close()
		})
	}
}

func TestDamagedEpochIsMended(t *testing.T) {
	for _, content := range []string{"", "1234567", "123456789"} {
		c, home := newHome(t)
		install(t, c, plugin{id: "hello", version: "1.0.0"})
		if err := os.WriteFile(home.EpochFile(), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if epoch, err := c.Epoch(); err != nil || epoch != 1 {
			t.Errorf("%q: epoch %d, %v", content, epoch, err)
		}
		tx := begin(t, c)
		if len(tx.Repairs()) != 1 || !strings.Contains(tx.Repairs()[0].What, "epoch") {
			t.Errorf("repairs %+v", tx.Repairs())
		}
		tx.Close()
		if b, _ := os.ReadFile(home.EpochFile()); len(b) != 8 {
			t.Errorf("epoch file %x", b)
		}
	}
}

func TestDamagedJournal(t *testing.T) {
	for name, content := range map[string]string{
		"cut":            `{"schema":1`,
		"schema":         `{"schema":2,"epoch":1,"moves":[],"purge":[]}`,
		"live outside":   `{"schema":1,"epoch":9,"moves":[{"live":"../../etc/x","staged":"","previous":"../../etc/.previous-x","had":true,"fingerprint":""}],"purge":[]}`,
		"live elsewhere": `{"schema":1,"epoch":9,"moves":[{"live":"state/x","staged":"","previous":"state/.previous-x","had":true,"fingerprint":""}],"purge":[]}`,
		"previous":       `{"schema":1,"epoch":9,"moves":[{"live":"plugins/x","staged":"","previous":"plugins/y","had":true,"fingerprint":""}],"purge":[]}`,
		"staged":         `{"schema":1,"epoch":9,"moves":[{"live":"plugins/x","staged":"staging/.stage-x/../../plugins/y","previous":"plugins/.previous-x","had":true,"fingerprint":""}],"purge":[]}`,
		"purge":          `{"schema":1,"epoch":1,"moves":[],"purge":["config.toml"]}`,
		"purge outside":  `{"schema":1,"epoch":1,"moves":[],"purge":["workspaces/../plugin-storage/sha256-0000000000000000000000000000000000000000000000000000000000000000.json"]}`,
	} {
		t.Run(name, func(t *testing.T) {
			c, home := newHome(t)
			install(t, c, plugin{id: "y", version: "1.0.0"})
			if err := os.WriteFile(home.JournalFile(), []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := c.Begin(bg)
			wantFault(t, err, fault.Lock, "JOURNAL_DAMAGED")
			_, err = c.Snapshot()
			wantFault(t, err, fault.Lock, "JOURNAL_DAMAGED")
			os.Remove(home.JournalFile())
			checkComplete(t, snapshot(t, c))
		})
	}
}

func TestLinksInsteadOfStateFiles(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no right to make symbolic links")
	}
	for _, name := range []string{"plugins.json", "epoch", "journal.json", "catalog.lock"} {
		t.Run(name, func(t *testing.T) {
			c, home := newHome(t)
			install(t, c, plugin{id: "hello", version: "1.0.0"})
			victim := filepath.Join(t.TempDir(), "victim")
			path := filepath.Join(home.State(), name)
			content := "precious"
			if b, err := os.ReadFile(path); err == nil {
				content = string(b) // even a link to something that would do
			}
			if err := os.WriteFile(victim, []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
			os.Remove(path)
			if err := os.Symlink(victim, path); err != nil {
				t.Fatal(err)
			}
			_, err := put(t, c, plugin{id: "hello", version: "1.1.0"}, catalog.Consent{Yes: true})
			if e := fault.As(err); e == nil || e.Kind != fault.Lock || !strings.Contains(e.Error(), "symbolic link") {
				t.Errorf("%v", err)
			}
			if b, _ := os.ReadFile(victim); string(b) != content {
				t.Error("wrote through the link")
			}
		})
	}
}

// What stands in the way of a plugin is moved aside, never written into.
func TestSomethingElseAtTheDestination(t *testing.T) {
	outside := t.TempDir()
	keep := filepath.Join(outside, "keep")
	for name, make := range map[string]func(path string) error{
		"file": func(path string) error { return os.WriteFile(path, []byte("x"), 0o600) },
		"link": func(path string) error { return os.Symlink(outside, path) },
		"read-only": func(path string) error {
			return errors.Join(os.Mkdir(path, 0o700), os.WriteFile(path+"/x", nil, 0o400), os.Chmod(path, 0o500))
		},
		"empty":      func(path string) error { return os.Mkdir(path, 0o700) },
		"other tree": func(path string) error { return os.MkdirAll(path+"/a/b/c", 0o700) },
	} {
		t.Run(name, func(t *testing.T) {
			c, home := newHome(t)
			if err := os.WriteFile(keep, []byte("k"), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.MkdirAll(home.Plugins(), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := make(home.Plugin("hello")); err != nil {
				t.Skip(err)
			}
			install(t, c, plugin{id: "hello", version: "1.0.0"})
			checkComplete(t, snapshot(t, c))
			if b, err := os.ReadFile(keep); err != nil || string(b) != "k" {
				t.Errorf("outside: %q, %v", b, err)
			}
			if left := leftovers(t, home); len(left) > 0 {
				t.Errorf("leftovers: %v", left)
			}
		})
	}
}

func TestBrokenPackages(t *testing.T) {
	for name, c := range map[string]struct {
		damage func(dir string) error
		want   string
	}{
		"folder missing":   {os.RemoveAll, "missing"},
		"folder is a file": {func(dir string) error { return errors.Join(os.RemoveAll(dir), os.WriteFile(dir, nil, 0o600)) }, "something else"},
		"manifest missing": {func(dir string) error { return os.Remove(dir + "/plugin.json") }, "plugin.json is missing"},
		"manifest empty":   {func(dir string) error { return os.WriteFile(dir+"/plugin.json", nil, 0o600) }, "plugin.json"},
	} {
		t.Run(name, func(t *testing.T) {
			cat, home := newHome(t)
			install(t, cat, plugin{id: "hello", version: "1.0.0"})
			install(t, cat, plugin{id: "other", version: "1.0.0"})
			if err := c.damage(home.Plugin("hello")); err != nil {
				t.Fatal(err)
			}
			s := snapshot(t, cat)
			if r, ok := s.Find("hello"); !ok || !strings.Contains(r.Broken, c.want) {
				t.Errorf("%+v, want %q", r, c.want)
			}
			if r, _ := s.Find("other"); r.Broken != "" {
				t.Errorf("other: %s", r.Broken)
			}
			if _, err := change(cat, func(tx *catalog.Tx) (catalog.Change, error) { return tx.Remove("hello", false) }); err != nil {
				t.Error(err)
			}
			if s := snapshot(t, cat); len(s.Plugins) != 1 {
				t.Errorf("after remove: %+v", s)
			}
		})
	}
}

func FuzzState(f *testing.F) {
	f.Add([]byte(`{"schema":1,"epoch":1,"plugins":[{"id":"x","manifest_path":"plugin.json","enabled_override":false}],"dev":[]}`))
	f.Add([]byte(`{"schema":1}`))
	f.Add([]byte(`{"schema":2}`))
	f.Add([]byte(`{"schema":1,"plugins":[{"id":"con","manifest_path":"a"}]}`))
	f.Add([]byte(`[`))
	f.Fuzz(func(t *testing.T, src []byte) {
		d, err := catalog.ParseState(src)
		if err != nil {
			return
		}
		once := d.Marshal()
		again, err := catalog.ParseState(once)
		if err != nil {
			t.Fatalf("own output: %v\n%s", err, once)
		}
		if string(again.Marshal()) != string(once) {
			t.Error("not canonical")
		}
		for _, r := range append(d.Plugins, d.Dev...) {
			if !filepath.IsLocal(r.ID) || strings.ContainsAny(r.ID, `/\`) || !filepath.IsLocal(r.ManifestPath) {
				t.Errorf("accepted %q, %q", r.ID, r.ManifestPath)
			}
		}
	})
}

func FuzzJournal(f *testing.F) {
	f.Add([]byte(`{"schema":1,"epoch":2,"moves":[{"live":"plugins/x","staged":"staging/.stage-1/generation","previous":"plugins/.previous-x-1","had":true,"fingerprint":"f"}],"purge":[]}`))
	f.Add([]byte(`{"schema":1,"epoch":2,"moves":[{"live":"dev/..","staged":"staging/.stage-","previous":"dev/.previous-","had":true,"fingerprint":""}],"purge":["plugin-storage/user/x"]}`))
	allowed := regexp.MustCompile(`^(plugins/|dev/|staging/\.stage-|plugin-storage/user/|plugin-settings/user/|workspaces/)`)
	f.Fuzz(func(t *testing.T, src []byte) {
		touched, err := catalog.ParseJournal(src)
		if err != nil {
			return
		}
		for _, p := range touched {
			if !allowed.MatchString(p) || path.Clean("/home/"+p) != "/home/"+p {
				t.Errorf("would touch %q", p)
			}
		}
	})
}
