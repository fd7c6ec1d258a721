package devwatch_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/wuu-plugins/wuu/devwatch"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// stage is a watched folder with the system's own events.
type stage struct {
	t   *testing.T
	dir string
	w   *devwatch.Watcher

	mu    sync.Mutex
	notes []string
}

func watch(t *testing.T, o devwatch.Options, files ...string) *stage {
	t.Helper()
	s := &stage{t: t, dir: filepath.Join(t.TempDir(), "plugin")}
	if err := os.Mkdir(s.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		s.write(name, "first")
	}
	o.Roots = append(o.Roots, s.dir)
	o.Note = func(code, message string) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.notes = append(s.notes, code)
	}
	w, err := devwatch.New(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	s.w = w
	return s
}

func (s *stage) path(name string) string { return filepath.Join(s.dir, filepath.FromSlash(name)) }

func (s *stage) write(name, text string) {
	s.t.Helper()
	if err := os.MkdirAll(filepath.Dir(s.path(name)), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(s.path(name), []byte(text), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

func (s *stage) rename(from, to string) {
	s.t.Helper()
	if err := os.Rename(s.path(from), s.path(to)); err != nil {
		s.t.Fatal(err)
	}
}

// until reads batches until all of want, "name" or "-name", were in one.
func (s *stage) until(want ...string) {
	s.t.Helper()
	limit := time.After(20 * time.Second)
	missing := slices.Clone(want)
	for len(missing) > 0 {
		select {
		case b := <-s.w.Batches():
			for _, c := range b.Changes {
				rel, _ := filepath.Rel(s.dir, c.Path)
				rel = filepath.ToSlash(rel)
				if c.Op == devwatch.Remove {
					rel = "-" + rel
				}
				missing = slices.DeleteFunc(missing, func(name string) bool { return name == rel })
			}
		case <-limit:
			s.t.Fatalf("no batch with %v", missing)
		}
	}
}

func (s *stage) noted(code string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Contains(s.notes, code)
}

// modes are the system's events without help from comparisons, and polling.
var modes = map[string]devwatch.Options{
	"events": {Reconcile: time.Hour},
	"poll":   {Poll: 20 * time.Millisecond},
}

func TestB4B5AtomicSaves(t *testing.T) {
	for name, o := range modes {
		t.Run(name, func(t *testing.T) {
			s := watch(t, o, "src/x.ts", "plugin.json")
			for i := range 20 {
				target := []string{"src/x.ts", "plugin.json"}[i%2]
				s.write(".x.swp", fmt.Sprint(i))
				s.rename(".x.swp", target)
				s.until(target)
			}
		})
	}
}

func TestFolders(t *testing.T) {
	for name, o := range modes {
		t.Run(name, func(t *testing.T) {
			s := watch(t, o, "src/a.ts")
			s.write("src/new/deep/b.ts", "1")
			s.until("src/new/deep/b.ts")
			s.write("src/new/deep/b.ts", "2")
			s.until("src/new/deep/b.ts")

			s.rename("src/new", "src/moved")
			s.until("-src/new/deep/b.ts", "src/moved/deep/b.ts")
			s.write("src/moved/deep/b.ts", "3")
			s.until("src/moved/deep/b.ts")

			// A folder is replaced by another one of the same name.
			s.write("next/a.ts", "second")
			s.write("next/c.ts", "second")
			s.rename("src", "old")
			s.rename("next", "src")
			s.until("src/a.ts", "src/c.ts")
			s.write("src/c.ts", "third")
			s.until("src/c.ts")

			if err := os.RemoveAll(s.path("src")); err != nil {
				t.Fatal(err)
			}
			s.until("-src/a.ts", "-src/c.ts")
		})
	}
}

func TestB16FlatOverCycles(t *testing.T) {
	s := watch(t, devwatch.Options{Reconcile: 50 * time.Millisecond}, "src/a.ts")
	const slack = 5 // what comes and goes; a leak would be one for each cycle
	var descriptors, goroutines int
	for i := range 50 {
		s.write("src/a.ts", fmt.Sprint(i))
		s.write("src/b/c.ts", fmt.Sprint(i))
		s.until("src/a.ts", "src/b/c.ts")
		if err := os.RemoveAll(s.path("src/b")); err != nil { // and back in the next cycle
			t.Fatal(err)
		}
		if i == 1 {
			descriptors, goroutines = openFiles(t), runtime.NumGoroutine()
		}
	}
	if n := openFiles(t); n > descriptors+slack {
		t.Errorf("%d open files after 50 cycles, %d before", n, descriptors)
	}
	if n := runtime.NumGoroutine(); n > goroutines+slack {
		t.Errorf("%d goroutines after 50 cycles, %d before", n, goroutines)
	}
}

// openFiles counts file descriptors where the system shows them.
func openFiles(t *testing.T) int {
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return 0
	}
	return len(list)
}

func TestB20Links(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "outside.ts")
	if err := os.WriteFile(outside, []byte("1"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, o := range modes {
		t.Run(name, func(t *testing.T) {
			s := watch(t, o, "a/x.ts")
			if err := os.Symlink("..", s.path("a/loop")); err != nil {
				t.Skip("no symbolic links: ", err)
			}
			s.until("a/loop")
			if !s.noted(devwatch.NoteLoop) {
				t.Error("the loop was not noted")
			}
			if err := os.Symlink(outside, s.path("a/link.ts")); err != nil {
				t.Fatal(err)
			}
			s.until("a/link.ts")
			if err := os.WriteFile(outside, []byte("2"), 0o644); err != nil {
				t.Fatal(err)
			}
			s.write("a/x.ts", "2")
			select {
			case b := <-s.w.Batches():
				if len(b.Changes) != 1 || b.Changes[0].Path != s.path("a/x.ts") {
					t.Errorf("followed a link: %v", b.Changes)
				}
			case <-time.After(20 * time.Second):
				t.Fatal("no batch")
			}
		})
	}
}

func TestRootGoneAndBack(t *testing.T) {
	for name, o := range map[string]devwatch.Options{
		"events": {Reconcile: 30 * time.Millisecond},
		"poll":   {Poll: 20 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			s := watch(t, o, "a.ts", "b.ts")
			if err := os.Rename(s.dir, s.dir+"-away"); err != nil {
				t.Fatal(err)
			}
			for deadline := time.Now().Add(20 * time.Second); !s.noted(devwatch.NoteRootGone); {
				if time.Now().After(deadline) {
					t.Fatal("the missing root was not noted")
				}
				runtime.Gosched()
			}
			s.write("a.ts", "second")
			s.write("c.ts", "new")
			s.until("a.ts", "c.ts", "-b.ts")
			s.write("c.ts", "newer")
			s.until("c.ts")
		})
	}
}

func TestInputs(t *testing.T) {
	for name, o := range modes {
		t.Run(name, func(t *testing.T) {
			o.Ignore = func(path string, dir bool) bool { return dir && filepath.Base(path) == "node_modules" }
			s := watch(t, o, "src/a.ts", "node_modules/dep/index.js", "node_modules/dep/other.js", "../shared/lib.ts")
			inputs := func(present, absent []string) {
				t.Helper()
				if err := s.w.SetInputs(present, absent); err != nil {
					t.Fatal(err)
				}
			}
			inputs([]string{s.path("src/a.ts"), s.path("node_modules/dep/index.js"), s.path("../shared/lib.ts")},
				[]string{s.path("../shared/sub/missing.ts")})
			s.write("node_modules/dep/index.js", "2")
			s.until("node_modules/dep/index.js")
			s.write("../shared/lib.ts", "2")
			s.until("../shared/lib.ts")
			s.write("../shared/sub/missing.ts", "here")
			s.until("../shared/sub/missing.ts")

			// One that exists by the time it is named counts as a change.
			s.write("../shared/late.ts", "here")
			inputs([]string{s.path("../shared/lib.ts")}, []string{s.path("../shared/late.ts")})
			s.until("../shared/late.ts")

			// What is not an input any more is not watched any more.
			s.write("node_modules/dep/index.js", "3")
			s.write("../shared/lib.ts", "3")
			select {
			case b := <-s.w.Batches():
				if len(b.Changes) != 1 || b.Changes[0].Path != s.path("../shared/lib.ts") {
					t.Errorf("changes %v", b.Changes)
				}
			case <-time.After(20 * time.Second):
				t.Fatal("no batch")
			}
			if err := s.w.SetInputs([]string{"relative.ts"}, nil); err == nil {
				t.Error("a relative input was accepted")
			}
		})
	}
}

func TestSingleFileRoot(t *testing.T) {
	for name, o := range modes {
		t.Run(name, func(t *testing.T) {
			other := filepath.Join(t.TempDir(), "tool.ts")
			if err := os.WriteFile(other, []byte("1"), 0o644); err != nil {
				t.Fatal(err)
			}
			o.Roots = []string{other}
			s := watch(t, o)
			for _, text := range []string{"2", "3"} {
				if err := os.WriteFile(other+"~", []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
				if err := os.Rename(other+"~", other); err != nil {
					t.Fatal(err)
				}
				rel, _ := filepath.Rel(s.dir, other)
				s.until(filepath.ToSlash(rel))
			}
		})
	}
}

func TestUnreadableFolderCountsAsUnchanged(t *testing.T) {
	if os.Geteuid() == 0 || runtime.GOOS == "windows" {
		t.Skip("permissions do not bind this user")
	}
	s := watch(t, devwatch.Options{Reconcile: 20 * time.Millisecond}, "src/a.ts", "b.ts")
	if err := os.Chmod(s.path("src"), 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(s.path("src"), 0o755) })
	s.write("b.ts", "2")
	s.until("b.ts")
	if err := os.Chmod(s.path("src"), 0o755); err != nil {
		t.Fatal(err)
	}
	s.write("src/a.ts", "2")
	s.until("src/a.ts")
}

func TestNewRefuses(t *testing.T) {
	for _, root := range []string{"relative", filepath.Join(t.TempDir(), "missing")} {
		if w, err := devwatch.New(t.Context(), devwatch.Options{Roots: []string{root}}); err == nil {
			_ = w.Close()
			t.Errorf("watches %s", root)
		}
	}
}

func TestClosed(t *testing.T) {
	s := watch(t, devwatch.Options{})
	if err := s.w.Close(); err != nil {
		t.Fatal(err)
	}
	if _, open := <-s.w.Batches(); open {
		t.Error("batches are open after Close")
	}
	if err := s.w.SetInputs(nil, nil); err != devwatch.ErrClosed {
		t.Errorf("got %v", err)
	}
}
