// Package archivetest writes archives byte by byte, with every mistake that a
// test asks for: what no writer of a library would produce.
package archivetest

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"strconv"
)

var le = binary.LittleEndian

// Member is one raw tar entry. Zero fields get sound values; Flag 0 is the
// regular file of tars from before POSIX.
type Member struct {
	Name, Body  string // at most 100 bytes of the name fit
	Flag        byte
	Mode, Size  string // raw content of the field
	Magic, Star string // at offsets 257 and 508
	Prefix      string
	BadSum      bool
	Patch       func(header []byte) // before the checksum is computed
}

func (m Member) header() []byte {
	b := make([]byte, 512)
	copy(b[:100], m.Name)
	field := func(at, n int, value, otherwise string) {
		if value == "" {
			value = otherwise
		}
		copy(b[at:at+n], value)
	}
	field(100, 8, m.Mode, "0000644\x00")
	copy(b[108:], "0000000\x000000000\x00")
	field(124, 12, m.Size, fmt.Sprintf("%011o\x00", len(m.Body)))
	copy(b[136:], "00000000000\x00")
	b[156] = m.Flag
	field(257, 8, m.Magic, "ustar\x0000")
	copy(b[345:500], m.Prefix)
	copy(b[508:], m.Star)
	if m.Patch != nil {
		m.Patch(b)
	}
	FixSum(b)
	if m.BadSum {
		b[150]++
	}
	return b
}

func (m Member) bytes() []byte {
	b := append(m.header(), m.Body...)
	return append(b, make([]byte, -len(m.Body)&511)...)
}

// FixSum writes the right checksum into a header block.
func FixSum(header []byte) {
	copy(header[148:156], "        ")
	sum := 0
	for _, c := range header {
		sum += int(c)
	}
	copy(header[148:], fmt.Sprintf("%06o\x00 ", sum))
}

// File is a regular file.
func File(name, body string) Member { return Member{Name: name, Body: body, Flag: '0'} }

// PAX is an extended header ('x' for the next entry, 'g' for all) with records
// as they are.
func PAX(flag byte, records string) Member {
	return Member{Name: "PaxHeaders/x", Flag: flag, Body: records}
}

// Record is one well-formed PAX record.
func Record(key, value string) string {
	rest := " " + key + "=" + value + "\n"
	n := len(rest)
	for n != len(rest)+len(strconv.Itoa(n)) {
		n = len(rest) + len(strconv.Itoa(n))
	}
	return strconv.Itoa(n) + rest
}

// LongName is the GNU header that gives the next entry its name.
func LongName(name string) Member {
	return Member{Name: "././@LongLink", Flag: 'L', Body: name + "\x00", Magic: "ustar  \x00"}
}

// EndMarker is what stands at the end of a tar.
func EndMarker() []byte { return make([]byte, 1024) }

// Tar joins Members, bytes and strings.
func Tar(parts ...any) []byte {
	var b []byte
	for _, p := range parts {
		switch p := p.(type) {
		case Member:
			b = append(b, p.bytes()...)
		case []Member:
			for _, m := range p {
				b = append(b, m.bytes()...)
			}
		case []byte:
			b = append(b, p...)
		case string:
			b = append(b, p...)
		default:
			panic(fmt.Sprintf("archivetest: no part of a tar: %T", p))
		}
	}
	return b
}

// TGZ is a gzipped tar with a proper end.
func TGZ(parts ...any) []byte { return Gzip(Tar(append(parts, EndMarker())...)) }

// Gzip compresses data as one member.
func Gzip(data []byte) []byte {
	var buf bytes.Buffer
	w := gzip.NewWriter(&buf)
	_, _ = w.Write(data) // into memory
	_ = w.Close()
	return buf.Bytes()
}

// StoredGzip wraps data without compressing: cheap enough for fuzzing.
func StoredGzip(data []byte) []byte {
	b := []byte("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff")
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
