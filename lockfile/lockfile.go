// Package lockfile reads, writes and compares .wuu-package-lock.json, the
// record of where the bytes of an installed package came from.
package lockfile

// Name is the lock's file name inside an installed package.
const Name = ".wuu-package-lock.json"

// Version is the lock_version that this wuu reads and writes.
const Version = 1

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

// Parse reads a lock strictly: an unknown or repeated key, a higher
// lock_version, trailing data, conflict markers or a malformed value is a
// *fault.Error of kind Lock whose subject is file.
func Parse(file string, src []byte) (*Lock, error) { panic("not built yet") }

// Marshal writes the canonical form: fixed key order, two-space indent, final
// newline; the same lock always gives the same bytes.
func (l Lock) Marshal() []byte { panic("not built yet") }
