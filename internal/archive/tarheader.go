package archive

import (
	"bytes"
	"fmt"
	"strings"
)

const block = 512

// tarHeader is one header block, before extensions apply.
type tarHeader struct {
	name string
	flag byte
	mode uint32
	size int64
}

// parseHeader reads one block that is not all zero. The problem has no entry
// name when the block cannot be trusted; the header is then unusable.
func parseHeader(b *[block]byte) (tarHeader, *Problem) {
	if sum, ok := octal(b[148:156]); !ok || sum != checksum(b) {
		return tarHeader{}, &Problem{Code: "TAR_CHECKSUM", Message: "the checksum of a tar header is wrong"}
	}
	h := tarHeader{name: cString(b[:100]), flag: b[156]}
	if string(b[257:263]) == "ustar\x00" {
		prefix := b[345:500]
		if string(b[508:512]) == "tar\x00" { // the dialect of star keeps times there
			prefix = b[345:476]
		}
		if s := cString(prefix); s != "" {
			h.name = s + "/" + h.name
		}
	}
	size, ok := octal(b[124:136])
	if !ok {
		message := "the size in a tar header is not a number"
		if b[124]&0x80 != 0 {
			message = "the size in a tar header is binary, as only files beyond 8 GiB need it"
		}
		return tarHeader{}, &Problem{Code: "TAR_SIZE", Entry: h.name, Message: message}
	}
	h.size = size
	mode, ok := octal(b[100:108])
	if !ok {
		return tarHeader{}, &Problem{Code: "TAR_HEADER", Entry: h.name, Message: "the mode in a tar header is not an octal number"}
	}
	h.mode = uint32(mode & 0o7777)
	return h, nil
}

// checksum is the sum of all bytes with the checksum field read as spaces.
func checksum(b *[block]byte) int64 {
	var sum int64
	for i, c := range b {
		if i >= 148 && i < 156 {
			c = ' '
		}
		sum += int64(c)
	}
	return sum
}

// octal reads a number field: octal digits with spaces or NULs around them.
// An empty field is 0.
func octal(field []byte) (int64, bool) {
	field = bytes.Trim(field, " \x00")
	var n int64
	for _, c := range field {
		if c < '0' || c > '7' {
			return 0, false
		}
		n = n<<3 | int64(c-'0') // at most 12 digits: 36 bits
	}
	return n, true
}

func cString(b []byte) string {
	if i := bytes.IndexByte(b, 0); i >= 0 {
		b = b[:i]
	}
	return string(b)
}

// entry applies the type flag. Only the flags of regular files and folders
// lead to a kind that a package may hold.
func (h tarHeader) entry() *Entry {
	e := &Entry{Name: h.name, Size: h.size, Mode: h.mode, HasMode: true}
	switch h.flag {
	case '0', '7':
		e.Kind = File
	case 0:
		// Before POSIX a trailing slash was the only sign of a folder.
		if strings.HasSuffix(e.Name, "/") {
			e.Kind = Dir
		}
	case '5':
		e.Kind = Dir
	case '1':
		e.Kind, e.Detail = Link, "a hard link"
	case '2':
		e.Kind, e.Detail = Link, "a symbolic link"
	case '3':
		e.Kind, e.Detail = Special, "a character device"
	case '4':
		e.Kind, e.Detail = Special, "a block device"
	case '6':
		e.Kind, e.Detail = Special, "a FIFO"
	case 'S':
		e.Kind = Sparse
	case 'M':
		e.Kind, e.Detail = Special, "a part of a multi-volume archive"
	default:
		e.Kind, e.Detail = Special, fmt.Sprintf("of the unknown type %q", h.flag)
	}
	if e.Kind == Dir {
		e.Name = strings.TrimSuffix(e.Name, "/")
	}
	return e
}
