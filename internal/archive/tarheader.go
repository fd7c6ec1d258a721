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
	// A field without an end runs on into the type flag for some readers.
	if sum, ok := octal(b[148:156]); !ok || sum != checksum(b) || b[155] != ' ' && b[155] != 0 {
		return tarHeader{}, &Problem{Code: "TAR_CHECKSUM", Message: "the checksum of a tar header is wrong"}
	}
	h := tarHeader{name: cString(b[:100]), flag: b[156]}
	if h.extends() {
		if h.name == "" { // node-tar skips it, and reads its content as the next header
			return tarHeader{}, &Problem{Code: "TAR_HEADER", Message: "an extension header has no name"}
		}
	} else if message := h.addPrefix(b); message != "" {
		return tarHeader{}, &Problem{Code: "TAR_HEADER", Entry: h.name, Message: message}
	}
	switch h.flag {
	case '1', '2', 'x', 'g':
	default:
		if target := b[157:257]; target[0] != 0 || bytes.IndexByte(target, '\n') >= 0 { // node-tar skips such a header, and reads its content as the next one
			return tarHeader{}, &Problem{Code: "TAR_HEADER", Entry: h.name, Message: "a tar header that is no link names a target"}
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
	if name := brokenField(b); name != "" {
		return tarHeader{}, &Problem{Code: "TAR_HEADER", Entry: h.name, Message: "the " + name + " in a tar header is not a number"}
	}
	return h, nil
}

// brokenField names an unused field that is no number.
func brokenField(b *[block]byte) string {
	for i, f := range unusedFields {
		if i >= starTimes && (!isPOSIX(b) || b[475] != 0) {
			break
		}
		field := b[f.at:f.end]
		if _, ok := octal(field); !ok && !binaryNumber(field) {
			return f.name
		}
	}
	return ""
}

func isPOSIX(b *[block]byte) bool { return string(b[257:265]) == "ustar\x0000" }

// unusedFields are numbers that mean nothing to a package, octal or binary.
// Some readers silently stop at a header in which one of them is broken.
var unusedFields = [...]struct {
	name    string
	at, end int
}{
	{"owner", 108, 116}, {"group", 116, 124}, {"time", 136, 148}, {"device number", 329, 337}, {"device number", 337, 345},
	{"time of access", 476, 488}, {"time of change", 488, 500},
}

// starTimes is the index of those that the star dialect keeps behind the
// second part of the name. node-tar reads them in POSIX headers, too, unless
// byte 475 belongs to the name.
const starTimes = 5

// extends reports a header that says something about the next one.
func (h tarHeader) extends() bool {
	return h.flag == 'x' || h.flag == 'g' || h.flag == 'L' || h.flag == 'K'
}

// addPrefix completes the name of a POSIX header with its second part. It
// returns what readers would take for different names: some look for the
// second part in every dialect, some ask for the exact version, star keeps
// times in the last bytes of it, and some read on after a NUL and a line end.
func (h *tarHeader) addPrefix(b *[block]byte) string {
	posix := isPOSIX(b)
	prefix := cString(b[345:500])
	switch {
	case bytes.IndexByte(b[len(h.name):100], '\n') >= 0, posix && bytes.IndexByte(b[345+len(prefix):500], '\n') >= 0:
		return "the name in a tar header goes on after its end"
	case prefix == "" && posix && b[475] != 0: // node-tar takes this byte for the sign of a long one
		return "the second name in a tar header has an end and no start"
	case prefix == "":
		return ""
	case !posix:
		return "a tar header of another dialect has bytes in the place of a second name"
	case string(b[508:512]) == "tar\x00" && len(prefix) > 130:
		return "the second name in a tar header runs into the times of the star dialect"
	}
	h.name = prefix + "/" + h.name
	return ""
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

// octal reads a number field: octal digits after spaces, with spaces or NULs
// behind them. An empty field is 0. A NUL in front is the end of the field for
// some readers.
func octal(field []byte) (int64, bool) {
	field = bytes.TrimLeft(bytes.TrimRight(field, " \x00"), " ")
	var n int64
	for _, c := range field {
		if c < '0' || c > '7' {
			return 0, false
		}
		n = n<<3 | int64(c-'0') // at most 12 digits: 36 bits
	}
	return n, true
}

// binaryNumber reports a number field in the form of GNU, of at most 53 bits: node-tar
// skips a header with a larger one and goes on with what comes next.
func binaryNumber(field []byte) bool {
	var fill byte
	switch field[0] {
	case 0x80:
	case 0xff:
		fill = 0xff
	default:
		return false
	}
	high := field[1 : len(field)-6]
	for _, c := range high[:len(high)-1] {
		if c != fill {
			return false
		}
	}
	return high[len(high)-1]^fill < 1<<5
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
