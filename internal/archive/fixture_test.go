package archive_test

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"testing"

	"github.com/wuu-plugins/wuu/internal/archive"
)

// limits are small enough for tests and large enough for every fixture that
// is not about them.
var limits = archive.Limits{Archive: 4 << 20, Unpacked: 8 << 20, Entries: 100, Ratio: 200}

// got is what a reader made of an archive.
type got struct {
	codes   []string // refusals, then notes in parentheses, in order
	entries []archive.Entry
	content []string // of the entries that could be read to their end
}

func read(t testing.TB, data []byte, o archive.Options) got {
	t.Helper()
	var g got
	if o.Limits == (archive.Limits{}) {
		o.Limits = limits
	}
	o.Report = func(p archive.Problem) {
		if p.Code == "" || p.Message == "" {
			t.Errorf("empty report %+v", p)
		}
		code := p.Code
		if p.Note {
			code = "(" + code + ")"
		}
		g.codes = append(g.codes, code)
	}
	r, err := archive.Open(bytes.NewReader(data), int64(len(data)), o)
	if errors.Is(err, archive.ErrRefused) {
		return g
	}
	if err != nil {
		t.Fatal(err)
	}
	for {
		e, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(r)
		switch {
		case err == nil:
			g.content = append(g.content, string(body))
		case !errors.Is(err, archive.ErrRefused):
			t.Fatal(err)
		}
		g.entries = append(g.entries, *e)
	}
	if _, err := r.Next(); err != io.EOF {
		t.Errorf("Next after the end = %v", err)
	}
	return g
}

// member is one raw tar entry; zero fields get sound values.
type member struct {
	name, body  string
	flag        byte
	mode, size  string // octal or raw field content
	magic, star string
	prefix      string
	badSum      bool
}

func (m member) block() []byte {
	b := make([]byte, 512)
	copy(b, m.name)
	field := func(at, n int, value, otherwise string) {
		if value == "" {
			value = otherwise
		}
		copy(b[at:at+n], value)
	}
	field(100, 8, m.mode, "0000644\x00")
	copy(b[108:], "0000000\x000000000\x00")
	field(124, 12, m.size, fmt.Sprintf("%011o\x00", len(m.body)))
	copy(b[136:], "00000000000\x00        ")
	b[156] = m.flag
	field(257, 8, m.magic, "ustar\x0000")
	copy(b[345:], m.prefix)
	copy(b[508:], m.star)
	sum := 0
	for _, c := range b {
		sum += int(c)
	}
	if m.badSum {
		sum++
	}
	copy(b[148:], fmt.Sprintf("%06o\x00 ", sum))
	return b
}

func (m member) bytes() []byte {
	b := append(m.block(), m.body...)
	return append(b, make([]byte, -len(m.body)&511)...)
}

func file(name, body string) member { return member{name: name, body: body, flag: '0'} }

func pax(flag byte, records string) member {
	return member{name: "PaxHeaders/x", flag: flag, body: records}
}

var endMarker = make([]byte, 1024)

// tarOf joins members and raw bytes.
func tarOf(parts ...any) []byte {
	var b []byte
	for _, p := range parts {
		switch p := p.(type) {
		case member:
			b = append(b, p.bytes()...)
		case []byte:
			b = append(b, p...)
		case string:
			b = append(b, p...)
		}
	}
	return b
}

// gzStored wraps without compressing: cheap enough for fuzzing.
func gzStored(data []byte) []byte {
	b := []byte("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff")
	le := binary.LittleEndian
	for rest := data; ; {
		n := min(len(rest), 0xffff)
		last := byte(0)
		if n == len(rest) {
			last = 1
		}
		b = le.AppendUint16(append(b, last), uint16(n))
		b = append(le.AppendUint16(b, ^uint16(n)), rest[:n]...)
		if rest = rest[n:]; last == 1 {
			break
		}
	}
	return le.AppendUint32(le.AppendUint32(b, crc32.ChecksumIEEE(data)), uint32(len(data)))
}

func gz(data []byte) []byte {
	var buf bytes.Buffer
	w := gzip.NewWriter(&buf)
	w.Write(data)
	w.Close()
	return buf.Bytes()
}

// tgzOf is a gzipped tar with a proper end.
func tgzOf(parts ...any) []byte { return gz(tarOf(append(parts, endMarker)...)) }

// zentry is one raw zip entry; zero fields get sound values.
type zentry struct {
	name, body    string
	local         string // other name in the local header
	deflated      bool
	method        uint16 // when not 0 or 8
	flags         uint16
	crc           uint32 // other checksum in both headers
	size          uint32 // other size in both headers
	packed        []byte // other packed bytes
	extra         []byte
	mode          uint32 // Unix mode, 0100644 by default
	creator       uint16
	descriptor    []byte // follows the data; the local header then holds zeros
	patch         func(local, central []byte)
	before, after []byte
}

func (z zentry) write(out *bytes.Buffer) (central []byte) {
	packed, method := []byte(z.body), z.method
	if z.deflated {
		var buf bytes.Buffer
		w, _ := flate.NewWriter(&buf, 6)
		w.Write(packed)
		w.Close()
		packed, method = buf.Bytes(), 8
	}
	if z.packed != nil {
		packed = z.packed
	}
	crc, size := crc32.ChecksumIEEE([]byte(z.body)), uint32(len(z.body))
	if z.crc != 0 {
		crc = z.crc
	}
	if z.size != 0 {
		size = z.size
	}
	flags := z.flags | 1<<11
	out.Write(z.before)
	offset := uint32(out.Len())
	lname := z.name
	if z.local != "" {
		lname = z.local
	}
	if z.descriptor != nil {
		flags |= 8
	}
	le := binary.LittleEndian
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
		return le.AppendUint16(b, uint16(len(z.extra)))
	}
	local := append([]byte("PK\x03\x04"), common(lname, z.descriptor != nil)...)
	local = append(append(local, lname...), z.extra...)
	creator, mode := z.creator, z.mode
	if creator == 0 {
		creator = 3<<8 | 30
	}
	if mode == 0 {
		mode = 0o100644
	}
	central = le.AppendUint16([]byte("PK\x01\x02"), creator)
	central = append(central, common(z.name, false)...)
	central = append(central, make([]byte, 6)...) // comment, disk, internal
	central = le.AppendUint32(central, mode<<16)
	central = le.AppendUint32(central, offset)
	central = append(append(central, z.name...), z.extra...)
	if z.patch != nil {
		z.patch(local, central)
	}
	out.Write(local)
	out.Write(packed)
	out.Write(z.descriptor)
	out.Write(z.after)
	return central
}

// zipOf writes a zip; tail may change the directory and the end record.
func zipOf(tail func(dir, end []byte) (newDir, newEnd []byte), entries ...zentry) []byte {
	var out bytes.Buffer
	var dir []byte
	for _, z := range entries {
		dir = append(dir, z.write(&out)...)
	}
	le := binary.LittleEndian
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

func descriptor(signed bool, body string, crcDelta uint32) []byte {
	var b []byte
	if signed {
		b = []byte("PK\x07\x08")
	}
	le := binary.LittleEndian
	b = le.AppendUint32(b, crc32.ChecksumIEEE([]byte(body))+crcDelta)
	b = le.AppendUint32(b, uint32(len(body)))
	return le.AppendUint32(b, uint32(len(body)))
}
