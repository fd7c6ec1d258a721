package service

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/wuu-plugins/wuu/internal/filelock"
	"github.com/wuu-plugins/wuu/internal/fsx"
	"github.com/wuu-plugins/wuu/internal/protocol"
)

// documentVersion is the schema_version of both kinds of documents
// (reference/wuu-facts.md §4, "Storage files").
const documentVersion = 1

// maxSettingsDocument is the limit of a settings document in bytes.
const maxSettingsDocument = 1 << 20

// lockName is the file in each folder of documents that writers lock.
const lockName = ".lock"

// read returns the storage document; a missing file is an empty one.
func (at place) read() (storageDocument, *protocol.Error) {
	doc := storageDocument{SchemaVersion: documentVersion, PluginID: at.subject, Values: map[string]string{}}
	if _, err := readDocument(at.path, MaxStorageDocument, &doc); err != nil {
		return doc, broken(err)
	}
	if err := checkDocument(doc.SchemaVersion, doc.PluginID, at.subject); err != nil {
		return doc, broken(fmt.Errorf("%s: %w", at.path, err))
	}
	if doc.Values == nil {
		doc.Values = map[string]string{}
	}
	return doc, nil
}

// change reads, edits and replaces the document under the lock that all
// processes share; edit says whether there is anything to write.
func (s storage) change(ctx context.Context, at place, edit func(*storageDocument) (bool, *protocol.Error)) *protocol.Error {
	unlock, err := s.locks.lock(ctx, filepath.Dir(at.path))
	if err != nil {
		return broken(err)
	}
	defer unlock()
	doc, perr := at.read()
	if perr != nil {
		return perr
	}
	changed, perr := edit(&doc)
	if perr != nil || !changed {
		return perr
	}
	b, err := encodeDocument(doc)
	if err != nil {
		return broken(err)
	}
	if len(b) > MaxStorageDocument {
		return Errorf(protocol.CodeLimitExceeded, "all values together would take %d bytes; at most %d are allowed", len(b), MaxStorageDocument)
	}
	if err := fsx.WriteFile(at.path, b, 0o600); err != nil {
		return broken(err)
	}
	return nil
}

// locks give one writer at a time a folder of documents: a queue within the
// process, so that nobody polls for a neighbour, then the lock file for others.
type locks struct{ queue chan struct{} }

func newLocks() locks { return locks{make(chan struct{}, 1)} }

func (l locks) lock(ctx context.Context, dir string) (unlock func(), err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	select {
	case l.queue <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	held, err := filelock.Lock(ctx, filepath.Join(dir, lockName), "")
	if err != nil {
		<-l.queue
		return nil, err
	}
	return func() {
		_ = held.Unlock() // the lock ends with the process at the latest
		<-l.queue
	}, nil
}

// settingsDocument is the file of one subject's settings in one scope. Keys
// are qualified: <plugin id>.<local key>.
type settingsDocument struct {
	SchemaVersion int                        `json:"schema_version"`
	PluginID      string                     `json:"plugin_id"` // the subject
	Fingerprint   string                     `json:"fingerprint,omitempty"`
	Values        map[string]json.RawMessage `json:"values"`
}

func readSettings(path, subject string) (map[string]json.RawMessage, *protocol.Error) {
	var doc settingsDocument
	found, err := readDocument(path, maxSettingsDocument, &doc)
	if err != nil {
		return nil, broken(err)
	}
	if !found {
		return nil, nil
	}
	if err := checkDocument(doc.SchemaVersion, doc.PluginID, subject); err != nil {
		return nil, broken(fmt.Errorf("%s: %w", path, err))
	}
	return doc.Values, nil
}

func readDocument(path string, limit int64, into any) (found bool, err error) {
	b, err := fsx.ReadFile(path, limit)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if err := json.Unmarshal(b, into); err != nil {
		return false, fmt.Errorf("%s is damaged: %w", path, err)
	}
	return true, nil
}

func checkDocument(version int, owner, subject string) error {
	switch {
	case version != documentVersion:
		return fmt.Errorf("schema_version is %d; this wuu reads %d", version, documentVersion)
	case owner != subject:
		return fmt.Errorf("belongs to %q, not to %q", owner, subject)
	}
	return nil
}

func encodeDocument(doc any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(doc)
	return b.Bytes(), err
}

// broken is the answer when the host itself cannot do its part. Nothing of a
// damaged document is overwritten.
func broken(err error) *protocol.Error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return Errorf(protocol.CodeServiceUnavailable, "the execution ended: %v", err)
	}
	return Errorf(protocol.CodeHostError, "%v", err)
}
