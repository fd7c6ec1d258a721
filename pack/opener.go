package pack

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"syscall"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/fsx"
)

// opener reads the files of a package one after another and compares each with
// what was hashed when the package was opened. It keeps the folder of the last
// file open, since the next one mostly is its neighbour. Not for concurrent use.
type opener struct {
	content content
	dir     string
	folders *fsx.Folders
	cur     *fsx.Folder
	buf     []byte
}

func (o *opener) close() {
	if o.cur != nil {
		o.cur.Close()
	}
	if o.folders != nil {
		o.folders.Close()
	}
}

func (o *opener) open(name string) (io.ReadCloser, error) {
	r, err := o.find(name)
	return r, vanished(name, err)
}

func (o *opener) find(name string) (io.ReadCloser, error) {
	d, ok := o.content.(dirContent)
	if !ok {
		return o.content.open(name)
	}
	if b, ok := d.inMemory(name); ok {
		return io.NopCloser(bytes.NewReader(b)), nil
	}
	disk := d.onDisk(name)
	dir, base := path.Split(disk)
	if dir == "" {
		return d.root.Open(base)
	}
	if o.cur == nil || o.dir != dir {
		if err := o.enter(d.root, dir); err != nil {
			return nil, err
		}
	}
	if f, err := o.cur.Open(base); err == nil {
		return f, nil
	}
	return d.root.Open(disk) // a link out of its folder, but not out of the root
}

// enter makes dir the open folder.
func (o *opener) enter(root *os.Root, dir string) error {
	if o.folders == nil {
		o.folders = fsx.NewFolders(root)
	}
	if o.cur != nil {
		o.cur.Close()
	}
	var err error
	if o.cur, err = o.folders.Open(path.Clean(dir)); err != nil {
		o.cur = nil
		return err
	}
	o.dir = dir
	return nil
}

// read returns the whole content of f, in buf when there is room.
func (o *opener) read(f File, buf []byte) ([]byte, error) {
	if b, ok := o.inMemory(f); ok {
		return append(buf[:0], b...), nil
	}
	r, err := o.open(f.Path)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	buf = slices.Grow(buf[:0], int(f.Size)+1)[:f.Size+1] // one more shows that it grew
	n, err := fill(r, buf)
	if err != nil && err != io.EOF {
		return nil, vanished(f.Path, err)
	}
	if int64(n) != f.Size || sha256.Sum256(buf[:n]) != f.SHA256 {
		return nil, changed(f)
	}
	return buf[:n], nil
}

func (o *opener) inMemory(f File) ([]byte, bool) {
	d, ok := o.content.(dirContent)
	if !ok {
		return nil, false
	}
	return d.inMemory(f.Path)
}

// copy writes the content of f to w. Bytes of a changed file reach w before
// the error does.
func (o *opener) copy(w io.Writer, f File) error {
	if b, ok := o.inMemory(f); ok {
		_, err := w.Write(b)
		return err
	}
	r, err := o.open(f.Path)
	if err != nil {
		return err
	}
	defer r.Close()
	if o.buf == nil {
		o.buf = make([]byte, chunkSize)
	}
	sum := sha256.New()
	for left := f.Size; ; {
		n, err := fill(r, o.buf)
		if left -= int64(n); left < 0 {
			return changed(f)
		}
		sum.Write(o.buf[:n])
		if _, err := w.Write(o.buf[:n]); err != nil {
			return err
		}
		switch {
		case err == io.EOF && (left > 0 || [32]byte(sum.Sum(nil)) != f.SHA256):
			return changed(f)
		case err == io.EOF:
			return nil
		case err != nil:
			return vanished(f.Path, err)
		}
	}
}

// Changed reports whether err, of this package, says that a file changed or
// went away while it was being read: another try may succeed.
func Changed(err error) bool {
	var f *fault.Error
	return errors.As(err, &f) && f.Code == "FILE_CHANGED"
}

func changed(f File) error {
	return fault.New(fault.Usage, "FILE_CHANGED", f.Path, "the file changed while it was being read").
		WithHint("run the command again once nothing writes to the folder")
}

// vanished is err, but a change where name, which was there a moment ago, is
// not there any more, or is a folder now, or its folder a file.
func vanished(name string, err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.EISDIR) || errors.Is(err, syscall.ENOTDIR) {
		return changed(File{Path: name})
	}
	return err
}
