package main_test

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/wuu-plugins/wuu/internal/catalog"
	"github.com/wuu-plugins/wuu/internal/paths"
	"github.com/wuu-plugins/wuu/pack"
	"github.com/wuu-plugins/wuu/registry/registrytest"
)

// rig is what runs share that look at the home from outside: wuu as it is
// released, wuu that can be broken, and a registry with two versions of one plugin.
type rig struct {
	t               *testing.T
	binary, failing string
	work            string // the working directory of every command
	env             []string
	folder, zip     string // the second version once more, by other ways
}

func newRig(t *testing.T) *rig {
	dir := t.TempDir()
	r := &rig{t: t, work: dir, binary: filepath.Join(dir, "wuu")}
	r.build(r.binary)
	server, err := registrytest.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Close() })
	r.env = append(os.Environ(), "NO_COLOR=1", "SSL_CERT_FILE="+server.CAFile(), "WUU_REGISTRY="+server.URL())
	r.publish(server)
	return r
}

func (r *rig) build(out string, flags ...string) {
	args := append(append([]string{"build"}, flags...), "-o", out, ".")
	if msg, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		r.t.Fatalf("%v\n%s", err, msg)
	}
}

// buildFailing makes the wuu that can be broken, and proves that the released
// one cannot: not even the name of the variable is in it.
func (r *rig) buildFailing() {
	r.failing = filepath.Join(r.work, "wuu-failing")
	r.build(r.failing, "-tags", "failpoint")
	for binary, want := range map[string]bool{r.binary: false, r.failing: true} {
		b, err := os.ReadFile(binary)
		if err != nil {
			r.t.Fatal(err)
		}
		if got := strings.Contains(string(b), "WUU_FAILPOINT"); got != want {
			r.t.Errorf("%s knows WUU_FAILPOINT: %v", filepath.Base(binary), got)
		}
	}
}

func (r *rig) publish(server *registrytest.Server) {
	h := home(filepath.Join(r.work, "unused"))
	r.must(h, "create", "hello")
	r.folder = filepath.Join(r.work, "hello")
	for _, version := range []string{"1.0.0", "1.1.0"} {
		for name, content := range map[string]string{
			"plugin.json":          `{ "schema_version": 1, "id": "hello", "version": %q, "runtime": { "protocol": "wuu-plugin-v1", "command": "node", "args": ["dist/index.js"] } }`,
			"package.json":         `{ "name": "wuu-hello", "version": %q, "type": "module", "wuu": { "build": "embedded" } }`,
			"data/deep/note.txt":   "the note of %s",
			"data/" + version[2:3]: "only in %s",
		} {
			path := filepath.Join(r.folder, filepath.FromSlash(name))
			err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, fmt.Appendf(nil, content, version), 0o644))
			if err != nil {
				r.t.Fatal(err)
			}
		}
		out := filepath.Join(r.work, version+".tgz")
		r.must(h, "pack", "hello", "--format", "npm", "--output", out)
		tgz, err := os.ReadFile(out)
		if err == nil {
			_, err = server.Publish(tgz)
		}
		if err != nil {
			r.t.Fatal(err)
		}
	}
	r.zip = filepath.Join(r.work, "hello.zip")
	r.must(h, "pack", "hello", "--output", r.zip)
}

// home is one WUU_HOME.
type home string

func (h home) copy(t *testing.T) home {
	t.Helper()
	to := filepath.Join(scratch(t), "home")
	if err := os.CopyFS(to, os.DirFS(string(h))); err != nil {
		t.Fatal(err)
	}
	// CopyFS bends the modes; the home is private.
	if err := os.Chmod(to, 0o700); err != nil {
		t.Fatal(err)
	}
	return home(to)
}

// scratch is a temporary folder, in memory where the system has a place for
// that: a broken run waits for the disk more than for anything else. The full
// suite does wait.
func scratch(t *testing.T) string {
	t.Helper()
	if !isFull() {
		if dir, err := os.MkdirTemp("/dev/shm", "wuu-test-"); err == nil {
			t.Cleanup(func() { os.RemoveAll(dir) })
			return dir
		}
	}
	return t.TempDir()
}

func (h home) paths(t *testing.T) paths.Home {
	t.Helper()
	p, err := paths.At(string(h))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// installed says what a reader finds in the home: each plugin, with the
// fingerprint that its files have now wherever the snapshot found them.
func (h home) installed(t *testing.T) string {
	t.Helper()
	s, err := catalog.Open(h.paths(t), time.Now).Snapshot()
	if err != nil {
		return "unreadable: " + err.Error()
	}
	var all []string
	for _, p := range s.Plugins {
		all = append(all, fmt.Sprintf("%s %s from %s, enabled %v, trusted %v%s",
			p.ID, p.Version, p.Origin.Spec, p.Enabled(), p.Trusted, whole(p.Root, p.Fingerprint)))
	}
	return strings.Join(all, "; ")
}

// whole hashes the folder again, and says nothing when it is what is recorded.
func whole(dir, want string) string {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return ", " + err.Error()
	}
	defer root.Close()
	got, err := pack.FingerprintDir(context.Background(), root)
	switch {
	case err != nil:
		return ", " + err.Error()
	case got != want:
		return ", with other bytes than are recorded"
	}
	return ""
}

// listing is the answer of wuu plugin list --json.
type listing struct {
	Plugins []struct {
		ID, Version, Broken string
		Enabled, Trusted    bool
		Source              struct{ Spec string }
	}
}

// checkList compares what wuu plugin list says with what was found.
func (r *rig) checkList(fail func(string, ...any), h home, now string) {
	r.t.Helper()
	out := r.wuu(h, "list", "--json")
	var l listing
	if err := json.Unmarshal([]byte(out.stdout), &l); err != nil || out.code != 0 {
		fail("list: exit %d, %v: %s%s", out.code, err, out.stdout, out.stderr)
	}
	var all []string
	for _, p := range l.Plugins {
		all = append(all, fmt.Sprintf("%s %s from %s, enabled %v, trusted %v%s", p.ID, p.Version, p.Source.Spec, p.Enabled, p.Trusted, p.Broken))
	}
	if got := strings.Join(all, "; "); got != now {
		fail("list says %s, found was %s", got, now)
	}
}

// checkFolders compares the folders below plugins/ with the state file.
func (h home) checkFolders(t *testing.T, fail func(string, ...any)) {
	p := h.paths(t)
	s, err := catalog.Open(p, time.Now).Snapshot()
	if err != nil {
		fail("%v", err)
		return
	}
	var want, folders []string
	for _, r := range s.Plugins {
		want = append(want, r.ID)
		if fault := whole(p.Plugin(r.ID), r.Fingerprint); fault != "" {
			fail("plugins/%s%s", r.ID, fault)
		}
	}
	entries, err := os.ReadDir(p.Plugins())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		fail("%v", err)
	}
	for _, e := range entries {
		folders = append(folders, e.Name())
	}
	if !slices.Equal(want, folders) {
		fail("list says %v, plugins/ holds %v", want, folders)
	}
}

// checkEpoch: hosts that look at the epoch alone see the last change.
func (h home) checkEpoch(t *testing.T, fail func(string, ...any)) {
	c := catalog.Open(h.paths(t), time.Now)
	epoch, err := c.Epoch()
	s, serr := c.Snapshot()
	if err != nil || serr != nil || epoch != s.Epoch {
		fail("the epoch reads %d, %v; the state is %d, %v", epoch, err, s.Epoch, serr)
	}
}

// leftovers are the names that no finished command leaves.
func (h home) leftovers(t *testing.T) (left []string) {
	t.Helper()
	err := filepath.WalkDir(string(h), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		for _, mark := range []string{".stage-", ".previous-", ".tmp-", ".swap-", "journal.json", "part-"} {
			if strings.HasPrefix(name, mark) || mark == ".tmp-" && strings.Contains(name, mark) {
				left = append(left, strings.TrimPrefix(path, string(h)))
				if d.IsDir() {
					return fs.SkipDir
				}
				return nil
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return left
}

// tellable leaves out the lock of a stage that was not made yet or is gone: its
// removal is no news.
func tellable(path string) bool { return !strings.HasSuffix(path, ".lock") }

var documentFolders = []string{"plugin-storage/user", "plugin-settings/user", "workspaces/w-1/plugin-storage", "workspaces/w-1/plugin-settings"}

// documentPaths are the documents that a plugin hello has stored.
func (h home) documentPaths() (all []string) {
	name := fmt.Sprintf("sha256-%x.json", sha256.Sum256([]byte("plugin:user:hello")))
	for _, dir := range documentFolders {
		all = append(all, filepath.Join(string(h), filepath.FromSlash(dir), name))
	}
	return all
}

func (h home) writeDocuments(t *testing.T) {
	for _, path := range h.documentPaths() {
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte("{}\n"), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
}

// documents counts those that are there.
func (h home) documents(t *testing.T) (there, all int) {
	for _, path := range h.documentPaths() {
		all++
		if _, err := os.Lstat(path); err == nil {
			there++
		} else if !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
	}
	return there, all
}
