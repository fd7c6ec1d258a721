//go:build !failpoint

package fsx

import "os"

// Point stands before every operation that changes the file system. It is
// where tests break a run: built with the tag failpoint, it counts, kills the
// process or fails (failpoint.go). Without the tag it is nothing at all.
//
// op is the operation's plain name (create, write, mkdir, rename, exchange,
// link, remove, chmod, truncate, fsync, syncfs, utimes), path what it changes.
// The caller returns the error in place of the operation's own.
func Point(op, path string) error { return nil }

// After stands behind an operation and returns the error that it is given.
func After(err error) error { return err }

// torn is how many of the n bytes of a write are written before tear is
// called to end the process in the middle of it; n when it does not.
func torn(n int) int { return n }

func tear() {}

// removeAll is os.RemoveAll; with the tag it has a Point before each step.
func removeAll(path string) error { return os.RemoveAll(path) }
