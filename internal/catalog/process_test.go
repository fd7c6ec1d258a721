package catalog_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/wuu-plugins/wuu/internal/catalog"
	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/filelock"
	"github.com/wuu-plugins/wuu/internal/fsx"
)

const playerEnv = "CATALOG_TEST_PLAYER"

// part is what another process does.
type part struct {
	Home     string
	Src      [2]string
	Scenario string
	Renames  bool   // no exchange
	Kill     int    // the step before which it kills itself; -1 never
	Pause    string // the step at which it waits for the end of its standard input
	Race     string // instead: install plugin "race" with this version, again until it gets the lease
}

// play runs in the other process.
func play() {
	var p part
	if err := json.Unmarshal([]byte(os.Getenv(playerEnv)), &p); err != nil {
		panic(err)
	}
	c, _ := open(stop{}, p.Home)
	if p.Race != "" {
		race(c, p.Race)
		return
	}
	if p.Renames {
		c = c.WithExchange(exchanges()["renames"])
	}
	n := 0
	c = c.WithHook(func(step string) error {
		if n == p.Kill {
			self, _ := os.FindProcess(os.Getpid())
			self.Kill()
			select {}
		}
		n++
		if step == p.Pause {
			fmt.Println("paused")
			io.Copy(io.Discard, os.Stdin)
		}
		return nil
	})
	for _, s := range scenarios() {
		if s.name == p.Scenario {
			if err := attempt(stop{}, c, s, sources{p.Src[0], p.Src[1]}, false); err != nil {
				fmt.Println(err)
				os.Exit(1)
			}
			fmt.Println("done")
		}
	}
}

func race(c *catalog.Catalog, version string) {
	for {
		_, err := put(stop{}, c, plugin{id: "race", version: version}, catalog.Consent{Yes: true, AllowDowngrade: true})
		if e := fault.As(err); e == nil || e.Kind != fault.Busy {
			fmt.Println("raced", err)
			return
		}
	}
}

// stop ends the other process where a test would fail.
type stop struct{}

func (stop) Helper()                   {}
func (stop) Fatal(args ...any)         { fmt.Println(args...); os.Exit(1) }
func (stop) Fatalf(f string, a ...any) { stop{}.Fatal(fmt.Sprintf(f, a...)) }

func command(t *testing.T, p part) *exec.Cmd {
	t.Helper()
	b, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), playerEnv+"="+string(b))
	return cmd
}

// A real process is killed at each step of the largest change.
func TestKillAtEveryStep(t *testing.T) {
	for way := range exchanges() {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			p := prepare(t)
			s := scenarios()[len(scenarios())-1]
			want := p.outcome(t, s)
			for step := 0; ; step++ {
				c, home := p.copy(t)
				cmd := command(t, part{Home: home.Dir(), Src: [2]string{p.src.first, p.src.second},
					Scenario: s.name, Renames: way == "renames", Kill: step})
				out, err := cmd.CombinedOutput()
				after := want.check(t, c)
				begin(t, c).Close()
				if want.check(t, c) != after {
					t.Errorf("step %d: recovery changed the state", step)
				}
				p.checkTidy(t, c, home, s, after)
				if err == nil { // it lived to the end
					if step < 10 || !after || !bytes.Contains(out, []byte("done")) {
						t.Errorf("%d steps, after %v, output %s", step, after, out)
					}
					return
				}
				if len(out) > 0 {
					t.Fatalf("step %d: %v, %s", step, err, out)
				}
			}
		})
	}
}

func TestTwoProcesses(t *testing.T) {
	p := prepare(t)
	s := scenarios()[1]
	want := p.outcome(t, s)
	c, home := p.copy(t)
	cmd := command(t, part{Home: home.Dir(), Scenario: s.name, Kill: -1, Pause: "exchange"})
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill()
	lines := bufio.NewReader(stdout)
	if line, err := lines.ReadString('\n'); line != "paused\n" {
		t.Fatalf("%q, %v", line, err)
	}

	_, err = c.Begin(bg)
	e := wantFault(t, err, fault.Busy, "CATALOG_BUSY")
	holder, ok := e.Details.(filelock.Holder)
	if !ok || holder.PID != cmd.Process.Pid || !strings.Contains(e.Error(), fmt.Sprint(cmd.Process.Pid)) || !strings.Contains(e.Error(), "catalog.test") {
		t.Errorf("%v, details %+v", e, e.Details)
	}
	if want.check(t, c) {
		t.Error("seen as committed half-way")
	}
	mine, err := c.NewStage() // needs no lease
	if err != nil {
		t.Fatal(err)
	}
	defer mine.Close()

	stdin.Close()
	if line, err := lines.ReadString('\n'); line != "done\n" {
		t.Fatalf("%q, %v", line, err)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	if !want.check(t, c) {
		t.Error("not committed")
	}
	tx := begin(t, c)
	defer tx.Close()
	if len(tx.Repairs()) > 0 {
		t.Errorf("repairs %+v", tx.Repairs())
	}
	if there, _ := fsx.Exists(mine.Dir()); !there {
		t.Error("a living stage was swept")
	}
}

// Many processes install different versions of one plugin at once; readers
// look on all the time.
func TestRace(t *testing.T) {
	c, home := newHome(t)
	var all sync.WaitGroup
	versions := []string{"1.0.0", "2.0.0", "3.0.0", "4.0.0"}
	for _, version := range versions {
		cmd := command(t, part{Home: home.Dir(), Race: version})
		all.Go(func() {
			if out, err := cmd.CombinedOutput(); err != nil || string(out) != "raced <nil>\n" {
				t.Errorf("%s: %v, %s", version, err, out)
			}
		})
	}
	ended := make(chan struct{})
	go func() { all.Wait(); close(ended) }()
	last := uint64(0)
	for looking := true; looking; {
		select {
		case <-ended:
			looking = false
		default:
		}
		s, err := c.Snapshot()
		if err != nil {
			t.Error(err)
			break
		}
		if s.Epoch < last || len(s.Plugins) > 1 || len(s.Plugins) == 1 && s.Plugins[0].Broken != "" {
			t.Errorf("epoch %d after %d, %+v", s.Epoch, last, s.Plugins)
		}
		last = s.Epoch
	}
	<-ended
	s := snapshot(t, c)
	checkComplete(t, s)
	if len(s.Plugins) != 1 || s.Epoch != uint64(len(versions)) {
		t.Errorf("state %+v", s)
	}
	begin(t, c).Close()
	if left := leftovers(t, home); len(left) > 0 {
		t.Errorf("leftovers: %v", left)
	}
}

func TestSweep(t *testing.T) {
	c, home := newHome(t)
	install(t, c, plugin{id: "a", version: "1.0.0"})
	dead, _ := stage(t, c, plugin{id: "a", version: "2.0.0"})
	alive, _ := stage(t, c, plugin{id: "a", version: "3.0.0"})
	defer alive.Close()
	dead.Abandon()
	for _, name := range []string{home.Plugins() + "/.previous-a-1", home.DevAll() + "/.previous-b-1.new", home.Staging() + "/.stage-old"} {
		if err := os.MkdirAll(name+"/x", 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{home.State() + "/.plugins.json.tmp-1", home.State() + "/.mine.tmp-1", home.Staging() + "/.stage-1.lock", home.Staging() + "/notes"} {
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	tx := begin(t, c)
	defer tx.Close()
	if got := len(tx.Repairs()); got != 5 {
		t.Errorf("%d repairs: %+v", got, tx.Repairs())
	}
	for path, want := range map[string]bool{
		dead.Dir(): false, alive.Dir(): true,
		home.Plugins() + "/.previous-a-1": false, home.DevAll() + "/.previous-b-1.new": false, home.Staging() + "/.stage-old": false,
		home.Staging() + "/.stage-old.lock": false, home.Staging() + "/.stage-1.lock": false, home.State() + "/.plugins.json.tmp-1": false,
		home.State() + "/.mine.tmp-1": true, home.Staging() + "/notes": true, home.Plugin("a"): true,
	} {
		if there, _ := fsx.Exists(path); there != want {
			t.Errorf("%s there %v, want %v", path, there, want)
		}
	}
	if err := errors.Join(alive.Close(), alive.Close()); err != nil {
		t.Error(err)
	}
	if entries, _ := os.ReadDir(home.Staging()); len(entries) != 1 {
		t.Errorf("staging holds %v", entries)
	}
}

// A commit between the two readings of a snapshot makes it look again.
func TestSnapshotLooksAgain(t *testing.T) {
	c, _ := newHome(t)
	install(t, c, plugin{id: "a", version: "1.0.0"})
	looks := 0
	s := snapshot(t, c.WithHook(func(string) error {
		if looks++; looks <= 2 {
			install(t, c, plugin{id: "a", version: fmt.Sprintf("2.0.%d", looks)})
		}
		return nil
	}))
	if looks != 3 || s.Epoch != 3 || s.Plugins[0].Version != "2.0.2" {
		t.Errorf("%d looks, %+v", looks, s)
	}
	checkComplete(t, s)

	// It gives up when there is no end of it.
	synctest.Test(t, func(t *testing.T) { // for its pauses
		n := 0
		_, err := c.WithHook(func(string) error {
			n++
			install(t, c, plugin{id: "a", version: fmt.Sprintf("3.0.%d", n)})
			return nil
		}).Snapshot()
		wantFault(t, err, fault.Busy, "CATALOG_BUSY")
	})
}
