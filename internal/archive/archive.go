// Package archive reads zips and npm tarballs once, front to back, with
// bounded memory, and reports everything about the container itself that two
// readers could understand differently. It parses both formats on its own:
// what was checked is exactly what is read, and whatever the rules do not
// allow is not understood at all. Names and kinds of entries are the caller's
// to judge (package pack).
package archive

import (
	"errors"
	"io"
	"strings"
)

// Format is the kind of an archive.
type Format string

// The formats. Unknown lets the first bytes decide.
const (
	Unknown Format = ""
	Zip     Format = "zip"
	TGZ     Format = "tgz"
)

// FormatOf returns what a file name promises, Unknown for other endings.
func FormatOf(name string) Format {
	name = strings.ToLower(name)
	switch {
	case strings.HasSuffix(name, ".zip"):
		return Zip
	case strings.HasSuffix(name, ".tgz"), strings.HasSuffix(name, ".tar.gz"):
		return TGZ
	}
	return Unknown
}

// Kind is what an entry claims to be.
type Kind uint8

// The kinds. Only File and Dir may stand in a package.
const (
	File    Kind = iota
	Dir          // folders carry no trailing slash in their name
	Link         // symbolic or hard
	Special      // device, FIFO, socket, volume, unknown type
	Sparse       // any form of sparse file
)

// Entry is one member as the container states it, before any rule about names.
type Entry struct {
	Name    string // after GNU and PAX extensions are resolved; any bytes
	Kind    Kind
	Mode    uint32 // the twelve permission bits
	HasMode bool   // false when the container records no Unix mode
	Size    int64  // as declared, in bytes; the content is held to it
	Detail  string // for Link and Special: what exactly it is
}

// Problem is one broken rule of the container. Entry is a raw name or "". A
// Note is worth knowing but no reason to refuse.
type Problem struct {
	Code, Entry, Message string
	Note                 bool
}

// Limits bound the work. All are required.
type Limits struct {
	Archive  int64 // bytes of the archive itself
	Unpacked int64 // bytes of content
	Entries  int
	Ratio    int64 // content over archive once past RatioFrom
}

// RatioFrom is the size in bytes below which content may have any ratio.
const RatioFrom = 1 << 20

// Content returns how many bytes of content an archive of that size may hold,
// and the code of the limit that decides.
func (l Limits) Content(size int64) (int64, string) {
	if byRatio := max(RatioFrom, satMul(l.Ratio, size)); byRatio < l.Unpacked {
		return byRatio, "LIMIT_RATIO"
	}
	return l.Unpacked, "LIMIT_UNPACKED"
}

func satMul(a, b int64) int64 {
	if b > 0 && a > (1<<62)/b {
		return 1 << 62
	}
	return a * b
}

// Options guide Open.
type Options struct {
	Format Format // what the archive has to be; Unknown accepts both
	Limits Limits
	Report func(Problem) // called in the order of discovery; required
}

// ErrRefused says that Report was told why there is nothing (more) to read.
var ErrRefused = errors.New("archive refused")

// Reader walks the entries of an archive once.
type Reader interface {
	// Format is the kind that was found.
	Format() Format
	// Names lists all entries before the first is read. Tarballs have no
	// directory: nil.
	Names() []string
	// Next checks the rest of the current entry and moves on. io.EOF comes
	// after the last byte of the archive was checked, or when a Problem makes
	// going on pointless. Other errors are those of the underlying reader.
	Next() (*Entry, error)
	// Read reads the current entry. io.EOF means that the content is complete
	// and its checksum right; ErrRefused that it is not, after a Report.
	io.Reader
}

// Open looks at the first bytes and the size. It returns ErrRefused when the
// input is no archive of the wanted format or too large.
func Open(r io.ReaderAt, size int64, o Options) (Reader, error) {
	if size > o.Limits.Archive {
		o.Report(Problem{Code: "LIMIT_ARCHIVE", Message: sizeMessage("the archive has", size, o.Limits.Archive)})
		return nil, ErrRefused
	}
	found, err := detect(r, size)
	if err != nil {
		return nil, err
	}
	switch {
	case found == plainTar && o.Format != Zip:
		o.Report(Problem{Code: "GZIP_HEADER", Message: "this is an uncompressed tar, not a gzipped one"})
	case found == Unknown && o.Format == TGZ:
		o.Report(Problem{Code: "GZIP_HEADER", Message: "this is not a gzip file"})
	case found == Unknown && o.Format == Zip:
		o.Report(Problem{Code: "ZIP_EOCD", Message: "there is no end record: this is not a zip, or it is cut off"})
	case found == Unknown:
		o.Report(Problem{Code: "ARCHIVE_TYPE", Message: "this is neither a zip nor a gzipped tarball"})
	case o.Format != Unknown && found != o.Format:
		o.Report(Problem{Code: "ARCHIVE_TYPE", Message: "this is a " + string(found) + " file, not a " + string(o.Format)})
	case found == Zip:
		return openZip(r, size, o)
	default:
		return openTGZ(r, size, o)
	}
	return nil, ErrRefused
}

// plainTar is what detect finds in a tar that nobody compressed.
const plainTar Format = "tar"

func detect(r io.ReaderAt, size int64) (Format, error) {
	head := make([]byte, min(512, size))
	if _, err := r.ReadAt(head, 0); err != nil && !errors.Is(err, io.EOF) {
		return Unknown, err
	}
	switch {
	case len(head) >= 2 && head[0] == 0x1f && head[1] == 0x8b:
		return TGZ, nil
	case strings.HasPrefix(string(head), "PK\x03\x04"), strings.HasPrefix(string(head), "PK\x05\x06"):
		return Zip, nil
	case len(head) > 262 && string(head[257:262]) == "ustar":
		return plainTar, nil
	}
	// A zip with something in front of it has its end record all the same.
	end, _, err := findEnd(r, size)
	if err != nil {
		return Unknown, err
	}
	if end != nil {
		return Zip, nil
	}
	return Unknown, nil
}
