package pack

import (
	"bytes"
	"sync"
)

// holder keeps small files in memory, as long as there is room for them.
type holder struct {
	mu    sync.Mutex
	room  int64
	files map[string][]byte
}

// take keeps a copy of content when there is room.
func (h *holder) take(path string, content []byte) {
	n := int64(len(content))
	h.mu.Lock()
	fits := n <= h.room
	if fits {
		h.room -= n
	}
	h.mu.Unlock()
	if !fits || h.files == nil {
		return
	}
	b := bytes.Clone(content)
	h.mu.Lock()
	h.files[path] = b
	h.mu.Unlock()
}
