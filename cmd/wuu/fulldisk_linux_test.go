package main_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

const pageSize = 4 << 10 // of a tmpfs

// small is a file system in memory, whose size can be changed.
type small string

// mountSmall mounts one, or skips the test with the reason.
func mountSmall(t *testing.T) small {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root may mount a small file system")
	}
	dir := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=64m,mode=700", "wuu-test", dir).CombinedOutput(); err != nil {
		t.Skipf("no small file system here: %v, %s", err, out)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Errorf("unmount %s: %v", dir, err)
		}
	})
	// A size of 0 would mean any.
	if err := os.WriteFile(filepath.Join(dir, "ballast"), make([]byte, pageSize), 0o600); err != nil {
		t.Fatal(err)
	}
	return small(dir)
}

// leave changes the size so that only so many pages are free; -1 gives plenty.
func (d small) leave(t *testing.T, pages int) {
	t.Helper()
	size := int64(64 << 20)
	if pages >= 0 {
		var st syscall.Statfs_t
		if err := syscall.Statfs(string(d), &st); err != nil {
			t.Fatal(err)
		}
		size = int64(st.Blocks-st.Bfree)*st.Bsize + int64(pages)*pageSize
	}
	d.remount(t, fmt.Sprintf("size=%d", size))
}

func (d small) remount(t *testing.T, options string) {
	t.Helper()
	if out, err := exec.Command("mount", "-o", "remount,"+options, string(d)).CombinedOutput(); err != nil {
		t.Fatalf("remount with %s: %v, %s", options, err, out)
	}
}

// TestFullDisk runs every command on a disk with ever more room, from none to
// enough. It does its work or says that the disk is full; then what was
// installed is as it was, and with room the same command works.
func TestFullDisk(t *testing.T) {
	r := newRig(t)
	for _, run := range commandRuns() {
		t.Run(run.name, func(t *testing.T) {
			own := *r
			own.t = t
			d := mountSmall(t)
			f := &fullDisk{rig: &own, run: run, disk: d, from: home(filepath.Join(t.TempDir(), "home"))}
			f.prepare()
			pages := 0
			for ; f.try(pages); pages++ {
			}
			if pages == 0 {
				t.Error("it needs no room at all")
			}
			t.Logf("refused with 0 to %d free pages, done with %d", pages-1, pages)
		})
	}
}

type fullDisk struct {
	*rig
	run       commandRun
	disk      small
	from      home
	old, done string
}

func (f *fullDisk) prepare() {
	if err := os.Mkdir(string(f.from), 0o700); err != nil {
		f.t.Fatal(err)
	}
	f.run.before(f.rig, f.from)
	f.old = f.from.installed(f.t)
	h := f.from.copy(f.t)
	f.must(h, f.run.args(f.rig)...)
	f.done = h.installed(f.t)
}

// try runs the command with that many free pages and tells whether it was refused.
func (f *fullDisk) try(pages int) (refused bool) {
	f.disk.leave(f.t, -1)
	h := home(filepath.Join(string(f.disk), "home"))
	if err := os.CopyFS(string(h), os.DirFS(string(f.from))); err != nil {
		f.t.Fatal(err)
	}
	defer os.RemoveAll(string(h))
	f.disk.leave(f.t, pages)
	out := f.wuu(h, f.run.args(f.rig)...)
	fail := func(format string, args ...any) {
		f.t.Helper()
		f.t.Errorf("with %d free pages: %s: %s", pages, fmt.Sprintf(format, args...), out.stderr)
	}
	now := h.installed(f.t)
	switch {
	case out.code == 0 && now != f.done, out.code != 0 && now != f.old:
		fail("exit %d, and it finds %s", out.code, now)
	case out.code != 0 && out.code != 2:
		fail("exit %d", out.code)
	case out.code == 2 && !(strings.Contains(out.stderr, string(f.disk)) && strings.Contains(out.stderr, "no space left on device") && strings.Contains(out.stderr, "space")):
		fail("the message does not name the disk, and what to do")
	}
	if left := h.leftovers(f.t); len(left) > 0 {
		fail("left behind: %v", left)
	}
	f.checkList(fail, h, now)
	f.disk.leave(f.t, -1)
	if out.code == 0 {
		return false
	}
	if again := f.wuu(h, f.run.args(f.rig)...); again.code != 0 || h.installed(f.t) != f.done {
		fail("with room: exit %d, %s", again.code, again.stderr)
	}
	h.checkFolders(f.t, fail)
	return true
}

// TestReadOnlyHome: what is installed can be looked at, and every change says
// why it cannot be made.
func TestReadOnlyHome(t *testing.T) {
	r := newRig(t)
	d := mountSmall(t)
	h := home(filepath.Join(string(d), "home"))
	r.withDocuments(h)
	old := h.installed(t)
	d.remount(t, "ro")
	defer d.remount(t, "rw")
	for _, run := range commandRuns() {
		if run.name == "enable" {
			continue // it is
		}
		out := r.wuu(h, run.args(r)...)
		if run.name == "install" && out.code == 0 {
			continue // unchanged
		}
		if out.code != 2 || !strings.Contains(out.stderr, "read-only file system") || !strings.Contains(out.stderr, "\nhint: ") {
			t.Errorf("%s: exit %d, %s", run.name, out.code, out.stderr)
		}
	}
	r.checkList(t.Errorf, h, old)
	if out := r.wuu(h, "inspect", "--verify", "hello"); out.code != 0 {
		t.Errorf("inspect --verify: exit %d, %s", out.code, out.stderr)
	}
}

// TestOtherDevice: the home lies on another device than the temporary folder,
// the working directory and the sources; nothing is renamed across.
func TestOtherDevice(t *testing.T) {
	r := newRig(t)
	for _, run := range commandRuns() {
		own := *r
		own.t = t
		h := home(filepath.Join(string(mountSmall(t)), "home"))
		run.before(&own, h)
		own.must(h, run.args(&own)...)
		h.checkFolders(t, t.Errorf)
	}
	// A part of the home on a device of its own is an error that says so.
	h := home(filepath.Join(t.TempDir(), "home"))
	r.install(h)
	d := mountSmall(t)
	if err := os.Remove(string(h) + "/staging"); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(string(d), string(h)+"/staging"); err != nil {
		t.Fatal(err)
	}
	old := h.installed(t)
	out := r.wuu(h, "update", "--yes", "hello", "npm:wuu-hello@1.1.0")
	if out.code != 2 || !strings.Contains(out.stderr, "cross-device") || h.installed(t) != old {
		t.Errorf("staging on another device: exit %d, %s; %s", out.code, h.installed(t), out.stderr)
	}
	h.checkFolders(t, t.Errorf)
}
