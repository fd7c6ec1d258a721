package archive

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
)

const (
	endLen     = 22
	localLen   = 30
	maxComment = 65535
)

var (
	le        = binary.LittleEndian
	endSig    = []byte("PK\x05\x06")
	end64Sig  = []byte("PK\x06\x07")
	dirSig    = []byte("PK\x01\x02")
	localSig  = []byte("PK\x03\x04")
	descSig   = []byte("PK\x07\x08")
	errNoData = errors.New("short zip structure")
)

// zipEnd is the end record of a zip.
type zipEnd struct {
	at      int64 // its own offset
	entries int
	size    int64 // of the central directory
	offset  int64 // of the central directory
	comment []byte
}

// findEnd looks for the one end record. end is nil when there is none at all;
// problem says why the one that was found cannot be used.
func findEnd(r io.ReaderAt, size int64) (end *zipEnd, problem *Problem, err error) {
	tail := make([]byte, min(size, endLen+maxComment+20))
	base := size - int64(len(tail))
	if _, err := r.ReadAt(tail, base); err != nil && !errors.Is(err, io.EOF) {
		return nil, nil, err
	}
	var exact, last = -1, -1
	for from := 0; ; {
		i := bytes.Index(tail[from:], endSig)
		if i < 0 || from+i+endLen > len(tail) {
			break
		}
		i += from
		from = i + 1
		last = i
		if i+endLen+int(le.Uint16(tail[i+20:])) != len(tail) {
			continue
		}
		if exact >= 0 {
			return &zipEnd{}, &Problem{Code: "ZIP_EOCD", Message: "two end records fit: readers disagree about what is in this zip"}, nil
		}
		exact = i
	}
	switch {
	case last < 0:
		return nil, nil, nil
	case exact < 0:
		if last+endLen+int(le.Uint16(tail[last+20:])) > len(tail) {
			return &zipEnd{}, &Problem{Code: "ARCHIVE_TRUNCATED", Message: "the zip is cut off in its comment"}, nil
		}
		return &zipEnd{}, &Problem{Code: "ZIP_TRAILING", Message: "data follows the end record of the zip"}, nil
	case exact != last:
		return &zipEnd{}, &Problem{Code: "ZIP_EOCD", Message: "the comment of the zip holds another end record"}, nil
	}
	end, problem = parseEnd(tail[exact:])
	end.at = base + int64(exact)
	if exact >= 20 && bytes.HasPrefix(tail[exact-20:], end64Sig) {
		problem = zip64Problem("")
	}
	return end, problem, nil
}

func parseEnd(b []byte) (*zipEnd, *Problem) {
	e := &zipEnd{
		entries: int(le.Uint16(b[10:])), size: int64(le.Uint32(b[12:])), offset: int64(le.Uint32(b[16:])),
		comment: b[endLen:],
	}
	switch {
	case e.entries == 0xffff || e.size == 0xffffffff || e.offset == 0xffffffff:
		return e, zip64Problem("")
	case le.Uint16(b[4:]) != 0 || le.Uint16(b[6:]) != 0 || le.Uint16(b[8:]) != le.Uint16(b[10:]):
		return e, &Problem{Code: "ZIP_EOCD", Message: "the zip is one part of several"}
	}
	return e, nil
}

func zip64Problem(entry string) *Problem {
	return &Problem{Code: "ZIP_ZIP64", Entry: entry, Message: "the zip uses the 64-bit format, which no package needs"}
}
