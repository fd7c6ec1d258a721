package procgroup

// Alive reports whether the process that had pid when StartTime gave start
// still runs: a pid alone proves nothing, since pids are used again. A zombie
// does not run.
func Alive(pid int, start string) bool {
	if pid <= 0 || !living(pid) {
		return false
	}
	now, err := StartTime(pid)
	return err == nil && now == start
}
