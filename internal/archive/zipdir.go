package archive

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// The flag bits of a zip entry that matter.
const (
	flagEncrypted  = 1 << 0
	flagDescriptor = 1 << 3
	flagStrong     = 1 << 6
	flagMasked     = 1 << 13
	flagsCompared  = flagEncrypted | flagDescriptor | flagStrong | flagMasked | 1<<11
)

// keptName bounds the part of a hostile name that is kept; it is still too
// long for every rule about names.
const keptName = 2048

// zipEntry is one record of the central directory.
type zipEntry struct {
	name           string
	flags, method  uint16
	crc            uint32
	packed, size   int64
	offset         int64
	mode           uint32 // Unix mode with its type bits
	hasMode        bool   // the mode is that of a Unix system
	dosFolder      bool   // the DOS attribute of a folder is set
	dosLabel       bool   // that of a volume's label, which unzip leaves out
	bad            bool   // reported; the content is not read
	nameWasCut     bool
	creatorVersion uint16
}

// readDir reads the central directory. Records are in the order of their data.
func readDir(r io.ReaderAt, end *zipEnd, o Options) ([]*zipEntry, error) {
	src := &source{r: io.NewSectionReader(r, end.offset, end.size)}
	br := bufio.NewReaderSize(src, readBuffer)
	var list []*zipEntry
	for {
		e, err := readDirEntry(br, o.Report)
		if src.err != nil {
			return nil, src.err
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			o.Report(Problem{Code: "ZIP_EOCD", Message: "the central directory is damaged: " + err.Error()})
			return nil, ErrRefused
		}
		if len(list) == o.Limits.Entries {
			o.Report(entriesProblem(o.Limits.Entries))
			return nil, ErrRefused
		}
		list = append(list, e)
	}
	if len(list) != end.entries {
		o.Report(Problem{Code: "ZIP_EOCD", Message: fmt.Sprintf("the end record counts %d entries, the directory holds %d", end.entries, len(list))})
		return nil, ErrRefused
	}
	slices.SortStableFunc(list, func(a, b *zipEntry) int { return cmp.Compare(a.offset, b.offset) })
	return list, nil
}

// readDirEntry returns io.EOF at the end of the directory.
func readDirEntry(br *bufio.Reader, report func(Problem)) (*zipEntry, error) {
	var b [46]byte
	if _, err := io.ReadFull(br, b[:]); err != nil {
		if err == io.EOF {
			return nil, io.EOF
		}
		return nil, errNoData
	}
	if !bytes.HasPrefix(b[:], dirSig) {
		return nil, errors.New("a record does not start with its signature")
	}
	e := &zipEntry{
		creatorVersion: le.Uint16(b[4:]), flags: le.Uint16(b[8:]), method: le.Uint16(b[10:]), crc: le.Uint32(b[16:]),
		packed: int64(le.Uint32(b[20:])), size: int64(le.Uint32(b[24:])), offset: int64(le.Uint32(b[42:])),
	}
	nameLen, extraLen, commentLen := int(le.Uint16(b[28:])), int(le.Uint16(b[30:])), int(le.Uint16(b[32:]))
	rest := make([]byte, nameLen+extraLen+commentLen)
	if _, err := io.ReadFull(br, rest); err != nil {
		return nil, errNoData
	}
	e.name = string(rest[:min(nameLen, keptName)])
	e.nameWasCut = nameLen > keptName
	// Type bits count whatever system made the entry: unzip obeys some that
	// others ignore.
	attributes, host := le.Uint32(b[38:]), e.creatorVersion>>8
	e.mode, e.hasMode = attributes>>16, host == 3 || host == 19
	e.dosLabel, e.dosFolder = attributes&0x08 != 0, attributes&0x10 != 0
	e.check(le.Uint16(b[34:]), rest[:nameLen], rest[nameLen:nameLen+extraLen], report)
	return e, nil
}

// check reports what the central record alone tells.
func (e *zipEntry) check(disk uint16, name, extra []byte, report func(Problem)) {
	refuse := func(code, message string) {
		e.bad = true
		report(Problem{Code: code, Entry: e.name, Message: message})
	}
	switch {
	case e.flags&(flagEncrypted|flagStrong|flagMasked) != 0:
		refuse("ZIP_ENCRYPTED", "the entry is encrypted")
	case e.method != 0 && e.method != 8:
		refuse("ZIP_METHOD", fmt.Sprintf("the entry is compressed with method %d; only stored and deflated ones are read", e.method))
	case disk != 0:
		refuse("ZIP_EOCD", "the entry lies on another part of the zip")
	case e.packed == 0xffffffff || e.size == 0xffffffff || e.offset == 0xffffffff:
		e.bad = true
		report(*zip64Problem(e.name))
	case e.method == 0 && e.packed != e.size:
		refuse("ZIP_SIZE", "the entry is stored, but its two sizes differ")
	}
	if renames(extra, name) {
		refuse("ZIP_EXTRA_NAME", "an extra field gives the entry another name")
	}
	if (e.dosFolder || e.mode&0o170000 == 0o040000) && !bytes.HasSuffix(name, []byte("/")) {
		refuse("ENTRY_FILE_DIR_CONFLICT", "the entry is a folder by its attributes and a file by its name")
	}
}

// renames reports an Info-ZIP Unicode path field (version, CRC of the name in
// the header, and the name that newer readers use instead) with another name.
// All fields are looked at: readers differ in which of two counts.
func renames(extra, name []byte) bool {
	for len(extra) >= 4 {
		id, n := le.Uint16(extra), int(le.Uint16(extra[2:]))
		extra = extra[4:]
		if n > len(extra) {
			return false
		}
		if id == 0x7075 && n >= 5 && !bytes.Equal(extra[5:n], name) {
			return true
		}
		extra = extra[n:]
	}
	return false
}

// entry gives the record the shape that both formats share.
func (e *zipEntry) entry() *Entry {
	out := &Entry{Name: e.name, Size: e.size, Mode: e.mode & 0o7777, HasMode: e.hasMode}
	switch e.mode & 0o170000 {
	case 0, 0o100000:
		if strings.HasSuffix(e.name, "/") {
			out.Kind = Dir
		}
	case 0o040000:
		out.Kind = Dir
	case 0o120000:
		out.Kind, out.Detail = Link, "a symbolic link"
	case 0o020000:
		out.Kind, out.Detail = Special, "a character device"
	case 0o060000:
		out.Kind, out.Detail = Special, "a block device"
	case 0o010000:
		out.Kind, out.Detail = Special, "a FIFO"
	case 0o140000:
		out.Kind, out.Detail = Special, "a socket"
	default:
		out.Kind, out.Detail = Special, "of an unknown type"
	}
	if e.dosLabel {
		out.Kind, out.Detail = Special, "the label of a volume"
	}
	if out.Kind == Dir {
		out.Name = strings.TrimSuffix(out.Name, "/")
	}
	return out
}
