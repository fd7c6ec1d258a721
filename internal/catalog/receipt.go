package catalog

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/wuu-plugins/wuu/internal/fsx"
)

// The files of dev/<id>/, beside generation/. Both have mode 0600.
const (
	authorisationName = "authorisation.json"
	receiptName       = "receipt.json"
	devFileLimit      = 64 << 10 // bytes
)

// The kinds of dev sources.
const (
	kindFile      = "file"
	kindDirectory = "directory"
)

// authorisation is the person's word that the source at Path may publish
// itself as PluginID. Its token signs the receipts, so that a generation that
// something else has put there is not run.
type authorisation struct {
	PluginID  string    `json:"plugin_id"`
	Path      string    `json:"path"`
	Kind      string    `json:"kind"`
	Token     string    `json:"token"` // 32 hex digits
	CreatedAt time.Time `json:"created_at"`
}

// receipt says which package was published, and for whose storage.
type receipt struct {
	PluginID    string    `json:"plugin_id"`
	Path        string    `json:"path"`
	Fingerprint string    `json:"fingerprint"`
	Storage     string    `json:"storage_subject"`
	Signature   string    `json:"signature"`
	PublishedAt time.Time `json:"published_at"`
}

func newAuthorisation(id, path, kind string, now time.Time) authorisation {
	var token [16]byte
	rand.Read(token[:]) // never fails (crypto/rand)
	return authorisation{id, path, kind, hex.EncodeToString(token[:]), now}
}

// sign is the hex HMAC-SHA256, under the token's text, of the receipt's facts
// joined by NUL, which occurs in none of them.
func (a authorisation) sign(r receipt) string {
	mac := hmac.New(sha256.New, []byte(a.Token))
	mac.Write([]byte(strings.Join([]string{r.PluginID, r.Path, r.Fingerprint, r.Storage}, "\x00")))
	return hex.EncodeToString(mac.Sum(nil))
}

func (a authorisation) receiptFor(fingerprint, storage string, now time.Time) receipt {
	r := receipt{PluginID: a.PluginID, Path: a.Path, Fingerprint: fingerprint, Storage: storage, PublishedAt: now}
	r.Signature = a.sign(r)
	return r
}

// verify checks that a signed r for id.
func (a authorisation) verify(r receipt, id string) error {
	switch {
	case a.PluginID != id || r.PluginID != id:
		return errors.New("its authorisation or receipt is for another plugin")
	case a.Path != r.Path:
		return errors.New("its receipt is for another source path")
	case !hmac.Equal([]byte(a.sign(r)), []byte(r.Signature)):
		return errors.New("the signature of its receipt is wrong")
	}
	return nil
}

func (a authorisation) check() error {
	if ok, _ := regexp.MatchString(`^[0-9a-f]{32}$`, a.Token); !ok {
		return errors.New("token is not 32 hex digits")
	}
	if a.Kind != kindFile && a.Kind != kindDirectory {
		return fmt.Errorf("kind %q", a.Kind)
	}
	return nil
}

func readAuthorisation(dir string) (a authorisation, err error) {
	if err = readDevFile(dir, authorisationName, &a); err == nil {
		err = a.check()
	}
	return a, err
}

func readReceipt(dir string) (r receipt, err error) {
	return r, readDevFile(dir, receiptName, &r)
}

func readDevFile(dir, name string, into any) error {
	b, err := fsx.ReadFile(filepath.Join(dir, name), devFileLimit)
	if err != nil {
		return err
	}
	return decodeStrict(b, into)
}

// writeDevFile writes a file of a container that is still in its stage.
func (c *Catalog) writeDevFile(dir, name string, content any) error {
	if err := c.at(name); err != nil {
		return err
	}
	b, err := json.MarshalIndent(content, "", "  ")
	if err != nil {
		return err
	}
	return fsx.WriteFile(filepath.Join(dir, name), append(b, '\n'), 0o600)
}

// brokenDev says why the dev override in dir is not to be run, "" when all of
// authorisation, receipt, record and the bytes on the disk agree.
func brokenDev(ctx context.Context, dir string, r Record) string {
	a, err := readAuthorisation(dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return "its authorisation is missing"
	case err != nil:
		return fmt.Sprintf("its authorisation cannot be used: %v", plain(err))
	}
	rc, err := readReceipt(dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return "its receipt is missing"
	case err != nil:
		return fmt.Sprintf("its receipt cannot be used: %v", plain(err))
	}
	if err := a.verify(rc, r.ID); err != nil {
		return err.Error()
	}
	if rc.Path != r.Origin.Path || rc.Fingerprint != r.Fingerprint || rc.Storage != r.StorageSubject {
		return "its receipt and its record disagree"
	}
	got, err := fingerprint(ctx, filepath.Join(dir, generationName))
	if err != nil {
		return fmt.Sprintf("its package cannot be read: %v", plain(err))
	}
	if got != r.Fingerprint {
		return "its package was changed after it was published"
	}
	return ""
}
