package procgroup_test

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/wuu-plugins/wuu/internal/procgroup"
)

const roleKey = "WUU_PROCGROUP_ROLE"

// TestMain lets the test binary play the processes that the tests start.
func TestMain(m *testing.M) {
	switch part := os.Getenv(roleKey); part {
	case "":
		goleak.VerifyTestMain(m)
	case "stdin": // lives until its stdin ends
		_, _ = io.Copy(io.Discard, os.Stdin)
	case "exit":
		fmt.Println("out")
		fmt.Fprintln(os.Stderr, "err")
		os.Exit(5)
	case "parent", "orphan", "detached": // starts a child in its group, or with one of its own, and tells its pid
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), roleKey+"=sleep")
		child.Stdout = os.Stdout // holds the pipe open
		if part == "detached" {
			child.SysProcAttr = ownSession()
		}
		if err := child.Start(); err != nil {
			panic(err)
		}
		fmt.Println(child.Process.Pid)
		if part != "orphan" {
			hang()
		}
	case "host": // starts a group and tells its leader's pid
		argv, env := role("sleep")
		g, err := procgroup.Start(procgroup.Command{Argv: argv, Env: env, Stdout: os.Stdout})
		if err != nil {
			panic(err)
		}
		fmt.Println(g.PID())
		hang()
	case "sleep":
		hang()
	}
}

func role(name string) (argv, env []string) {
	exe, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return []string{exe}, append(os.Environ(), roleKey+"="+name, "GORACE=atexit_sleep_ms=0")
}

// hang never returns; the runtime would take an empty select for a deadlock.
func hang() {
	for {
		time.Sleep(time.Hour)
	}
}
