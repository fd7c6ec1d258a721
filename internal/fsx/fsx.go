// Package fsx is what the os package leaves to the caller: files replaced in
// one step, folders exchanged, trees copied and removed, content made durable.
package fsx

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
)

// Errors that callers may test for with errors.Is; they come wrapped in an
// *fs.PathError that names the file.
var (
	// ErrSymlink means that a symbolic link stands where a file of ours is
	// expected: neither read nor written through.
	ErrSymlink = errors.New("is a symbolic link")
	// ErrNotRegular means a folder, device, pipe or socket instead of a file.
	ErrNotRegular = errors.New("is not a regular file")
	// ErrNotFolder means a file, or something else, instead of a folder.
	ErrNotFolder = errors.New("is not a folder")
	// ErrDangling means a symbolic link that leads nowhere instead of a folder.
	ErrDangling = errors.New("is a link to nothing")
	// ErrTooBig means more content than the caller's limit.
	ErrTooBig = errors.New("is larger than allowed")
)

// RandomName returns prefix followed by 16 random hex digits.
func RandomName(prefix string) string {
	var b [8]byte
	rand.Read(b[:]) // never fails (crypto/rand)
	return prefix + hex.EncodeToString(b[:])
}
