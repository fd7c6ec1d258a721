package registry

import "github.com/wuu-plugins/wuu/internal/sri"

// hasher hashes a download beside it: hashing with SHA-512 takes as long as
// receiving and decrypting do. Only write and the methods below may be used
// until close; its owner's goroutine is the only caller.
type hasher struct {
	verifier *sri.Verifier
	n        int64
	work     chan []byte
	free     chan []byte
	done     chan struct{}
}

// The buffers of a hasher: number, bytes of each.
const (
	hashBuffers   = 4
	hashBufferLen = 128 << 10
)

func newHasher(want sri.Integrity) *hasher {
	h := &hasher{
		verifier: sri.NewVerifier(want),
		work:     make(chan []byte, hashBuffers), free: make(chan []byte, hashBuffers), done: make(chan struct{}),
	}
	for range hashBuffers {
		h.free <- nil // made when first needed: most packages are small
	}
	go func() {
		defer close(h.done)
		for p := range h.work {
			_, _ = h.verifier.Write(p) // never fails
			h.free <- p
		}
	}()
	return h
}

// write takes a copy of p.
func (h *hasher) write(p []byte) {
	h.n += int64(len(p))
	for len(p) > 0 {
		b := <-h.free
		if b == nil {
			b = make([]byte, hashBufferLen)
		}
		n := copy(b[:hashBufferLen], p)
		h.work <- b[:n]
		p = p[n:]
	}
}

// sum waits for everything written and returns the verifier.
func (h *hasher) sum() *sri.Verifier {
	var all [hashBuffers][]byte
	for i := range all {
		all[i] = <-h.free
	}
	for _, b := range all {
		h.free <- b
	}
	return h.verifier
}

// reset forgets what was written.
func (h *hasher) reset() {
	h.sum().Reset()
	h.n = 0
}

// close ends the goroutine, after it has hashed everything.
func (h *hasher) close() {
	close(h.work)
	<-h.done
}
