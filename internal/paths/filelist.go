package paths

// FileLists holds one file list for each installed package.
func (h Home) FileLists() string { return h.join("state", "files") }

// FileList is the list of the files of one installed package, with their hashes:
// the text that its fingerprint is the hash of. It is no part of the state:
// what does not fit the recorded fingerprint counts as missing. The caller has
// checked id (pathname).
func (h Home) FileList(id string) string { return h.join("state", "files", id) }
