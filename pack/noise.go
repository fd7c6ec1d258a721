package pack

import "bytes"

// noiseMin is the size from which looking first is cheaper than trying, and
// noiseProbe how much of a file is tried, in bytes.
const (
	noiseMin   = 8 << 10
	noiseProbe = 4 << 10
)

// isNoise tells content that compression would not shrink, as images and
// archives are, without compressing all of it: every byte value stands in it
// about as often as any other, and its beginning does not shrink. The rule is
// in whole numbers, so that it is the same on every system: it decides about
// the bytes of a zip.
func (c *compressor) isNoise(raw []byte) bool {
	n := uint64(len(raw))
	if n < noiseMin {
		return false
	}
	var counts [256]uint64
	for _, b := range raw {
		counts[b]++
	}
	var squares uint64
	for _, k := range counts {
		squares += k * k
	}
	// Of random bytes, 256 times the sum is n² + 255n on average.
	if 256*squares > n*n+n*n/64+320*n {
		return false
	}
	c.small.Reset()
	err := c.deflater.Deflate(&c.small, bytes.NewReader(raw[:noiseProbe]))
	return err == nil && c.small.Len() >= noiseProbe
}
