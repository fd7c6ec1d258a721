package registry

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/wuu-plugins/wuu/internal/fault"
	"github.com/wuu-plugins/wuu/internal/httpx"
	"github.com/wuu-plugins/wuu/internal/origin"
	"github.com/wuu-plugins/wuu/internal/sri"
)

// download streams a tarball into the store, hashing it on the way; it has the
// hashes that are wanted, or nothing is kept. own tells that the archive in the
// store is this one, and not one that another process put there meanwhile.
func (c *Client) download(ctx context.Context, s Source, o order) (sum [64]byte, own bool, err error) {
	within, err := origin.Parse(s.Registry, c.o.InsecureLoopback)
	if err != nil {
		return sum, false, fault.New(fault.Usage, "REGISTRY_INVALID", s.Registry, "%w", err)
	}
	file, err := c.store.part(ctx)
	if err != nil {
		return sum, false, err
	}
	defer file.discard()
	sink := &tarballSink{file: file, hasher: newHasher(o.want), progress: o.progress}
	defer sink.hasher.close()
	err = c.http.Download(ctx, httpx.Request{URL: o.tarball, Within: within, Limit: MaxArchive}, sink)
	if closeErr := file.Close(); err == nil {
		err = closeErr
	}
	var e *httpx.Error
	if errors.As(err, &e) && e.Reason == httpx.TooLarge && ctx.Err() == nil {
		return sum, false, archiveTooLarge(s.Spec)
	}
	if err != nil {
		return sum, false, c.failure(ctx, s.Spec, err)
	}
	o.progress(Phase{Name: "verify", Bytes: sink.hasher.n, Total: sink.hasher.n})
	verifier := sink.hasher.sum()
	var mismatch *sri.Mismatch
	if err := verifier.Check(); errors.As(err, &mismatch) {
		return sum, false, sink.mismatch(s, o.tarball, mismatch)
	}
	if o.ready != nil {
		if err := o.ready(); err != nil {
			return sum, false, err
		}
	}
	sum = verifier.SHA512()
	own, err = c.store.keep(file.name(), sum)
	return sum, own, err
}

func archiveTooLarge(spec string) *Error {
	return fault.New(fault.Refused, "ARCHIVE_TOO_LARGE", spec, "the archive is larger than %d MiB, which is the limit", MaxArchive>>20)
}

// tarballSink writes, hashes, remembers the beginning and reports.
type tarballSink struct {
	file     *part
	hasher   *hasher
	progress func(Phase)
	total    int64
	head     []byte
}

// Begin keeps what is there, or empties everything.
func (t *tarballSink) Begin(offset, total int64) error {
	t.total = total
	if offset == t.hasher.n {
		t.report()
		return nil
	}
	if offset != 0 {
		return fmt.Errorf("continue download: %d bytes are there, not %d", t.hasher.n, offset)
	}
	t.hasher.reset()
	t.head = nil
	if err := t.file.Truncate(0); err != nil {
		return err
	}
	_, err := t.file.Seek(0, io.SeekStart)
	t.report()
	return err
}

// Write adds p to the file and to the hashes.
func (t *tarballSink) Write(p []byte) (int, error) {
	if room := 512 - len(t.head); room > 0 {
		t.head = append(t.head, p[:min(room, len(p))]...)
	}
	n, err := t.file.Write(p)
	t.hasher.write(p[:n])
	t.report()
	return n, err
}

func (t *tarballSink) report() {
	t.progress(Phase{Name: "download", Bytes: t.hasher.n, Total: max(t.total, 0)})
}

// IntegrityDetails are the details of an INTEGRITY_MISMATCH error.
type IntegrityDetails struct {
	Want          string `json:"want"`
	Got           string `json:"got"`
	URL           string `json:"url,omitempty"`
	Package       string `json:"package,omitempty"` // name@version, when it was fetched
	Bytes         int64  `json:"bytes,omitempty"`
	ContentLength int64  `json:"content_length,omitempty"` // what the server announced
	Kind          string `json:"kind,omitempty"`           // what the bytes look like
}

func (t *tarballSink) mismatch(s Source, url string, m *sri.Mismatch) *Error {
	content := httpx.Sniff(t.head, t.hasher.n)
	from := "the registry"
	if s.Kind == Replay {
		from = "the lock"
	}
	length := "the server announced no length"
	if t.total >= 0 {
		length = fmt.Sprintf("the server announced %d", t.total)
	}
	what := s.Package + "@" + s.Version
	e := fault.New(fault.Refused, "INTEGRITY_MISMATCH", s.Spec, "the bytes of %s are not those that %s names: wanted %s, got %s (%s: %s, %s); nothing was kept",
		what, from, m.Want, m.Got, url, content, length).
		WithDetails(IntegrityDetails{m.Want, m.Got, url, what, content.Size, max(t.total, 0), content.Kind})
	if content.Kind == "HTML page" {
		return e.WithHint("a page came instead of a package: check the proxy, or whether the network asks for a login")
	}
	return e.WithHint("the file changed at the registry or on the way; do not install it before you know why")
}
