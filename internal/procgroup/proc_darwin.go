package procgroup

import (
	"fmt"
	"syscall"

	"golang.org/x/sys/unix"
)

// zombie is SZOMB of sys/proc.h.
const zombie = 5

func sysProcAttr() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// groupHasLiving counts a list that cannot be had as living, which makes the
// caller wait rather than leave something behind.
func groupHasLiving(pgrp int) bool {
	list, err := unix.SysctlKinfoProcSlice("kern.proc.pgrp", pgrp)
	if err != nil {
		return true
	}
	for _, p := range list {
		if p.Proc.P_stat != zombie {
			return true
		}
	}
	return false
}

// strays are not looked for here.
func strays(int) []int { return nil }

// StartTime tells when pid started, as text that no later process with the
// same pid shares.
func StartTime(pid int) (string, error) {
	p, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil {
		return "", fmt.Errorf("read state of process %d: %w", pid, err)
	}
	if int(p.Proc.P_pid) != pid {
		return "", fmt.Errorf("read state of process %d: no such process", pid)
	}
	return fmt.Sprintf("%d.%06d", p.Proc.P_starttime.Sec, p.Proc.P_starttime.Usec), nil
}

func living(pid int) bool {
	p, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	return err == nil && int(p.Proc.P_pid) == pid && p.Proc.P_stat != zombie
}
