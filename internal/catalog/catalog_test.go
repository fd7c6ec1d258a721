package catalog_test

import (
	"encoding/binary"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/wuu-plugins/wuu/internal/catalog"
	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/fsx"
	"github.com/wuu-plugins/wuu/lockfile"
)

func TestReadingCreatesNothing(t *testing.T) {
	c, home := newHome(t)
	s := snapshot(t, c)
	epoch, err := c.Epoch()
	if err != nil || epoch != 0 || s.Epoch != 0 || len(s.Plugins)+len(s.Dev) > 0 {
		t.Errorf("epoch %d, %v, state %+v", epoch, err, s)
	}
	if ok, _ := fsx.Exists(home.Dir()); ok {
		t.Error("the home was created")
	}
}

func TestInstallUpdateRemove(t *testing.T) {
	c, home := newHome(t)
	p := plugin{id: "hello", version: "1.0.0", lock: true}
	if done := install(t, c, p); done.Action != "installed" || done.Before != nil {
		t.Errorf("first: %+v", done)
	}
	s := snapshot(t, c)
	checkComplete(t, s)
	r, ok := s.Find("hello")
	if !ok || s.Epoch != 1 || r.Version != "1.0.0" || !r.Trusted || !r.Enabled() || r.EnabledOverride != nil ||
		!r.InstalledAt.Equal(clock()) || r.Root != home.Plugin("hello") {
		t.Errorf("state %+v", s)
	}
	if r.Fingerprint == r.PackageFingerprint {
		t.Error("the lock is not part of the installed fingerprint")
	}
	src, err := os.ReadFile(filepath.Join(home.Plugin("hello"), lockfile.Name))
	if err != nil {
		t.Fatal(err)
	}
	if lock, err := lockfile.Parse(lockfile.Name, src); err != nil || lock.PluginID != "hello" {
		t.Errorf("lock %+v, %v", lock, err)
	}

	if done := install(t, c, p); done.Action != "unchanged" || snapshot(t, c).Epoch != 1 {
		t.Errorf("the same again: %+v, epoch %d", done, snapshot(t, c).Epoch)
	}
	p.version, p.lock = "1.1.0", false
	if done := install(t, c, p); done.Action != "updated" || done.Before.Version != "1.0.0" || done.After.Version != "1.1.0" {
		t.Errorf("update: %+v", done)
	}
	if ok, _ := fsx.Exists(filepath.Join(home.Plugin("hello"), lockfile.Name)); ok {
		t.Error("the old package's lock is still there")
	}
	checkComplete(t, snapshot(t, c))

	done, err := change(c, func(tx *catalog.Tx) (catalog.Change, error) { return tx.Remove("hello", false) })
	if err != nil || done.Action != "removed" || done.Before.Version != "1.1.0" {
		t.Errorf("remove: %+v, %v", done, err)
	}
	if s := snapshot(t, c); len(s.Plugins) > 0 || s.Epoch != 3 {
		t.Errorf("after remove: %+v", s)
	}
	if ok, _ := fsx.Exists(home.Plugin("hello")); ok {
		t.Error("the folder is still there")
	}
	if left := leftovers(t, home); len(left) > 0 {
		t.Errorf("leftovers: %v", left)
	}
}

func TestFilesOnDisk(t *testing.T) {
	c, home := newHome(t)
	install(t, c, plugin{id: "b", version: "1.0.0"})
	install(t, c, plugin{id: "a", version: "1.0.0"})
	b, err := os.ReadFile(home.EpochFile())
	if err != nil || len(b) != 8 || binary.BigEndian.Uint64(b) != 2 {
		t.Errorf("epoch file %x, %v", b, err)
	}
	src, err := os.ReadFile(home.StateFile())
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Schema  int
		Plugins []struct{ ID, Root string }
	}
	if err := json.Unmarshal(src, &doc); err != nil || doc.Schema != 1 || doc.Plugins[0].ID != "a" || doc.Plugins[0].Root != "" {
		t.Errorf("state %s, %v", src, err)
	}
	d, err := catalog.ParseState(src)
	if err != nil || string(d.Marshal()) != string(src) {
		t.Errorf("the state is not canonical: %v", err)
	}
	if runtime.GOOS == "windows" {
		return
	}
	for path, want := range map[string]os.FileMode{
		home.Dir(): 0o700, home.State(): 0o700, home.Plugins(): 0o700, home.Staging(): 0o700,
		home.StateFile(): 0o600, home.EpochFile(): 0o600, home.LeaseFile(): 0o600,
	} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: mode %v, %v, want %v", path, info.Mode(), err, want)
		}
	}
}

func TestSet(t *testing.T) {
	c, _ := newHome(t)
	install(t, c, plugin{id: "hello", version: "1.0.0"})
	set := func(on bool) (catalog.Change, error) {
		return change(c, func(tx *catalog.Tx) (catalog.Change, error) { return tx.Set("hello", on) })
	}
	for i, want := range []string{"disabled", "unchanged", "enabled", "unchanged"} {
		on := i >= 2
		done, err := set(on)
		if err != nil || done.Action != want {
			t.Errorf("step %d: %+v, %v, want %s", i, done, err, want)
		}
		r, _ := snapshot(t, c).Find("hello")
		if r.Enabled() != on || r.EnabledOverride == nil {
			t.Errorf("step %d: %+v", i, r)
		}
	}
	if s := snapshot(t, c); s.Epoch != 3 {
		t.Errorf("epoch %d, want 3: no change, no step", s.Epoch)
	}

	// The explicit choice survives an update of the same source, not another.
	if _, err := set(false); err != nil {
		t.Fatal(err)
	}
	install(t, c, plugin{id: "hello", version: "1.1.0"})
	if r, _ := snapshot(t, c).Find("hello"); r.Enabled() {
		t.Error("an update enabled it")
	}
	install(t, c, plugin{id: "hello", version: "1.1.0", identity: "npm:other"})
	if r, _ := snapshot(t, c).Find("hello"); !r.Enabled() || r.EnabledOverride != nil {
		t.Errorf("another source kept the choice: %+v", r)
	}
	// Installing enables, also what is off by default.
	install(t, c, plugin{id: "quiet", version: "1.0.0", off: true})
	if r, _ := snapshot(t, c).Find("quiet"); !r.Enabled() || r.DefaultEnabled {
		t.Errorf("off by default: %+v", r)
	}
}

func TestNotInstalled(t *testing.T) {
	c, _ := newHome(t)
	install(t, c, plugin{id: "hello-world", version: "1.0.0"})
	if _, err := publish(t, c, plugin{id: "mine", version: "1.0.0"}, t.TempDir()); err != nil {
		t.Fatal(err)
	}
	for id, hint := range map[string]string{
		"helo-world": "did you mean hello-world?",
		"zzz":        "wuu plugin list",
		"mine":       "wuu plugin dev --revoke mine",
		"../state":   "wuu plugin list",
	} {
		for name, step := range map[string]func(*catalog.Tx) (catalog.Change, error){
			"set":    func(tx *catalog.Tx) (catalog.Change, error) { return tx.Set(id, true) },
			"trust":  func(tx *catalog.Tx) (catalog.Change, error) { return tx.Trust(id, true) },
			"remove": func(tx *catalog.Tx) (catalog.Change, error) { return tx.Remove(id, true) },
		} {
			_, err := change(c, step)
			if e := wantFault(t, err, fault.Usage, "NOT_INSTALLED"); !strings.Contains(e.Hint, hint) {
				t.Errorf("%s %s: hint %q, want %q", name, id, e.Hint, hint)
			}
		}
	}
	_, err := change(c, func(tx *catalog.Tx) (catalog.Change, error) { return tx.RevokeDev("mines") })
	if e := wantFault(t, err, fault.Usage, "NOT_INSTALLED"); !strings.Contains(e.Hint, "mine?") {
		t.Errorf("revoke: hint %q", e.Hint)
	}
}

func TestPurge(t *testing.T) {
	for _, purge := range []bool{false, true} {
		c, home := newHome(t)
		install(t, c, plugin{id: "hello", version: "1.0.0"})
		name := catalog.DocumentName("plugin:user:hello")
		docs := []string{
			filepath.Join(home.PluginStorage(), "user", name),
			filepath.Join(home.PluginSettings(), "user", name),
			filepath.Join(home.Workspaces(), "p-0123456789abcdef", "plugin-storage", name),
			filepath.Join(home.Workspaces(), "p-0123456789abcdef", "plugin-settings", name),
		}
		other := filepath.Join(home.PluginStorage(), "user", catalog.DocumentName("plugin:user:other"))
		for _, path := range append(docs, other) {
			os.MkdirAll(filepath.Dir(path), 0o700)
			if err := os.WriteFile(path, []byte("{}"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := change(c, func(tx *catalog.Tx) (catalog.Change, error) { return tx.Remove("hello", purge) }); err != nil {
			t.Fatal(err)
		}
		for _, path := range docs {
			if there, _ := fsx.Exists(path); there == purge {
				t.Errorf("purge %v: %s there %v", purge, path, there)
			}
		}
		if there, _ := fsx.Exists(other); !there {
			t.Error("another plugin's storage was removed")
		}
	}
}

func TestNextShowsStages(t *testing.T) {
	c, _ := newHome(t)
	install(t, c, plugin{id: "a", version: "1.0.0"})
	s, candidate := stage(t, c, plugin{id: "a", version: "2.0.0"})
	defer s.Close()
	d, devCandidate := stage(t, c, plugin{id: "d", version: "0.1.0"})
	defer d.Close()
	tx := begin(t, c)
	defer tx.Close()
	if next := tx.Next(); next.Epoch != 1 {
		t.Errorf("nothing changed, epoch %d", next.Epoch)
	}
	if _, err := tx.Put(s, candidate, catalog.Consent{}); err != nil {
		t.Fatal(err)
	}
	if _, err := tx.PutDev(d, devCandidate, t.TempDir()); err != nil {
		t.Fatal(err)
	}
	next := tx.Next()
	checkComplete(t, next)
	a, _ := next.Find("a")
	dev, _ := next.Find("d")
	if next.Epoch != 2 || a.Root != s.Dir() || dev.Root != d.Dir() || !dev.Dev {
		t.Errorf("next %+v", next)
	}
	if now := snapshot(t, c); now.Epoch != 1 || now.Plugins[0].Version != "1.0.0" {
		t.Errorf("before the commit others see %+v", now)
	}
	// Closing instead of committing: nothing has happened.
	tx.Close()
	if _, err := tx.Commit(bg); err == nil {
		t.Error("a closed transaction was committed")
	}
	if now := snapshot(t, c); now.Epoch != 1 || now.Plugins[0].Version != "1.0.0" || len(now.Dev) > 0 {
		t.Errorf("after Close: %+v", now)
	}
}

func TestOneTransactionManySteps(t *testing.T) {
	c, _ := newHome(t)
	install(t, c, plugin{id: "a", version: "1.0.0"})
	install(t, c, plugin{id: "b", version: "1.0.0"})
	tx := begin(t, c)
	defer tx.Close()
	s, candidate := stage(t, c, plugin{id: "a", version: "2.0.0"})
	defer s.Close()
	for _, step := range []func() (catalog.Change, error){
		func() (catalog.Change, error) { return tx.Remove("a", false) },
		func() (catalog.Change, error) { return tx.Put(s, candidate, catalog.Consent{Yes: true}) },
		func() (catalog.Change, error) { return tx.Set("a", false) },
		func() (catalog.Change, error) { return tx.Remove("b", false) },
	} {
		if _, err := step(); err != nil {
			t.Fatal(err)
		}
	}
	if epoch, err := tx.Commit(bg); err != nil || epoch != 3 {
		t.Fatalf("epoch %d, %v", epoch, err)
	}
	if _, err := tx.Set("a", true); err == nil {
		t.Error("a committed transaction took another step")
	}
	now := snapshot(t, c)
	checkComplete(t, now)
	if len(now.Plugins) != 1 || now.Plugins[0].Version != "2.0.0" || now.Plugins[0].Enabled() {
		t.Errorf("state %+v", now)
	}
}

func TestIDs(t *testing.T) {
	c, home := newHome(t)
	install(t, c, plugin{id: "hello", version: "1.0.0"})
	_, err := put(t, c, plugin{id: "Hello", version: "1.0.0"}, catalog.Consent{Yes: true})
	wantFault(t, err, fault.Check, "ID_CONFLICT")
	_, err = put(t, c, plugin{id: ".previous-x", version: "1.0.0"}, catalog.Consent{Yes: true})
	wantFault(t, err, fault.Check, "ID_INVALID")
	if left := leftovers(t, home); len(left) > 0 {
		t.Errorf("leftovers: %v", left)
	}
}
