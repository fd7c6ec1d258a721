package catalog_test

import (
	"errors"
	"fmt"
	"syscall"
	"testing"

	"github.com/wuu-plugins/wuu/internal/fault"
)

var errDead = errors.New("the process has died here")

// dyingAt returns a hook for a process that dies at the step with that number,
// and the steps that it has seen.
func dyingAt(step int) (at func(string) error, seen *[]string) {
	seen = &[]string{}
	return func(name string) error {
		*seen = append(*seen, name)
		if len(*seen) > step {
			return errDead
		}
		return nil
	}, seen
}

const never = 1 << 30

// A process dies at each step of each kind of change, and then another one at
// each step of the recovery. At all times the catalog is before or after.
func TestDeathAtEveryStep(t *testing.T) {
	for way, exchange := range exchanges() {
		for _, s := range scenarios() {
			if s.inAll || way == "renames" && !s.swaps {
				continue // the same steps come in another one
			}
			t.Run(way+"/"+s.name, func(t *testing.T) {
				t.Parallel()
				p := prepare(t)
				want := p.outcome(t, s)
				at, steps := dyingAt(never)
				c, _ := p.copy(t)
				if err := attempt(t, c.WithExchange(exchange).WithHook(at), s, p.src, false); err != nil {
					t.Fatal(err)
				}
				if len(*steps) < 4 {
					t.Fatalf("only the steps %v", *steps)
				}
				sawBoth := [2]bool{}
				for step := range *steps {
					after := p.die(t, exchange, s, want, step)
					sawBoth[map[bool]int{false: 0, true: 1}[after]] = true
				}
				if sawBoth != [2]bool{true, true} {
					t.Errorf("the commit point lies outside of the steps %v", *steps)
				}
			})
		}
	}
}

func (p template) die(t *testing.T, exchange func(a, b string) error, s scenario, want outcome, step int) (after bool) {
	t.Helper()
	c, home := p.copy(t)
	c = c.WithExchange(exchange)
	at, seen := dyingAt(step)
	err := attempt(t, c.WithHook(at), s, p.src, true)
	defer func() {
		if t.Failed() {
			t.Logf("died at step %d, %s: %v", step, (*seen)[step], err)
		}
	}()
	after = want.check(t, c)
	if err == nil && !after {
		t.Error("the commit reported success and was lost")
	}
	for again := 0; ; again++ {
		at, _ := dyingAt(again)
		tx, err := c.WithHook(at).Begin(bg)
		if got := want.check(t, c); got != after {
			t.Fatalf("recovery dying at its step %d: after the commit %v, it was %v", again, got, after)
		}
		if err == nil {
			tx.Close()
			break
		}
		if !errors.Is(err, errDead) {
			t.Fatalf("recovery: %v", err)
		}
	}
	p.checkTidy(t, c, home, s, after)
	if !after {
		if err := attempt(t, c, s, p.src, false); err != nil {
			t.Errorf("the same once more: %v", err)
		}
		want.check(t, c)
	}
	return after
}

// A single step fails (a full disk, a bad sector) and the process lives on.
func TestFaultAtEveryStep(t *testing.T) {
	for way, exchange := range exchanges() {
		for i, errno := range []error{syscall.ENOSPC, syscall.EIO} {
			s := scenarios()[len(scenarios())-1-i*7] // all at once; remove and purge
			t.Run(fmt.Sprintf("%s/%s/%v", way, s.name, errno), func(t *testing.T) {
				t.Parallel()
				p := prepare(t)
				want := p.outcome(t, s)
				for step := 0; p.fail(t, exchange, s, want, step, errno); step++ {
				}
			})
		}
	}
}

// fail returns false when step is past the last one.
func (p template) fail(t *testing.T, exchange func(a, b string) error, s scenario, want outcome, step int, errno error) bool {
	t.Helper()
	c, home := p.copy(t)
	c = c.WithExchange(exchange)
	var name string
	n := 0
	err := attempt(t, c.WithHook(func(at string) error {
		if n++; n == step+1 {
			name = at
			return errno
		}
		return nil
	}), s, p.src, false)
	if name == "" {
		return false
	}
	t.Logf("step %d: %s: %v", step, name, err)
	after := want.check(t, c)
	if after != (err == nil) {
		t.Errorf("%s: %v, but the change is there: %v", name, err, after)
	}
	if err != nil {
		if e := fault.As(err); e.Kind != fault.Usage || e.Code != "HOME_IO" || !errors.Is(err, errno) || e.Hint == "" {
			t.Errorf("%s: %+v", name, e)
		}
		p.checkTidy(t, c, home, s, false)
	}
	tx := begin(t, c) // the lease was given back
	tx.Close()
	p.checkTidy(t, c, home, s, after)
	return true
}

// When putting back fails as well, the next Begin does it.
func TestFaultWhileReverting(t *testing.T) {
	p := prepare(t)
	s := scenarios()[len(scenarios())-1]
	want := p.outcome(t, s)
	c, home := p.copy(t)
	err := attempt(t, c.WithHook(func(at string) error {
		if at == "state" || at == "undo-drop" {
			return syscall.EIO
		}
		return nil
	}), s, p.src, false)
	wantFault(t, err, fault.Usage, "HOME_IO")
	if want.check(t, c) {
		t.Error("committed")
	}
	tx := begin(t, c)
	if len(tx.Repairs()) == 0 {
		t.Error("nothing was repaired")
	}
	tx.Close()
	p.checkTidy(t, c, home, s, false)
	_, err = c.WithHook(func(at string) error { return nil }).Begin(bg)
	if err != nil {
		t.Error(err)
	}
}

func TestRecoveryThatCannotGoOn(t *testing.T) {
	p := prepare(t)
	s := scenarios()[1]
	c, home := p.copy(t)
	at, _ := dyingAt(7)
	attempt(t, c.WithHook(at), s, p.src, true)
	if len(leftovers(t, home)) == 0 {
		t.Fatal("died too early")
	}
	_, err := c.WithHook(func(string) error { return syscall.EIO }).Begin(bg)
	wantFault(t, err, fault.Lock, "RECOVERY_FAILED")
	begin(t, c).Close()
	if left := leftovers(t, home); len(left) > 0 {
		t.Errorf("leftovers: %v", left)
	}
}
