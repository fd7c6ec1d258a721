//go:build unix

package devwatch

import (
	"io/fs"
	"syscall"
)

var errNotDir error = syscall.ENOTDIR

// identity is the inode and the time of its last change.
func identity(info fs.FileInfo) (inode uint64, change int64) {
	st, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, 0
	}
	return st.Ino, changeTime(st)
}
