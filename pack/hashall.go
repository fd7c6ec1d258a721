package pack

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"hash"
	"io"
	"os"
	"path"
	"sync"

	"github.com/wuu-plugins/wuu/internal/fsx"
)

// hashWorkers is how many goroutines read files. The disk cache feeds two
// cores well; the result does not depend on it.
const hashWorkers = 2

// batchSize is how many files of one folder a worker takes at once: opening
// the folder once for all of them makes each file a single open.
const batchSize = 64

// hashAll reads every candidate once: hash, size, whether it is executable,
// and the content of the few JSON files that are kept.
func hashAll(ctx context.Context, root *os.Root, found []candidate, overlay map[string][]byte, held *holder) ([]File, map[string][]byte, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	files := make([]File, len(found))
	kept := map[string][]byte{}
	var mu sync.Mutex // guards kept
	work := make(chan [2]int)
	var group sync.WaitGroup
	for range hashWorkers {
		group.Go(func() {
			h := hasher{root: root, held: held, folders: fsx.NewFolders(root), sum: sha256.New(), buf: make([]byte, chunkSize)}
			defer h.folders.Close()
			for span := range work {
				err := h.batch(ctx, found[span[0]:span[1]], files[span[0]:span[1]], overlay, func(path string, doc []byte) {
					mu.Lock()
					kept[path] = doc
					mu.Unlock()
				})
				if err != nil {
					cancel(err)
				}
			}
		})
	}
	for from := 0; from < len(found); {
		to := from + 1
		for to < len(found) && to-from < batchSize && path.Dir(found[to].disk) == path.Dir(found[from].disk) {
			to++
		}
		work <- [2]int{from, to}
		from = to
	}
	close(work)
	group.Wait()
	if ctx.Err() != nil {
		return nil, nil, context.Cause(ctx)
	}
	return files, kept, nil
}

type hasher struct {
	root    *os.Root
	held    *holder
	folders *fsx.Folders
	sum     hash.Hash
	buf     []byte
}

// batch hashes files that share a folder.
func (h *hasher) batch(ctx context.Context, found []candidate, files []File, overlay map[string][]byte, keep func(string, []byte)) error {
	var dir *fsx.Folder
	defer func() {
		if dir != nil {
			dir.Close()
		}
	}()
	for i, c := range found {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		files[i].Path = c.path
		if c.overlay {
			doc := overlay[c.path]
			if err := h.read(bytes.NewReader(doc), &files[i], keep, new(holder)); err != nil {
				return err
			}
			continue
		}
		if dir == nil {
			var err error
			if dir, err = h.folders.Open(path.Dir(c.disk)); err != nil {
				return vanished(c.path, err)
			}
		}
		if err := h.open(dir, c, &files[i], keep); err != nil {
			return vanished(c.path, err)
		}
	}
	return nil
}

func (h *hasher) open(dir *fsx.Folder, c candidate, file *File, keep func(string, []byte)) error {
	if f, err := dir.Open(path.Base(c.disk)); err == nil {
		defer f.Close()
		return h.read(f, file, keep, h.held)
	}
	// A link may lead to another folder inside the root.
	f, err := h.root.Open(c.disk)
	if err != nil {
		return err
	}
	defer f.Close()
	return h.read(f, file, keep, h.held)
}

// read fills file from its content.
func (h *hasher) read(r io.Reader, file *File, keep func(string, []byte), held *holder) error {
	h.sum.Reset()
	var doc []byte
	keeping := keptJSON(file.Path)
	for first := true; ; first = false {
		n, err := fill(r, h.buf)
		if first {
			file.Exec = executable(h.buf[:n])
		}
		h.sum.Write(h.buf[:n])
		file.Size += int64(n)
		if first && errors.Is(err, io.EOF) {
			held.take(file.Path, h.buf[:n])
		}
		if keeping && len(doc) <= maxJSON {
			doc = append(doc, h.buf[:n]...)
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
	}
	h.sum.Sum(file.SHA256[:0])
	if keeping {
		keep(file.Path, doc)
	}
	return nil
}
