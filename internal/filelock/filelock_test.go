package filelock_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/wuu-plugins/wuu/internal/filelock"
	"github.com/wuu-plugins/wuu/internal/fsx"
)

// TestMain lets the test binary play the other process: it takes the lock
// named by the variable, says so, and waits for the end of its standard input.
func TestMain(m *testing.M) {
	path := os.Getenv("FILELOCK_TEST_HOLD")
	if path == "" {
		os.Exit(m.Run())
	}
	if _, err := filelock.TryLock(path, "holder test"); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println("held")
	os.Stdin.Read(make([]byte, 1))
}

func hold(t *testing.T, path string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "FILELOCK_TEST_HOLD="+path)
	if _, err := cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "held\n" {
		t.Fatalf("the other process says %q, %v", line, err)
	}
	return cmd
}

func TestOtherProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "l")
	other := hold(t, path)
	_, err := filelock.TryLock(path, "")
	var busy *filelock.BusyError
	if !errors.As(err, &busy) {
		t.Fatalf("the lock is held, but: %v", err)
	}
	if busy.Holder.PID != other.Process.Pid || busy.Holder.Command != "holder test" {
		t.Errorf("holder %+v, want pid %d", busy.Holder, other.Process.Pid)
	}
	if want := fmt.Sprintf("process %d (holder test)", other.Process.Pid); !strings.Contains(err.Error(), want) {
		t.Errorf("%q does not name %q", err, want)
	}

	// Death, however it comes, gives the lock back.
	other.Process.Kill()
	other.Wait()
	h, err := filelock.TryLock(path, "")
	if err != nil {
		t.Fatalf("after the holder was killed: %v", err)
	}
	if err := h.Unlock(); err != nil {
		t.Error(err)
	}
	if ok, _ := fsx.Exists(path); !ok {
		t.Error("the lock file was removed")
	}
}

func TestUnlockClearsNote(t *testing.T) {
	path := filepath.Join(t.TempDir(), "l")
	long := strings.Repeat("\x01ä", 2000)
	h, err := filelock.TryLock(path, long)
	if err != nil {
		t.Fatal(err)
	}
	var busy *filelock.BusyError
	if _, err := filelock.TryLock(path, ""); !errors.As(err, &busy) || busy.Holder.PID != os.Getpid() ||
		!strings.HasPrefix(busy.Holder.Command, "\x01ä") || len(busy.Holder.Command) > 210 {
		t.Errorf("a second handle in one process: %v", err)
	}
	if err := errors.Join(h.Unlock(), h.Unlock()); err != nil {
		t.Error(err)
	}
	r, err := filelock.TryRLock(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Unlock()
	r2, err := filelock.TryRLock(path)
	if err != nil {
		t.Fatalf("second reader: %v", err)
	}
	defer r2.Unlock()
	if _, err := filelock.TryLock(path, ""); !errors.As(err, &busy) || busy.Holder.PID != 0 {
		t.Errorf("readers hold it: %v, holder %+v", err, busy.Holder)
	}
	if runtime.GOOS != "windows" {
		if info, _ := os.Stat(path); info.Mode().Perm() != 0o600 {
			t.Errorf("mode %v", info.Mode())
		}
	}
}

func TestLockWaits(t *testing.T) {
	path := filepath.Join(t.TempDir(), "l")
	first, err := filelock.TryLock(path, "first")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := filelock.Lock(ctx, path, ""); !errors.Is(err, context.Canceled) {
		t.Errorf("ended context: %v", err)
	}
	ctx, cancel = context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	_, err = filelock.Lock(ctx, path, "")
	if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "first") {
		t.Errorf("deadline: %v", err)
	}
	got := make(chan error)
	go func() {
		h, err := filelock.Lock(context.Background(), path, "second")
		got <- errors.Join(err, h.Unlock())
	}()
	if err := first.Unlock(); err != nil {
		t.Error(err)
	}
	if err := <-got; err != nil {
		t.Errorf("the waiting one: %v", err)
	}
}

// Removing the file while holding the lock is how leftovers are swept. Nobody
// may then believe to hold a lock that others can take as well.
func TestReplacedFile(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("an open file cannot be removed on Windows")
	}
	path := filepath.Join(t.TempDir(), "l")
	var inside atomic.Int32
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 100 {
				h, err := filelock.Lock(context.Background(), path, "x")
				if err != nil {
					t.Error(err)
					return
				}
				if inside.Add(1) != 1 {
					t.Error("two holders at once")
				}
				inside.Add(-1)
				os.Remove(path)
				h.Unlock()
			}
		})
	}
	wg.Wait()
}

func TestRefusesLinks(t *testing.T) {
	dir := t.TempDir()
	victim := filepath.Join(dir, "victim")
	if err := os.WriteFile(victim, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(victim, filepath.Join(dir, "hard")); err != nil {
		t.Skip(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "folder"), 0o700); err != nil {
		t.Fatal(err)
	}
	names := []string{"hard", "folder"}
	if err := os.Symlink(victim, filepath.Join(dir, "soft")); err == nil {
		names = append(names, "soft")
	}
	for _, name := range names {
		path := filepath.Join(dir, name)
		if h, err := filelock.TryLock(path, ""); err == nil {
			t.Errorf("%s: locked", name)
			h.Unlock()
		}
		if h, err := filelock.TryRLock(path); err == nil {
			t.Errorf("%s: locked shared", name)
			h.Unlock()
		}
	}
	if b, _ := os.ReadFile(victim); string(b) != "precious" {
		t.Errorf("wrote into another file: %q", b)
	}
}
