package registry_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/sri"
	"github.com/wuu-plugins/wuu/registry"
	"github.com/wuu-plugins/wuu/registry/registrytest"
)

// The strongest algorithm decides, and whatever else is stated must agree.
func TestConflictingHashes(t *testing.T) {
	w := newWorld(t)
	tgz, p := w.publish("hello", "1.0.0")
	s256, s384 := sha256.Sum256(tgz), sha512.Sum384(tgz)
	weak := "sha256-" + base64.StdEncoding.EncodeToString(s256[:])
	middle := "sha384-" + base64.StdEncoding.EncodeToString(s384[:])
	false256 := "sha256-" + base64.StdEncoding.EncodeToString(make([]byte, 32))
	falseSHA1 := "sha1-" + base64.StdEncoding.EncodeToString(make([]byte, 20))
	for _, c := range []struct {
		name, integrity, shasum string
		code                    string
		text                    []string // all of it is shown
	}{
		{"all agree", strings.Join([]string{weak, middle, p.Integrity}, " "), p.Shasum, "", nil},
		{"unknown algorithms are passed over", "md5-AAAA blake3-AAAA " + p.Integrity, "", "", nil},
		{"a sha256 that disagrees", p.Integrity + " " + false256, p.Shasum, "INTEGRITY_MISMATCH", []string{"wanted " + false256, "got " + weak}},
		{"a sha1 that disagrees", p.Integrity + " " + falseSHA1, "", "INTEGRITY_MISMATCH", []string{"wanted " + falseSHA1, "got sha1-"}},
		{"a sha512 that disagrees", sri.FormatSHA512([64]byte{1}) + " " + weak, p.Shasum, "INTEGRITY_MISMATCH", []string{"wanted " + sri.FormatSHA512([64]byte{1}), "got " + p.Integrity}},
		{"a shasum that disagrees", p.Integrity, strings.Repeat("0", 40), "INTEGRITY_MISMATCH", []string{"wanted " + falseSHA1, "got sha1-"}},
		{"shasum and sha1 disagree", p.Integrity + " " + falseSHA1, p.Shasum, "REGISTRY_METADATA", []string{"different SHA-1"}},
		{"sha384 is not enough", middle, p.Shasum, "INTEGRITY_MISSING", []string{"strongest hash is sha384"}},
		{"only unknown algorithms", "blake3-AAAA", p.Shasum, "INTEGRITY_MISSING", []string{"no hash that wuu knows"}},
		{"only a shasum", "", p.Shasum, "INTEGRITY_MISSING", []string{"no usable sha512"}},
		{"a sha512 that is none", "sha512-AAAA", p.Shasum, "INTEGRITY_MISSING", []string{"digest of 3 bytes"}},
	} {
		remove := w.server.Inject(registrytest.VersionFile, registrytest.Metadata(func(doc map[string]any) {
			dist := doc["dist"].(map[string]any)
			dist["integrity"], dist["shasum"] = c.integrity, c.shasum
		}))
		w.client.Store().Prune(0)
		_, data, err := w.fetch(w.client, w.source("npm:hello@1.0.0"))
		remove()
		if c.code == "" {
			if err != nil || !bytes.Equal(data, tgz) {
				t.Errorf("%s: %v", c.name, err)
			}
			continue
		}
		if fault.As(err).Code != c.code {
			t.Errorf("%s: %v", c.name, err)
		}
		for _, part := range c.text {
			if !strings.Contains(fmt.Sprint(err), part) {
				t.Errorf("%s: %q is not in: %v", c.name, part, err)
			}
		}
		for _, file := range w.files() {
			if filepath.Ext(file) != ".lock" {
				t.Errorf("%s: left behind %s", c.name, file)
			}
		}
	}
}

// A mismatch says what, from where, how much of how much, and what it looks
// like; and it is never tried again.
func TestMismatchSaysEverything(t *testing.T) {
	w := newWorld(t)
	tgz, p := w.publish("@me/hello", "1.0.0")
	w.server.Inject(registrytest.Tarball, registrytest.CorruptBody())
	for name, s := range map[string]registry.Source{"npm": w.source("npm:@me/hello@1.0.0"), "lock": w.replay(w.lockOf(p))} {
		w.server.ResetRequests()
		_, _, err := w.fetch(w.client, s)
		e := fault.As(err)
		details, _ := e.Details.(registry.IntegrityDetails)
		want := registry.IntegrityDetails{
			Want: p.Integrity, Got: details.Got, URL: p.Tarball, Package: "@me/hello@1.0.0",
			Bytes: int64(len(tgz)), ContentLength: int64(len(tgz)), Kind: "binary data",
		}
		text := fmt.Sprintf("the bytes of @me/hello@1.0.0 are not those that the %s names: wanted %s, got %s (%s: binary data, %d bytes, the server announced %d); nothing was kept",
			map[string]string{"npm": "registry", "lock": "lock"}[name], p.Integrity, details.Got, p.Tarball, len(tgz), len(tgz))
		if details != want || details.Got == p.Integrity || !strings.HasSuffix(e.Error(), text) {
			t.Errorf("%s: %+v\n%v\nwant %s", name, details, e, text)
		}
		tarballs := 0
		for _, r := range w.server.Requests() {
			if r.Target == registrytest.Tarball {
				tarballs++
			}
		}
		if tarballs != 1 {
			t.Errorf("%s: the tarball was asked for %d times", name, tarballs)
		}
	}
}

// A file that is published anew while it is downloaded is not patched together.
func TestFileChangesBetweenTries(t *testing.T) {
	w := newWorld(t)
	_, p := w.publish("hello", "1.0.0")
	other, err := registrytest.Pack(map[string]string{"package.json": `{"name":"hello","version":"1.0.0"}`, "data": strings.Repeat("other", 40_000)})
	if err != nil {
		t.Fatal(err)
	}
	w.server.Inject(registrytest.Tarball, registrytest.CutBody(50_000).Times(1))
	c := w.newClient(func(o *registry.ClientOptions) {
		sleep := o.Sleep
		o.Sleep = func(ctx context.Context, d time.Duration) error {
			if _, err := w.server.Publish(other); err != nil {
				t.Error(err)
			}
			return sleep(ctx, d)
		}
	})
	_, _, err = w.fetch(c, w.source("npm:hello@1.0.0"))
	e := fault.As(err)
	if details, _ := e.Details.(registry.IntegrityDetails); e.Code != "INTEGRITY_MISMATCH" || details.Want != p.Integrity || details.Got != sri.FormatSHA512(sha512.Sum512(other)) || details.Bytes != int64(len(other)) {
		t.Errorf("%v", err)
	}
}

// What a server calls a file has no say in where it is kept.
func TestHeadersNameNoFile(t *testing.T) {
	for name, value := range map[string]string{
		"Content-Disposition": `attachment; filename="../../../../evil.tgz"`,
		"ETag":                `"../../../../evil"`,
		"Content-Location":    "/../../evil.tgz",
		"Content-Type":        "text/html; name=../evil",
	} {
		w := newWorld(t)
		tgz, _ := w.publish("hello", "1.0.0")
		w.server.Inject(registrytest.Tarball, registrytest.Header(name, value))
		if _, data, err := w.fetch(w.client, w.source("npm:hello@1.0.0")); err != nil || !bytes.Equal(data, tgz) {
			t.Errorf("%s: %v", name, err)
		}
		for _, file := range w.files() {
			if base := filepath.Base(file); !strings.HasPrefix(base, hexName(tgz)) && filepath.Ext(base) != ".lock" {
				t.Errorf("%s: there is %s", name, file)
			}
		}
	}
}
