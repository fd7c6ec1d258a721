package devwatch

import (
	"crypto/sha256"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fsnotify/fsnotify"
)

// The cases of this file run on real files under a clock that stands still
// while something works, so their pauses are exact and cost nothing.

// hints plays the system's file events.
type hints struct {
	mu     sync.Mutex
	dirs   map[string]bool
	limit  int // watches that the system still gives; < 0 without end
	events chan fsnotify.Event
	errors chan error
}

func newHints(limit int) *hints {
	return &hints{dirs: map[string]bool{}, limit: limit, events: make(chan fsnotify.Event), errors: make(chan error)}
}

func (h *hints) Add(dir string) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.limit >= 0 && len(h.dirs) >= h.limit {
		return syscall.ENOSPC
	}
	h.dirs[dir] = true
	return nil
}

func (h *hints) Remove(dir string) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.dirs, dir)
	return nil
}

func (h *hints) Events() <-chan fsnotify.Event { return h.events }
func (h *hints) Errors() <-chan error          { return h.errors }
func (h *hints) Close() error                  { return nil }

// scene is one watched folder.
type scene struct {
	t     *testing.T
	dir   string
	w     *Watcher
	hints *hints // nil: polling
	notes []string
}

// inBubble runs play with a watcher on a folder that holds files.
func inBubble(t *testing.T, files map[string]string, o Options, h *hints, play func(*scene)) {
	t.Helper()
	s := &scene{t: t, dir: t.TempDir(), hints: h}
	for name, text := range files {
		s.write(name, text)
	}
	synctest.Test(t, func(t *testing.T) {
		s.t = t
		o.Roots = []string{s.dir}
		o.Note = func(code, message string) { s.notes = append(s.notes, code) }
		if h != nil {
			h.events, h.errors = make(chan fsnotify.Event), make(chan error) // of this bubble
			o.open = func() (source, error) { return h, nil }
		}
		w, err := New(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		s.w = w
		play(s)
	})
}

func (s *scene) path(name string) string { return filepath.Join(s.dir, filepath.FromSlash(name)) }

func (s *scene) write(name, text string) {
	s.t.Helper()
	if err := os.MkdirAll(filepath.Dir(s.path(name)), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(s.path(name), []byte(text), 0o644); err != nil {
		s.t.Fatal(err)
	}
	s.hint(name, fsnotify.Write)
}

// append never leaves the file empty, as write does for a moment.
func (s *scene) append(name, text string) {
	s.t.Helper()
	f, err := os.OpenFile(s.path(name), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		s.t.Fatal(err)
	}
	if _, err := f.WriteString(text); err != nil {
		s.t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		s.t.Fatal(err)
	}
	s.hint(name, fsnotify.Write)
}

func (s *scene) remove(name string) {
	s.t.Helper()
	if err := os.Remove(s.path(name)); err != nil {
		s.t.Fatal(err)
	}
	s.hint(name, fsnotify.Remove)
}

func (s *scene) hint(name string, op fsnotify.Op) {
	if s.hints != nil && s.w != nil {
		s.hints.events <- fsnotify.Event{Name: s.path(name), Op: op}
	}
}

// next returns the changes of the next batch, as "name" or "-name".
func (s *scene) next() []string {
	s.t.Helper()
	select {
	case b := <-s.w.Batches():
		return names(s.dir, b)
	case <-time.After(time.Minute):
		s.t.Fatal("no batch within a minute")
		return nil
	}
}

func names(dir string, b Batch) []string {
	var list []string
	for _, c := range b.Changes {
		rel, _ := filepath.Rel(dir, c.Path)
		if c.Op == Remove {
			rel = "-" + rel
		}
		list = append(list, filepath.ToSlash(rel))
	}
	return list
}

func (s *scene) want(want ...string) {
	s.t.Helper()
	if got := s.next(); !slices.Equal(got, want) {
		s.t.Errorf("batch %v, want %v", got, want)
	}
}

// silent asserts that nothing comes within a minute.
func (s *scene) silent() {
	s.t.Helper()
	select {
	case b := <-s.w.Batches():
		s.t.Errorf("unexpected batch %v", names(s.dir, b))
	case <-time.After(time.Minute):
	}
}

// bothModes plays a case with events and with polling only.
func bothModes(t *testing.T, files map[string]string, play func(*scene)) {
	t.Run("events", func(t *testing.T) { inBubble(t, files, Options{}, newHints(-1), play) })
	t.Run("poll", func(t *testing.T) { inBubble(t, files, Options{Poll: 50 * time.Millisecond}, nil, play) })
}

func TestB7SameTimeSameSize(t *testing.T) {
	bothModes(t, map[string]string{"a.ts": "1111"}, func(s *scene) {
		then := time.Now().Add(-time.Second)
		for _, text := range []string{"2222", "3333"} {
			s.write("a.ts", text)
			if err := os.Chtimes(s.path("a.ts"), then, then); err != nil {
				s.t.Fatal(err)
			}
			s.want("a.ts")
		}
	})
}

func TestB8SizeWithoutTime(t *testing.T) {
	bothModes(t, map[string]string{"a.ts": "one"}, func(s *scene) {
		info, err := os.Stat(s.path("a.ts"))
		if err != nil {
			s.t.Fatal(err)
		}
		s.write("a.ts", "one and more")
		if err := os.Chtimes(s.path("a.ts"), info.ModTime(), info.ModTime()); err != nil {
			s.t.Fatal(err)
		}
		s.want("a.ts")
	})
}

func TestB10UnlinkThenCreate(t *testing.T) {
	bothModes(t, map[string]string{"entry.js": "1"}, func(s *scene) {
		s.remove("entry.js")
		time.Sleep(80 * time.Millisecond)
		s.write("entry.js", "2")
		s.want("entry.js")
		s.silent()

		s.remove("entry.js")
		s.want("-entry.js")
		s.silent()
	})
}

func TestB11ConstantWriting(t *testing.T) {
	for _, pause := range []time.Duration{10, 20, 40} {
		bothModes(t, map[string]string{"a.ts": "start"}, func(s *scene) {
			writing := make(chan struct{})
			var batches int
			go func() {
				defer close(writing)
				for range 10 * time.Second / (pause * time.Millisecond) {
					s.append("a.ts", "x")
					time.Sleep(pause * time.Millisecond)
				}
			}()
			for running := true; running; {
				select {
				case <-s.w.Batches():
					batches++
				case <-time.After(1500 * time.Millisecond):
					s.t.Fatal("constant writing starves the batches")
				case <-writing:
					running = false
				}
			}
			if batches < 9 {
				s.t.Errorf("%d batches in ten seconds", batches)
			}
			s.write("a.ts", "the end")
			var last Batch
			for quiet := false; !quiet; {
				select {
				case last = <-s.w.Batches():
				case <-time.After(time.Minute):
					quiet = true
				}
			}
			if len(last.Changes) != 1 || last.Changes[0].Hash != sha256.Sum256([]byte("the end")) {
				s.t.Errorf("the last batch %v does not hold what was written last", last.Changes)
			}
		})
	}
}

func TestB12ManyOutputs(t *testing.T) {
	write := func(s *scene) {
		for _, name := range []string{"a.js", "b.js", "plugin.json"} {
			s.write(name, "new")
			time.Sleep(120 * time.Millisecond)
		}
	}
	t.Run("poll", func(t *testing.T) {
		inBubble(t, nil, Options{Poll: 500 * time.Millisecond}, nil, func(s *scene) {
			write(s)
			s.want("a.js", "b.js", "plugin.json")
			s.silent()
		})
	})
	t.Run("events, while the reader builds", func(t *testing.T) {
		inBubble(t, nil, Options{}, newHints(-1), func(s *scene) {
			write(s)
			s.want("a.js", "b.js", "plugin.json")
			s.silent()
		})
	})
}

func TestB19CreatedAndRemoved(t *testing.T) {
	bothModes(t, nil, func(s *scene) {
		s.write("short.ts", "lived")
		time.Sleep(20 * time.Millisecond)
		s.remove("short.ts")
		s.silent()
	})
}

func TestSameContentIsNoChange(t *testing.T) {
	bothModes(t, map[string]string{"a.ts": "same"}, func(s *scene) {
		s.write("a.ts", "same")
		s.silent()
		s.write("a.ts", "other")
		time.Sleep(time.Second) // unread
		s.write("a.ts", "same")
		time.Sleep(time.Second)
		s.silent()
	})
}

func TestTempFilesAreNoChange(t *testing.T) {
	bothModes(t, map[string]string{"a.ts": "1"}, func(s *scene) {
		for _, name := range []string{"4913", "a.ts~", ".#a.ts", ".a.ts.swp", "a.ts.tmp", "#a.ts#"} {
			s.write(name, "temp")
		}
		s.write("a.ts", "2")
		s.want("a.ts")
		s.remove("a.ts~")
		s.silent()
	})
}

func TestIgnored(t *testing.T) {
	o := Options{Ignore: func(path string, dir bool) bool { return filepath.Base(path) == "dist" }}
	inBubble(t, map[string]string{"dist/a.js": "1", "src/a.ts": "1"}, o, newHints(-1), func(s *scene) {
		s.write("dist/a.js", "2")
		s.write("src/a.ts", "2")
		s.want("src/a.ts")
		s.silent()
	})
}

func TestLostEventsAreFound(t *testing.T) {
	t.Run("by the next comparison", func(t *testing.T) {
		inBubble(t, map[string]string{"a.ts": "1"}, Options{}, newHints(-1), func(s *scene) {
			s.hints = nil // from here on the system says nothing
			s.write("a.ts", "2")
			s.want("a.ts")
		})
	})
	t.Run("at once after an overflow", func(t *testing.T) {
		inBubble(t, map[string]string{"a.ts": "1"}, Options{Reconcile: time.Hour}, newHints(-1), func(s *scene) {
			h := s.hints
			s.hints = nil
			s.write("a.ts", "2")
			h.errors <- fsnotify.ErrEventOverflow
			if b := <-s.w.Batches(); !b.Rescan || !slices.Equal(names(s.dir, b), []string{"a.ts"}) {
				s.t.Errorf("batch %+v", b)
			}
		})
	})
}

func TestB18WatchLimit(t *testing.T) {
	h := newHints(1)
	inBubble(t, map[string]string{"src/a.ts": "1", "src/deep/b.ts": "1"}, Options{}, h, func(s *scene) {
		s.hints = nil
		for _, text := range []string{"2", "3"} {
			s.write("src/deep/b.ts", text)
			s.want("src/deep/b.ts")
		}
		if !slices.Equal(s.notes, []string{NoteLimit}) {
			s.t.Errorf("notes %v, want one", s.notes)
		}
		h.mu.Lock()
		h.limit = -1 // the system has watches again
		h.mu.Unlock()
		time.Sleep(time.Minute)
		h.mu.Lock()
		defer h.mu.Unlock()
		if !h.dirs[s.path("src/deep")] {
			s.t.Error("the watch was not asked for again")
		}
	})
}

func TestNoEventsAtAll(t *testing.T) {
	var mended atomic.Bool
	h := newHints(-1)
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		h.events, h.errors = make(chan fsnotify.Event), make(chan error)
		var notes []string
		w, err := New(t.Context(), Options{
			Roots: []string{dir},
			Note:  func(code, _ string) { notes = append(notes, code) },
			open: func() (source, error) {
				if !mended.Load() {
					return nil, os.NewSyscallError("inotify_init1", syscall.EMFILE)
				}
				return h, nil
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		s := &scene{t: t, dir: dir}
		s.write("a.ts", "1")
		if b := <-w.Batches(); !slices.Equal(names(dir, b), []string{"a.ts"}) {
			t.Errorf("batch %v", b)
		}
		synctest.Wait()
		mended.Store(true)
		time.Sleep(time.Minute)
		synctest.Wait()
		if !h.dirs[dir] || !slices.Equal(notes, []string{NoteLimit}) {
			t.Errorf("watched %v, notes %v", h.dirs, notes)
		}
	})
}
