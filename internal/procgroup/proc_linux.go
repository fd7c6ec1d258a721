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
	state  byte // Z is a zombie, X is dead
	parent int
	pgrp   int
	start  string // clock ticks since boot
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
	parent, err := strconv.Atoi(fields[1])
	if err != nil {
		return stat{}, fmt.Errorf("parent in %.80q: %w", raw, err)
	}
	pgrp, err := strconv.Atoi(fields[2])
	if err != nil {
		return stat{}, fmt.Errorf("process group in %.80q: %w", raw, err)
	}
	return stat{state: fields[0][0], parent: parent, pgrp: pgrp, start: fields[19]}, nil
}

func (s stat) living() bool { return s.state != 'Z' && s.state != 'X' }

// groupHasLiving looks at every process; an unreadable /proc counts as living,
// which makes the caller wait rather than leave something behind.
func groupHasLiving(pgrp int) bool {
	all, err := processes()
	if err != nil {
		return true
	}
	for _, s := range all {
		if s.pgrp == pgrp && s.living() {
			return true
		}
	}
	return false
}

// strays are the living descendants of the group's leader that have left the
// group, those of a member of the group included.
func strays(pgrp int) []int {
	all, err := processes()
	if err != nil {
		return nil
	}
	var list []int
	for pid, s := range all {
		if s.pgrp != pgrp && s.living() && descends(all, pid, pgrp) {
			list = append(list, pid)
		}
	}
	return list
}

// descends follows the parents of pid up to one that is in the group.
func descends(all map[int]stat, pid, pgrp int) bool {
	for range len(all) { // parents form no circle, but were not read at one moment
		s, ok := all[pid]
		if !ok {
			return false
		}
		if s.pgrp == pgrp {
			return true
		}
		pid = s.parent
	}
	return false
}

// processes are all that /proc shows, by pid.
func processes() (map[int]stat, error) {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return nil, err
	}
	all := map[int]stat{}
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		if s, err := readStat(pid); err == nil {
			all[pid] = s
		}
	}
	return all, nil
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
