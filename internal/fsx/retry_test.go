package fsx

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestRetryBacksOffLinearly(t *testing.T) {
	busy := errors.New("busy")
	var pauses []time.Duration
	sleep := func(d time.Duration) { pauses = append(pauses, d) }
	again := func(err error) bool { return errors.Is(err, busy) }

	calls := 0
	err := retry(func() error {
		if calls++; calls < 4 {
			return busy
		}
		return nil
	}, again, sleep)
	if err != nil || len(pauses) != 3 || pauses[0] != 10*time.Millisecond || pauses[2] != 30*time.Millisecond {
		t.Errorf("err %v, pauses %v", err, pauses)
	}

	pauses = nil
	if err := retry(func() error { return busy }, again, sleep); !errors.Is(err, busy) {
		t.Errorf("for ever busy: %v", err)
	}
	var total time.Duration
	for _, p := range pauses {
		total += p
	}
	if last := pauses[len(pauses)-1]; total > time.Minute || total < 59*time.Second || last != 100*time.Millisecond {
		t.Errorf("slept %v in all, at last %v", total, last)
	}

	pauses = nil
	if err := retry(func() error { return os.ErrExist }, again, sleep); !errors.Is(err, os.ErrExist) || len(pauses) > 0 {
		t.Errorf("a lasting error: %v, pauses %v", err, pauses)
	}
}

func TestSwapByRename(t *testing.T) {
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	for _, p := range []string{a, b} {
		if err := os.Mkdir(p, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(p, filepath.Base(p)), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := swapByRename(a, b); err != nil {
		t.Fatal(err)
	}
	if ok, _ := Exists(filepath.Join(a, "b")); !ok {
		t.Error("a does not hold b's file")
	}
	if err := swapByRename(a, filepath.Join(dir, "missing")); err == nil {
		t.Error("swap with nothing succeeded")
	}
	if ok, _ := Exists(filepath.Join(a, "b")); !ok {
		t.Error("a was not put back")
	}
}
