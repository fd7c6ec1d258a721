//go:build failpoint

package fsx

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
)

// The environment of a process built with the tag failpoint. WUU_FAILPOINT is
// MODE:N, counted from 1, or unset:
//
//	kill:N    kills the process, as SIGKILL does, before operation N
//	after:N   kills it behind operation N, also when that one failed
//	torn:N    kills it in the middle of operation N, when that is a write of
//	          more than one byte; else like kill
//	enospc:N  operation N fails as on a full disk
//	eio:N     operation N fails as on a broken one
//	full:N    operation N and every later one that needs room fail as on a full disk
//
// WUU_FAILPOINT_LOG names a file to which each operation is appended as a line
// "op path".
const (
	failpointVar    = "WUU_FAILPOINT"
	failpointLogVar = "WUU_FAILPOINT_LOG"
)

// failpoint is the one break of the process. It is not created when the
// package is loaded, but at the first operation.
var failpoint = sync.OnceValue(func() *breaker { return newBreaker(os.Getenv) })

type breaker struct {
	mode string
	at   int
	log  *os.File

	mu   sync.Mutex
	seen int
	op   string // the last one
}

func newBreaker(getenv func(string) string) *breaker {
	b := &breaker{}
	if spec := getenv(failpointVar); spec != "" {
		mode, n, _ := strings.Cut(spec, ":")
		at, err := strconv.Atoi(n)
		if err != nil {
			panic(fmt.Sprintf("%s=%s: want MODE:N", failpointVar, spec))
		}
		b.mode, b.at = mode, at
	}
	if name := getenv(failpointLogVar); name != "" {
		f, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			panic(err)
		}
		b.log = f
	}
	return b
}

// Point counts the operation, and breaks the run when it is the chosen one.
func Point(op, path string) error {
	b := failpoint()
	b.mu.Lock()
	defer b.mu.Unlock()
	b.seen++
	b.op = op
	if b.log != nil {
		fmt.Fprintf(b.log, "%s %s\n", op, path)
	}
	switch {
	case b.mode == "full" && b.seen >= b.at && needsRoom(op):
		return &fs.PathError{Op: op, Path: path, Err: syscall.ENOSPC}
	case b.seen != b.at:
		return nil
	}
	switch b.mode {
	case "kill":
		die()
	case "torn":
		if op != "write" {
			die()
		}
	case "enospc":
		return &fs.PathError{Op: op, Path: path, Err: syscall.ENOSPC}
	case "eio":
		return &fs.PathError{Op: op, Path: path, Err: syscall.EIO}
	}
	return nil
}

// After kills the process when the operation before it was the chosen one.
func After(err error) error {
	b := failpoint()
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.mode == "after" && b.seen >= b.at {
		die()
	}
	return err
}

// tear ends the process in the middle of a write.
func tear() { die() }

// torn is half of n for the chosen write.
func torn(n int) int {
	b := failpoint()
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.mode == "torn" && b.seen == b.at && b.op == "write" {
		return n / 2
	}
	return n
}

// needsRoom tells the operations that a full disk refuses.
func needsRoom(op string) bool {
	switch op {
	case "create", "write", "mkdir", "link":
		return true
	}
	return false
}

// die ends the process at once: no deferred call, no signal handler runs.
func die() {
	self, err := os.FindProcess(os.Getpid())
	if err = errors.Join(err, self.Kill()); err != nil {
		panic(err)
	}
	select {}
}
