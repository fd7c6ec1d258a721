package archive

import (
	"io"

	"github.com/klauspost/compress/flate"
)

// Level is the one compression level of everything wuu writes. It is part of
// the format: another level would change the bytes of every package.
const Level = 5

// Deflater compresses one file after another with the same buffers.
type Deflater struct{ w *flate.Writer }

// NewDeflater returns a Deflater at Level.
func NewDeflater() *Deflater {
	w, err := flate.NewWriter(io.Discard, Level)
	if err != nil {
		panic("archive: " + err.Error()) // Level is a constant that exists
	}
	return &Deflater{w}
}

// Deflate compresses all of src into dst as one raw deflate stream.
func (d *Deflater) Deflate(dst io.Writer, src io.Reader) error {
	d.w.Reset(dst)
	if _, err := io.Copy(readerFromless{d.w}, src); err != nil {
		return err
	}
	return d.w.Close()
}

// readerFromless hides other methods of the writer from io.Copy.
type readerFromless struct{ io.Writer }
