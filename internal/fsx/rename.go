package fsx

import (
	"os"
	"time"
)

// Rename moves oldpath to newpath like os.Rename. On Windows a scanner or a
// reader that still has a file open makes it fail for a moment, so it is tried
// again for at most 60 s, after pauses that grow from 10 to 100 ms.
func Rename(oldpath, newpath string) error {
	if err := Point("rename", newpath); err != nil {
		return err
	}
	return After(retry(func() error { return os.Rename(oldpath, newpath) }, transient, time.Sleep))
}

// RenameNow is Rename without another try, for those who can do without.
func RenameNow(oldpath, newpath string) error {
	if err := Point("rename", newpath); err != nil {
		return err
	}
	return After(os.Rename(oldpath, newpath))
}

const (
	retryTotal = 60 * time.Second
	retryFirst = 10 * time.Millisecond
	retryLast  = 100 * time.Millisecond
)

// retry runs f until it succeeds, fails for good, or retryTotal was slept.
func retry(f func() error, again func(error) bool, sleep func(time.Duration)) error {
	var slept time.Duration
	pause := retryFirst
	for {
		err := f()
		if err == nil || !again(err) || slept+pause > retryTotal {
			return err
		}
		sleep(pause)
		slept += pause
		pause = min(pause+retryFirst, retryLast)
	}
}
