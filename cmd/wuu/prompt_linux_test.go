package main_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// terminal is a pseudo-terminal with one command on it.
type terminal struct {
	t    *testing.T
	user *os.File
	cmd  *exec.Cmd
	said strings.Builder
}

func (r *rig) onTerminal(t *testing.T, h home, args ...string) *terminal {
	t.Helper()
	user, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no pseudo-terminals here: %v", err)
	}
	t.Cleanup(func() { user.Close() })
	fd := int(user.Fd())
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err = errors.Join(err, unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0), syscall.SetNonblock(fd, true)); err != nil {
		t.Fatal(err)
	}
	tty, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer tty.Close()
	cmd := exec.Command(r.binary, append([]string{"plugin"}, args...)...)
	cmd.Dir, cmd.Env = r.work, slices.Concat(r.env, []string{"WUU_HOME=" + string(h), "TERM=xterm"})
	cmd.Stdin, cmd.Stdout, cmd.Stderr = tty, tty, tty
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	return &terminal{t: t, user: user, cmd: cmd}
}

// until reads what the command says until word is there.
func (c *terminal) until(word string) {
	c.t.Helper()
	buf := make([]byte, 4096)
	for !strings.Contains(c.said.String(), word) {
		n, err := c.read(buf)
		c.said.Write(buf[:n])
		if err != nil {
			c.t.Fatalf("%v before %q:\n%s", err, word, c.said.String())
		}
	}
}

// read waits for output, a minute at most. The end of the other side is EIO.
func (c *terminal) read(buf []byte) (int, error) {
	for {
		ready := []unix.PollFd{{Fd: int32(c.user.Fd()), Events: unix.POLLIN}}
		n, err := unix.Poll(ready, int(time.Minute/time.Millisecond))
		switch {
		case errors.Is(err, unix.EINTR):
		case err != nil:
			return 0, err
		case n == 0:
			return 0, os.ErrDeadlineExceeded
		default:
			return unix.Read(int(c.user.Fd()), buf)
		}
	}
}

// end reads the rest and returns the exit code.
func (c *terminal) end() int {
	c.t.Helper()
	buf := make([]byte, 4096)
	for {
		n, err := c.read(buf)
		c.said.Write(buf[:max(n, 0)])
		if errors.Is(err, os.ErrDeadlineExceeded) {
			c.t.Fatalf("it does not end:\n%s", c.said.String())
		}
		if err != nil || n <= 0 {
			break
		}
	}
	c.cmd.Wait()
	return c.cmd.ProcessState.ExitCode()
}

// However a person leaves the prompt of an update, the version before serves on
// and nothing is left; only a yes updates.
func TestPrompt(t *testing.T) {
	r := newRig(t)
	more := r.zipWithMore()
	for _, c := range []struct {
		name, typed string
		code        int
		says        string
	}{
		{"yes", "y\n", 0, "updated hello 2.0.0"},
		{"no", "n\n", 5, "you said no"},
		{"enter", "\n", 5, "you said no"},
		{"something else", "perhaps\n", 5, "you said no"},
		{"end of input", "\x04", 5, "there was no answer"},
		{"Ctrl-C", "\x03", 130, "interrupted"},
		{"Ctrl-C in an answer", "ye\x03", 130, "interrupted"},
		{"the terminal goes away", "", 143, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			own := *r
			own.t = t
			h := home(filepath.Join(t.TempDir(), "home"))
			own.install(h)
			old := h.installed(t)
			tty := own.onTerminal(t, h, "update", "hello", more)
			tty.until("Trust and enable it?")
			for _, want := range []string{"network.connect", "Stop", "tool.sh"} {
				if !strings.Contains(tty.said.String(), want) {
					t.Errorf("the prompt does not show %s:\n%s", want, tty.said.String())
				}
			}
			if h.installed(t) != old {
				t.Error("changed before the answer")
			}
			// The prompt holds no lease: others go on.
			own.must(h, "disable", "hello")
			own.must(h, "enable", "hello")
			if c.typed == "" {
				if err := tty.cmd.Process.Signal(syscall.SIGHUP); err != nil {
					t.Fatal(err)
				}
			} else if _, err := tty.user.WriteString(c.typed); err != nil {
				t.Fatal(err)
			}
			code := tty.end()
			if code != c.code || !strings.Contains(tty.said.String(), c.says) {
				t.Errorf("exit %d, want %d and %q:\n%s", code, c.code, c.says, tty.said.String())
			}
			if now := h.installed(t); (now == old) != (c.code != 0) {
				t.Errorf("installed is %s, it was %s", now, old)
			}
			h.checkFolders(t, t.Errorf)
			if left := h.leftovers(t); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

// zipWithMore packs a version that asks for more: a permission, a hook and an
// executable, from a source of its own.
func (r *rig) zipWithMore() string {
	r.t.Helper()
	dir := filepath.Join(r.work, "more")
	if err := os.CopyFS(dir, os.DirFS(r.folder)); err != nil {
		r.t.Fatal(err)
	}
	write := func(name, content string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o755); err != nil {
			r.t.Fatal(err)
		}
	}
	write("plugin.json", `{ "schema_version": 1, "id": "hello", "version": "2.0.0", "requested_permissions": ["network.connect"],
  "hooks": { "Stop": [{ "command": "echo stopped" }] },
  "runtime": { "protocol": "wuu-plugin-v1", "command": "node", "args": ["dist/index.js"] } }`)
	write("package.json", `{ "name": "wuu-hello", "version": "2.0.0", "type": "module", "wuu": { "build": "embedded" } }`)
	write("tool.sh", "#!/bin/sh\necho hello\n")
	out := filepath.Join(r.work, "more.zip")
	r.must(home(filepath.Join(r.work, "unused")), "pack", "more", "--output", out)
	return out
}
