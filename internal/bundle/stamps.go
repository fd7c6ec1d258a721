package bundle

import (
	"crypto/sha256"
	"io/fs"
	"os"
	"time"
)

// stamps are what the inputs of a build looked like. esbuild takes a file of
// the same size and time for the one in its cache, which is wrong after tools
// that restore times.
type stamps map[string]stamp

type stamp struct {
	size int64
	time time.Time
	sum  [sha256.Size]byte
}

// deceptive reports whether an input looks as it did and is another one.
func (s stamps) deceptive() bool {
	for name, old := range s {
		info, err := os.Stat(name)
		if err != nil || !old.looks(info) {
			continue
		}
		if sum, err := hash(name); err == nil && sum != old.sum {
			return true
		}
	}
	return false
}

// update replaces s by the stamps of files, and reads only what has changed.
func (s stamps) update(files []string) stamps {
	next := make(stamps, len(files))
	for _, name := range files {
		info, err := os.Stat(name)
		if err != nil {
			continue
		}
		if old, known := s[name]; known && old.looks(info) {
			next[name] = old
			continue
		}
		if sum, err := hash(name); err == nil {
			next[name] = stamp{info.Size(), info.ModTime(), sum}
		}
	}
	return next
}

func (s stamp) looks(info fs.FileInfo) bool {
	return s.size == info.Size() && s.time.Equal(info.ModTime())
}

func hash(name string) ([sha256.Size]byte, error) {
	content, err := os.ReadFile(name)
	return sha256.Sum256(content), err
}
