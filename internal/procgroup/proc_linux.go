package procgroup

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
)

func sysProcAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// stat is what /proc/<pid>/stat tells here.
type stat struct {
	state byte // Z is a zombie, X is dead
	pgrp  int
	start string // clock ticks since boot
}

func readStat(pid int) (stat, error) {
	raw, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return stat{}, fmt.Errorf("read state of process %d: %w", pid, err)
	}
	return parseStat(raw)
}

// parseStat skips the command name, which may hold spaces and parentheses.
func parseStat(raw []byte) (stat, error) {
	end := bytes.LastIndexByte(raw, ')')
	fields := strings.Fields(string(raw[end+1:]))
	if end < 0 || len(fields) < 20 || len(fields[0]) != 1 {
		return stat{}, fmt.Errorf("process state %.80q has an unknown form", raw)
	}
	pgrp, err := strconv.Atoi(fields[2])
	if err != nil {
		return stat{}, fmt.Errorf("process group in %.80q: %w", raw, err)
	}
	return stat{state: fields[0][0], pgrp: pgrp, start: fields[19]}, nil
}

func (s stat) living() bool { return s.state != 'Z' && s.state != 'X' }

// groupHasLiving looks at every process; an unreadable /proc counts as living,
// which makes the caller wait rather than leave something behind.
func groupHasLiving(pgrp int) bool {
	dir, err := os.Open("/proc")
	if err != nil {
		return true
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return true
	}
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		if s, err := readStat(pid); err == nil && s.pgrp == pgrp && s.living() {
			return true
		}
	}
	return false
}

// StartTime tells when pid started, as text that no later process with the
// same pid shares: ticks since boot, and which boot.
func StartTime(pid int) (string, error) {
	s, err := readStat(pid)
	if err != nil {
		return "", err
	}
	boot, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return "", fmt.Errorf("read boot id: %w", err)
	}
	return strings.TrimSpace(string(boot)) + ":" + s.start, nil
}

func living(pid int) bool {
	s, err := readStat(pid)
	return err == nil && s.living()
}
