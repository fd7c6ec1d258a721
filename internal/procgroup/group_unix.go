//go:build unix

package procgroup

import (
	"errors"
	"fmt"
	"os/exec"
	"syscall"
	"time"
)

// osGroup needs no state on Unix: the leader's pid names the group.
type osGroup struct{}

func (osGroup) start(cmd *exec.Cmd, _ string) error {
	cmd.SysProcAttr = sysProcAttr()
	return cmd.Start()
}

func (osGroup) close() {}

func (osGroup) terminate(pid int) error { return killGroup(pid, syscall.SIGTERM) }
func (osGroup) kill(pid int) error {
	// Found first: the death of its parent takes a process off the tree.
	strays := strays(pid)
	err := killGroup(pid, syscall.SIGKILL)
	for _, stray := range strays {
		_ = syscall.Kill(stray, syscall.SIGKILL) // gone by itself, or no longer ours to end
	}
	return err
}

func killGroup(pid int, sig syscall.Signal) error {
	err := syscall.Kill(-pid, sig)
	if err == nil || errors.Is(err, syscall.ESRCH) {
		return nil
	}
	// macOS answers EPERM for a group in which only zombies are left.
	if errors.Is(err, syscall.EPERM) && !groupAlive(pid) {
		return nil
	}
	return fmt.Errorf("signal process group %d: %w", pid, err)
}

// endRest kills what the leader left in its group and waits until that is
// gone. The kernel gives a pid to nobody while a group bears it, and the
// leader was reaped a moment ago, so that the group is still ours.
func (osGroup) endRest(pid int) (left bool, err error) {
	if !groupAlive(pid) {
		return false, nil
	}
	deadline := time.Now().Add(restLimit)
	for wait := time.Millisecond; groupAlive(pid); wait = min(2*wait, 50*time.Millisecond) {
		if err := killGroup(pid, syscall.SIGKILL); err != nil {
			return true, err
		}
		if time.Now().After(deadline) {
			return true, fmt.Errorf("process group %d is still alive %s after SIGKILL", pid, restLimit)
		}
		time.Sleep(wait)
	}
	return true, nil
}

// restLimit bounds the wait for killed processes; only one in uninterruptible
// sleep (a dead network mount) takes longer.
const restLimit = 5 * time.Second

// groupAlive reports whether the group has a process that is no zombie:
// orphans stay zombies for ever where process 1 does not reap.
func groupAlive(pid int) bool {
	if err := syscall.Kill(-pid, 0); errors.Is(err, syscall.ESRCH) {
		return false
	}
	return groupHasLiving(pid)
}
