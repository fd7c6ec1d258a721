//go:build unix

package filelock

import (
	"errors"
	"os"
	"syscall"
)

// openFlags create the file and follow no link that was put there meanwhile.
const openFlags = os.O_CREATE | syscall.O_NOFOLLOW

// checkLinks refuses a file that has a second name: the note would be written
// into somebody else's file.
func checkLinks(f *os.File) error {
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if st, ok := info.Sys().(*syscall.Stat_t); ok && st.Nlink > 1 {
		return errors.New("is a hard link to another file")
	}
	return nil
}
