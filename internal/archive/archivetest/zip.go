package archivetest

import (
	"bytes"
	"compress/flate"
	"hash/crc32"
)

// ZipEntry is one raw zip entry; zero fields get sound values.
type ZipEntry struct {
	Name, Body    string
	Local         string // other name in the local header
	Deflated      bool
	Method        uint16 // when not stored or Deflated
	Flags         uint16
	Bytes         bool   // leave out the flag that names are UTF-8
	CRC           uint32 // other checksum in both headers
	Size          uint32 // other size in both headers
	Packed        []byte // other packed bytes
	Extra         []byte // in both headers
	Mode          uint32 // Unix mode, 0100644 by default
	Creator       uint16
	Descriptor    []byte // follows the data; the local header then holds zeros
	Patch         func(local, central []byte)
	Before, After []byte
}

func (z ZipEntry) write(out *bytes.Buffer) (central []byte) {
	out.Write(z.Before)
	offset := uint32(out.Len())
	local, central, packed := z.records(offset)
	if z.Patch != nil {
		z.Patch(local, central)
	}
	out.Write(local)
	out.Write(packed)
	out.Write(z.Descriptor)
	out.Write(z.After)
	return central
}

// records are the two headers and the packed bytes.
func (z ZipEntry) records(offset uint32) (local, central, packed []byte) {
	packed, method := []byte(z.Body), z.Method
	if z.Deflated {
		packed, method = Deflate([]byte(z.Body)), 8
	}
	if z.Packed != nil {
		packed = z.Packed
	}
	crc, size := crc32.ChecksumIEEE([]byte(z.Body)), uint32(len(z.Body))
	if z.CRC != 0 {
		crc = z.CRC
	}
	if z.Size != 0 {
		size = z.Size
	}
	flags := z.Flags
	if !z.Bytes {
		flags |= 1 << 11
	}
	if z.Descriptor != nil {
		flags |= 1 << 3
	}
	common := func(name string, streamed bool) []byte {
		b := le.AppendUint16(nil, 20)
		b = le.AppendUint16(b, flags)
		b = le.AppendUint16(b, method)
		b = le.AppendUint32(b, 0x210000)
		if streamed {
			b = append(b, make([]byte, 12)...)
		} else {
			b = le.AppendUint32(b, crc)
			b = le.AppendUint32(b, uint32(len(packed)))
			b = le.AppendUint32(b, size)
		}
		b = le.AppendUint16(b, uint16(len(name)))
		return le.AppendUint16(b, uint16(len(z.Extra)))
	}
	name := z.Name
	if z.Local != "" {
		name = z.Local
	}
	local = append([]byte("PK\x03\x04"), common(name, z.Descriptor != nil)...)
	local = append(append(local, name...), z.Extra...)
	creator, mode := z.Creator, z.Mode
	if creator == 0 {
		creator = 3<<8 | 30
	}
	if mode == 0 {
		mode = 0o100644
	}
	central = le.AppendUint16([]byte("PK\x01\x02"), creator)
	central = append(central, common(z.Name, false)...)
	central = append(central, make([]byte, 6)...) // comment, disk, internal
	central = le.AppendUint32(central, mode<<16)
	central = le.AppendUint32(central, offset)
	return local, append(append(central, z.Name...), z.Extra...), packed
}

// Deflate is data as one raw deflate stream.
func Deflate(data []byte) []byte {
	var buf bytes.Buffer
	w, _ := flate.NewWriter(&buf, 6)
	_, _ = w.Write(data) // into memory
	_ = w.Close()
	return buf.Bytes()
}

// Zip writes a zip; tail, when not nil, may change the directory and the end
// record.
func Zip(tail func(dir, end []byte) (newDir, newEnd []byte), entries ...ZipEntry) []byte {
	var out bytes.Buffer
	var dir []byte
	for _, z := range entries {
		dir = append(dir, z.write(&out)...)
	}
	end := append([]byte("PK\x05\x06"), 0, 0, 0, 0)
	end = le.AppendUint16(end, uint16(len(entries)))
	end = le.AppendUint16(end, uint16(len(entries)))
	end = le.AppendUint32(end, uint32(len(dir)))
	end = le.AppendUint32(end, uint32(out.Len()))
	end = append(end, 0, 0)
	if tail != nil {
		dir, end = tail(dir, end)
	}
	out.Write(dir)
	out.Write(end)
	return out.Bytes()
}

// Comment is a tail that gives the zip a comment.
func Comment(text string) func(dir, end []byte) (newDir, newEnd []byte) {
	return func(dir, end []byte) ([]byte, []byte) {
		le.PutUint16(end[20:], uint16(len(text)))
		return dir, append(end, text...)
	}
}

// PatchEnd is a tail that changes the end record alone.
func PatchEnd(change func(end []byte) []byte) func(dir, end []byte) (newDir, newEnd []byte) {
	return func(dir, end []byte) ([]byte, []byte) { return dir, change(end) }
}

// Descriptor is the record after the data of a streamed, stored entry; its
// checksum is off by crcDelta.
func Descriptor(signed bool, body string, crcDelta uint32) []byte {
	var b []byte
	if signed {
		b = []byte("PK\x07\x08")
	}
	b = le.AppendUint32(b, crc32.ChecksumIEEE([]byte(body))+crcDelta)
	b = le.AppendUint32(b, uint32(len(body)))
	return le.AppendUint32(b, uint32(len(body)))
}

// Extra is one extra field.
func Extra(id uint16, data []byte) []byte {
	return append(le.AppendUint16(le.AppendUint16(nil, id), uint16(len(data))), data...)
}

// UnicodePath is the Info-ZIP field that gives an entry whose header says
// header another name.
func UnicodePath(header, name string) []byte {
	data := le.AppendUint32([]byte{1}, crc32.ChecksumIEEE([]byte(header)))
	return Extra(0x7075, append(data, name...))
}

// Sum is the checksum of the body.
func (z ZipEntry) Sum() uint32 { return crc32.ChecksumIEEE([]byte(z.Body)) }

// SizeOf is the number of bytes that entries take before the directory: the
// offset of the next one.
func SizeOf(entries ...ZipEntry) int {
	var out bytes.Buffer
	for _, z := range entries {
		z.write(&out)
	}
	return out.Len()
}
