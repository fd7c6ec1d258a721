package main_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/wuu-plugins/wuu/internal/catalog"
	"github.com/wuu-plugins/wuu/lockfile"
)

// Several processes change one home at the same time. Each does its work, or
// says that another one is at it (exit 8); whoever looks on sees whole plugins;
// in the end the state, the folders and the locks agree and nothing is left.
func TestInstallersAtOnce(t *testing.T) {
	rounds := 4
	if isFull() {
		rounds = 40
	}
	r := newRig(t)
	others := r.otherPlugins()
	for _, c := range []struct {
		name     string
		commands [][]string
		codes    []int
	}{
		{"one plugin, many versions", [][]string{
			{"install", "--yes", "--allow-downgrade", "npm:wuu-hello@1.0.0"},
			{"install", "--yes", "--allow-downgrade", "npm:wuu-hello@1.1.0"},
			{"install", "--yes", "--allow-downgrade", r.zip},
			{"install", "--yes", "--allow-downgrade", r.folder},
		}, []int{0, 8}},
		{"many plugins", [][]string{
			{"install", "--yes", others[0]}, {"install", "--yes", others[1]},
			{"install", "--yes", others[2]}, {"install", "--yes", "npm:wuu-hello@1.0.0"},
		}, []int{0, 8}},
		{"install and remove", [][]string{
			{"install", "--yes", "npm:wuu-hello@1.0.0"}, {"remove", "hello"},
			{"disable", "hello"}, {"remove", "--purge", "hello"},
		}, []int{0, 2, 8}},
	} {
		t.Run(c.name, func(t *testing.T) {
			own := *r
			own.t = t
			done, busy := 0, 0
			for range rounds {
				h := home(filepath.Join(t.TempDir(), "home"))
				d, b := own.race(h, c.commands, c.codes)
				done, busy = done+d, busy+b
			}
			t.Logf("%d processes: %d changes, %d times busy", rounds*len(c.commands), done, busy)
		})
	}
}

// otherPlugins makes folders with plugins of other ids.
func (r *rig) otherPlugins() (folders []string) {
	for _, id := range []string{"ada", "bob", "cleo"} {
		dir := filepath.Join(r.work, id)
		err := errors.Join(os.Mkdir(dir, 0o755),
			os.WriteFile(filepath.Join(dir, "plugin.json"), fmt.Appendf(nil, `{ "id": %q, "version": "1.0.0" }`, id), 0o644),
			os.WriteFile(filepath.Join(dir, "README.md"), []byte(id), 0o644))
		if err != nil {
			r.t.Fatal(err)
		}
		folders = append(folders, dir)
	}
	return folders
}

// race starts all commands at once and looks on.
func (r *rig) race(h home, commands [][]string, codes []int) (done, busy int) {
	t := r.t
	if err := os.Mkdir(string(h), 0o700); err != nil {
		t.Fatal(err)
	}
	outcomes := make([]outcome, len(commands))
	var all sync.WaitGroup
	for i, args := range commands {
		all.Go(func() { outcomes[i] = r.wuu(h, args...) })
	}
	ended := make(chan struct{})
	go func() { all.Wait(); close(ended) }()
	h.lookOn(t, ended)
	changed := regexp.MustCompile(`(?m)^(installed|updated|removed|disabled) `)
	for i, out := range outcomes {
		switch {
		case !slices.Contains(codes, out.code), out.code == 2 && !strings.Contains(out.stderr, "is not installed"):
			t.Errorf("%v: exit %d, %s", commands[i], out.code, out.stderr)
		case out.code == 8:
			busy++
		case out.code == 0 && changed.MatchString(out.stdout):
			done++
		}
		if strings.Contains(out.stderr, "interrupted") {
			t.Errorf("%v mends what nobody broke: %s", commands[i], out.stderr)
		}
	}
	s, err := catalog.Open(h.paths(t), time.Now).Snapshot()
	if err != nil || s.Epoch != uint64(done) {
		t.Errorf("epoch %d after %d changes, %v", s.Epoch, done, err)
	}
	h.checkFolders(t, t.Errorf)
	h.checkLocks(t)
	if out := r.wuu(h, "enable", "nobody"); out.code != 2 || strings.Contains(out.stderr, "interrupted") {
		t.Errorf("afterwards: exit %d, %s", out.code, out.stderr)
	}
	if left := h.leftovers(t); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	return done, busy
}

// lookOn reads the state until all have ended: it is never half.
func (h home) lookOn(t *testing.T, ended <-chan struct{}) {
	c := catalog.Open(h.paths(t), time.Now)
	for {
		select {
		case <-ended:
			return
		default:
		}
		s, err := c.Snapshot()
		if err != nil {
			t.Errorf("while others work: %v", err)
			<-ended
			return
		}
		for _, p := range s.Plugins {
			if p.Broken != "" {
				t.Errorf("while others work: %s: %s", p.ID, p.Broken)
			}
		}
	}
}

// checkLocks parses the lock of every installed package, which has one exactly
// when it came from a registry.
func (h home) checkLocks(t *testing.T) {
	t.Helper()
	s, err := catalog.Open(h.paths(t), time.Now).Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range s.Plugins {
		b, err := os.ReadFile(filepath.Join(p.Root, lockfile.Name))
		if p.Origin.Kind != "npm" {
			if !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s has a lock: %v", p.ID, err)
			}
			continue
		}
		if err != nil {
			t.Error(err)
			continue
		}
		lock, err := lockfile.Parse(lockfile.Name, b)
		if err != nil || lock.Version != p.Version || lock.PluginID != p.ID {
			t.Errorf("the lock of %s %s: %+v, %v", p.ID, p.Version, lock, err)
		}
	}
}
