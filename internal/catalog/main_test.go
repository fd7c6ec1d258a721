package catalog_test

import (
	"flag"
	"os"
	"testing"
)

// TestMain keeps the homes in memory where the system offers it: these tests
// commit thousands of times, and what they check is order, not the disk. Set
// TMPDIR to run them elsewhere. The test binary also plays other processes.
func TestMain(m *testing.M) {
	if os.Getenv(playerEnv) != "" {
		play()
		return
	}
	const memory = "/dev/shm"
	if info, err := os.Stat(memory); err == nil && info.IsDir() && os.Getenv("TMPDIR") == "" {
		os.Setenv("TMPDIR", memory)
	}
	flag.Set("rapid.checks", "40") // the command line still overrides it
	os.Exit(m.Run())
}
