// Package registry turns a source as people type it (a folder, a zip, a tgz,
// npm:<name>@<exact version>, lock:<path>) into verified bytes.
//
// [ParseSource] reads the spec. [Client.Fetch] gets the archive: npm packages
// come from one registry over HTTPS, without credentials, into a content store;
// their SHA-512 is compared before anything reads them. A lock is replayed
// without any metadata, from the tarball it records.
//
// Nothing here prints, and nothing decompresses: that is for package pack.
package registry

import "github.com/wuu-plugins/wuu/internal/fault"

// Error is the error of every failure that a person can act on: Kind is the
// exit code, Code is stable, Subject is the spec, Hint says what to do.
type Error = fault.Error
