package filelock

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

const openFlags = os.O_CREATE

// checkLinks refuses a file that has a second name: the note would be written
// into somebody else's file.
func checkLinks(f *os.File) error {
	var info windows.ByHandleFileInformation
	if err := windows.GetFileInformationByHandle(windows.Handle(f.Fd()), &info); err != nil {
		return err
	}
	if info.NumberOfLinks > 1 {
		return errors.New("is a hard link to another file")
	}
	return nil
}
