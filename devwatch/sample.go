package devwatch

import (
	"crypto/sha256"
	"errors"
	"io"
	"io/fs"
	"os"
	"time"
)

// kind is what stands at a path.
type kind uint8

const (
	none kind = iota // nothing
	file
	link
	dir
	other // device, socket, pipe: not watched
)

// sample is what one look at a path shows, without its content. Two equal
// samples some time apart mean that nobody writes. change is the time of the
// last change of the inode where the system keeps one: it tells a write whose
// modification time was set back.
type sample struct {
	kind   kind
	size   int64
	mtime  int64 // ns since 1970
	change int64
	inode  uint64
}

// look takes a sample without following links. ok is false when the system
// will not say, which is not the same as nothing there.
func look(path string) (s sample, ok bool) {
	info, err := os.Lstat(path)
	switch {
	case err == nil:
		return sampleOf(info), true
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, errNotDir):
		return sample{}, true
	}
	return sample{}, false
}

func sampleOf(info fs.FileInfo) sample {
	s := sample{size: info.Size(), mtime: info.ModTime().UnixNano()}
	s.inode, s.change = identity(info)
	switch mode := info.Mode(); {
	case mode.IsRegular():
		s.kind = file
	case mode.IsDir():
		return sample{kind: dir, inode: s.inode}
	case mode&fs.ModeSymlink != 0:
		s.kind = link
	default:
		s.kind = other
	}
	return s
}

// entry is what is known of a file: the content that the last batch, or the
// first snapshot, saw.
type entry struct {
	sample
	hash    [32]byte
	checked int64 // when the content was read, ns since 1970
}

// young is how close to its reading a file's time may lie without a later
// write being told apart by it: file systems keep whole or two seconds.
const young = 2 * time.Second

// doubtful reports whether the file may have changed since it was read without
// its sample showing it.
func (e entry) doubtful() bool { return e.mtime > e.checked-int64(young) }

// content reads and hashes a file, or the target of a link. Content that
// cannot be read has the zero hash.
func content(path string, s sample) (e entry, err error) {
	e = entry{sample: s, checked: time.Now().UnixNano()}
	switch s.kind {
	case link:
		target, err := os.Readlink(path)
		if err != nil {
			return e, err
		}
		e.hash = sha256.Sum256([]byte("link " + target))
	case file:
		f, err := os.Open(path)
		if err != nil {
			return e, err
		}
		defer f.Close()
		sum := sha256.New()
		if _, err := io.Copy(sum, f); err != nil {
			return e, err
		}
		sum.Sum(e.hash[:0])
	}
	return e, nil
}
