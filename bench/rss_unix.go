//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// peakMemory is ru_maxrss, which Linux counts in KiB and macOS in bytes.
func peakMemory(state *os.ProcessState) int64 {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return int64(usage.Maxrss) //nolint:unconvert // an int32 on some systems
	}
	return int64(usage.Maxrss) << 10 //nolint:unconvert // an int32 on some systems
}
