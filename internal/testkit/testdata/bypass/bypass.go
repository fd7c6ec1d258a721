// Package bypass goes around fsx.Point in every way that TestPoints has to see.
package bypass

import (
	"fmt"
	"io"
	"os"

	"github.com/wuu-plugins/wuu/internal/fsx"
)

func around(root *os.Root, f *os.File, in io.Reader) {
	os.Rename("a", "b")
	os.OpenFile("a", os.O_WRONLY|os.O_CREATE, 0o600)
	root.Mkdir("a", 0o700)
	f.Sync()
	f.WriteString("a")
	io.Copy(f, in)
	fmt.Fprintln(f, "a")
	func() { os.Remove("a") }()
}

func through(f *os.File) error {
	if err := fsx.Point("write", f.Name()); err != nil {
		return err
	}
	_, err := f.WriteString("a")
	return fsx.After(err)
}

func reads(root *os.Root) {
	os.OpenFile("a", os.O_RDONLY, 0)
	root.OpenFile("a", os.O_RDONLY, 0)
	fsx.RenameNow("a", "b")
}

var _, _, _ = around, through, reads
