package pack

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/wuu-plugins/wuu/internal/archive"
)

func TestIsNoise(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	random := make([]byte, 200_000)
	for i := range random {
		random[i] = byte(r.Uint32())
	}
	counting := make([]byte, 100_000)
	for i := range counting {
		counting[i] = byte(i)
	}
	skewed := bytes.Clone(random)
	for i := range skewed {
		skewed[i] &= byte(r.Uint32() | 0x7f) // one bit in eight is rarer
	}
	var packed bytes.Buffer
	if err := archive.NewDeflater().Deflate(&packed, bytes.NewReader([]byte(numbers(1, 300_000)))); err != nil {
		t.Fatal(err)
	}
	c := compressor{deflater: archive.NewDeflater()}
	for name, tt := range map[string]struct {
		data []byte
		want bool
	}{
		"random": {random, true}, "little": {random[:noiseMin-1], false}, "just enough": {random[:noiseMin], true},
		"deflated": {packed.Bytes(), true}, "text": {[]byte(numbers(1, 100_000)), false}, "zeros": {make([]byte, 100_000), false},
		"every byte equally often, in order": {counting, false}, "skewed": {skewed, false}, "empty": {nil, false},
	} {
		if got := c.isNoise(tt.data); got != tt.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
