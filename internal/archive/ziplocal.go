package archive

import (
	"bytes"
	"fmt"
	"io"
)

// local reads the local header of e, which must say what the directory says,
// and prepares the content. A bad header is reported; Read then refuses.
func (z *zipReader) local(e *zipEntry) error {
	var b [localLen]byte
	if _, err := io.ReadFull(z.raw, b[:]); err != nil {
		return z.shortLocal()
	}
	if !bytes.HasPrefix(b[:], localSig) {
		return z.breakBody("ZIP_HEADER_MISMATCH", "the directory points to a place where no entry starts")
	}
	nameLen, extraLen := int(le.Uint16(b[26:])), int(le.Uint16(b[28:]))
	if e.offset+localLen+int64(nameLen+extraLen)+e.packed > z.nextOffset() {
		return z.breakBody("ZIP_OVERLAP", "the entry reaches into the next one")
	}
	rest := make([]byte, nameLen+extraLen)
	if _, err := io.ReadFull(z.raw, rest); err != nil {
		return z.shortLocal()
	}
	z.pos = e.offset + localLen + int64(len(rest))
	name, extra := rest[:nameLen], rest[nameLen:]
	if what := e.differs(&b, name); what != "" {
		return z.breakBody("ZIP_HEADER_MISMATCH", "the local header and the directory differ in the "+what)
	}
	if renames(extra, name) {
		return z.breakBody("ZIP_EXTRA_NAME", "an extra field gives the entry another name")
	}
	if e.nameWasCut {
		return z.breakBody("PATH_TOO_LONG", fmt.Sprintf("the path has %d bytes", nameLen))
	}
	if e.bad {
		return z.breakBody("", "")
	}
	z.open(e)
	return nil
}

func (z *zipReader) shortLocal() error {
	if z.src.err != nil {
		return z.src.err
	}
	return z.breakBody("ZIP_HEADER_MISMATCH", "the directory points to a place where no entry fits")
}

// differs names the first field in which the local header disagrees with the
// directory. A streamed entry has zeros there and a descriptor after its data.
func (e *zipEntry) differs(b *[localLen]byte, name []byte) string {
	flags := le.Uint16(b[6:])
	crc, packed, size := le.Uint32(b[14:]), int64(le.Uint32(b[18:])), int64(le.Uint32(b[22:]))
	streamed := flags&flagDescriptor != 0
	switch {
	case string(name[:min(len(name), keptName)]) != e.name || e.nameWasCut != (len(name) > keptName):
		return "name"
	case flags&flagsCompared != e.flags&flagsCompared:
		return "flags"
	case le.Uint16(b[8:]) != e.method:
		return "method"
	case crc != e.crc && !(streamed && crc == 0):
		return "checksum"
	case packed != e.packed && !(streamed && packed == 0):
		return "compressed size"
	case size != e.size && !(streamed && size == 0):
		return "size"
	}
	return ""
}

// complete checks what is known at the end of the content. n is what the last
// read returned.
func (z *zipReader) complete(n int) (int, error) {
	e := z.cur
	left := z.body.N
	if e.method == 8 {
		left += int64(z.inflate.Buffered())
	}
	switch {
	case z.read != e.size:
		return 0, z.breakBody("ZIP_SIZE", fmt.Sprintf("the content has %d bytes, %d are declared", z.read, e.size))
	case left != 0:
		return 0, z.breakBody("ZIP_SIZE", fmt.Sprintf("%d bytes follow the compressed data inside the entry", left))
	case z.sum.Sum32() != e.crc:
		return 0, z.breakBody("ZIP_CRC", "the checksum of the content is wrong")
	}
	z.pos += e.packed
	if e.flags&flagDescriptor != 0 {
		if err := z.descriptor(e); err != nil {
			return 0, err
		}
	}
	z.state = bodySound
	if n > 0 {
		return n, nil
	}
	return 0, io.EOF
}

// descriptor reads the record after a streamed entry: an optional signature,
// checksum and both sizes.
func (z *zipReader) descriptor(e *zipEntry) error {
	n := z.nextOffset() - z.pos
	if n != 12 && n != 16 {
		return z.breakBody("ZIP_DESCRIPTOR", "no data descriptor follows the streamed entry")
	}
	b := make([]byte, n)
	if _, err := io.ReadFull(z.raw, b); err != nil {
		if z.src.err != nil {
			return z.src.err
		}
		return z.breakBody("ZIP_DESCRIPTOR", "the data descriptor is cut off")
	}
	z.pos += n
	if n == 16 && !bytes.HasPrefix(b, descSig) {
		return z.breakBody("ZIP_DESCRIPTOR", "no data descriptor follows the streamed entry")
	}
	b = b[n-12:]
	if le.Uint32(b) != e.crc || int64(le.Uint32(b[4:])) != e.packed || int64(le.Uint32(b[8:])) != e.size {
		return z.breakBody("ZIP_DESCRIPTOR", "the data descriptor and the directory differ")
	}
	return nil
}
