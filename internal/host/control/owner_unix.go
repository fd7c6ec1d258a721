//go:build unix

package control

import (
	"io/fs"
	"os"
	"syscall"
)

// foreign says why others could reach into the folder; "" when they cannot.
func foreign(info fs.FileInfo) string {
	if s, ok := info.Sys().(*syscall.Stat_t); !ok || int(s.Uid) != os.Getuid() {
		return "belongs to another user"
	}
	if info.Mode().Perm()&0o077 != 0 {
		return "is open to other users"
	}
	return ""
}
