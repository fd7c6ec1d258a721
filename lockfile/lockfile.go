// Package lockfile reads, writes and compares .wuu-package-lock.json, the
// record of where the bytes of an installed package came from: registry,
// package, exact version, tarball and SHA-512. It says nothing about who wrote
// the package. Reading is strict, because a lock travels in repositories and
// may be edited, merged or forged; writing is byte-stable.
package lockfile

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/wuu-plugins/wuu/internal/fault"
)

// Name is the lock's file name inside an installed package.
const Name = ".wuu-package-lock.json"

// Version is the lock_version that this wuu reads and writes.
const Version = 1

// MaxSize is the largest lock that is read, in bytes.
const MaxSize = 64 << 10

// Error is what every failure of this package is: its Kind is the exit code,
// its Subject the file, and its Details a Place where there is one. Codes, one
// for each way in which a lock can be wrong:
//
//	LOCK_CONFLICT                                       conflict markers (ConflictDetails)
//	LOCK_EMPTY LOCK_TOO_LARGE LOCK_BOM LOCK_ENCODING    no text of a lock at all
//	LOCK_TRUNCATED LOCK_SYNTAX LOCK_TRAILING            no JSON object
//	LOCK_VERSION                                        written by a newer wuu
//	LOCK_KEY_UNKNOWN LOCK_KEY_TWICE LOCK_KEY_MISSING    keys
//	LOCK_VALUE LOCK_SOURCE LOCK_PACKAGE LOCK_PLUGIN_ID LOCK_PACKAGE_VERSION
//	LOCK_REGISTRY LOCK_TARBALL LOCK_ORIGIN              values
//	LOCK_INTEGRITY LOCK_WEAK                            values: no sha512
//	LOCK_MISSING LOCK_FOLDER LOCK_READ                  Read only, kind Usage
type Error = fault.Error

// Lock is the whole document; the field order is the order in the file.
type Lock struct {
	LockVersion int    `json:"lock_version"`
	Source      string `json:"source"` // always "npm"
	Registry    string `json:"registry"`
	Package     string `json:"package"`
	Version     string `json:"version"`
	PluginID    string `json:"plugin_id"`
	Tarball     string `json:"tarball"`
	Integrity   string `json:"integrity"` // sha512-<base64>
}

// Marshal writes the canonical form: fixed key order, two-space indent, final
// newline; the same lock always gives the same bytes. It checks nothing.
func (l Lock) Marshal() []byte {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(l); err != nil {
		panic(err) // strings and one number always encode
	}
	return out.Bytes()
}

// Difference is one value that two locks do not share.
type Difference struct {
	Key  string `json:"key"`
	Want string `json:"want"`
	Got  string `json:"got"`
}

// Diff lists what got has other than want, in the order of the file.
func Diff(want, got Lock) []Difference {
	var out []Difference
	a, b := want.values(), got.values()
	for i, key := range keys() {
		if *a[i] != *b[i] {
			out = append(out, Difference{key, *a[i], *b[i]})
		}
	}
	return out
}

// keys are the string keys of the document, in order; values has their fields.
func keys() [7]string {
	return [7]string{"source", "registry", "package", "version", "plugin_id", "tarball", "integrity"}
}

func (l *Lock) values() [7]*string {
	return [7]*string{&l.Source, &l.Registry, &l.Package, &l.Version, &l.PluginID, &l.Tarball, &l.Integrity}
}

// Read reads and parses a lock file. A file that is missing or cannot be read
// is an error of kind Usage.
func Read(file string) (*Lock, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, unreadable(file, err)
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.IsDir() {
		return nil, fault.New(fault.Usage, "LOCK_FOLDER", file, "is a folder, not a lock file").
			WithHint("an installed package keeps its lock in its folder: lock:%s", filepath.Join(file, Name))
	}
	src, err := io.ReadAll(io.LimitReader(f, MaxSize+1))
	if err != nil {
		return nil, unreadable(file, err)
	}
	return Parse(file, src)
}

func unreadable(file string, err error) *Error {
	if errors.Is(err, fs.ErrNotExist) {
		return fault.New(fault.Usage, "LOCK_MISSING", file, "no such lock file").
			WithHint("an installed package keeps its lock at <WUU_HOME>/plugins/<id>/%s", Name)
	}
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return fault.New(fault.Usage, "LOCK_READ", file, "cannot be read: %w", err)
}
