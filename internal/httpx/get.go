package httpx

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
)

// Get returns a whole body, for small documents; a body that is cut is fetched
// again. The error is an *Error or the context's cause.
func (c *Client) Get(ctx context.Context, r Request) (body []byte, err error) {
	err = c.retry(ctx, func() error {
		res, e := c.try(ctx, r, nil)
		if e != nil {
			return e
		}
		defer res.Body.Close()
		if res.ContentLength > r.Limit {
			return tooLarge(r)
		}
		body, err = io.ReadAll(io.LimitReader(res.Body, r.Limit+1))
		if err != nil {
			return cutShort(r, int64(len(body)), res.ContentLength, err)
		}
		if int64(len(body)) > r.Limit {
			return tooLarge(r)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return body, nil
}

func tooLarge(r Request) *Error {
	return &Error{URL: r.URL, Reason: TooLarge, Err: fmt.Errorf("larger than %d bytes, which is the limit", r.Limit)}
}

func cutShort(r Request, got, want int64, err error) *Error {
	for _, silence := range []error{errSilent, errSlow} {
		if errors.Is(err, silence) {
			return &Error{URL: r.URL, Reason: Silent, Err: silence}
		}
	}
	if want > 0 {
		return &Error{URL: r.URL, Reason: CutShort, Err: fmt.Errorf("the connection broke after %d of %d bytes: %w", got, want, err)}
	}
	return &Error{URL: r.URL, Reason: CutShort, Err: fmt.Errorf("the connection broke after %d bytes: %w", got, err)}
}

// Sink takes a download. Begin is called before the bytes of each try: offset
// is how many of the bytes written so far stay (0, or all of them), total is
// the whole length or -1. An error of the sink ends the download as it is.
type Sink interface {
	io.Writer
	Begin(offset, total int64) error
}

// Download streams a body into sink. When it is cut, the next try asks for the
// rest if the server named the file with a strong ETag, else for all of it.
func (c *Client) Download(ctx context.Context, r Request, sink Sink) error {
	d := download{request: r, sink: sink}
	return c.retry(ctx, func() error { return d.try(ctx, c) })
}

// download is the state between tries.
type download struct {
	request Request
	sink    Sink
	got     int64  // bytes in the sink
	etag    string // strong, or "" when the file cannot be resumed
	total   int64  // as the first answer announced it, or -1
}

func (d *download) try(ctx context.Context, c *Client) error {
	// The bytes are hashed as they are: no transfer compression.
	header := map[string]string{"Accept-Encoding": "identity"}
	if d.got > 0 && d.etag != "" {
		header["Range"] = fmt.Sprintf("bytes=%d-", d.got)
		header["If-Range"] = d.etag
	}
	res, e := c.try(ctx, d.request, header)
	if e != nil {
		if e.Status == http.StatusRequestedRangeNotSatisfiable && header["Range"] != "" {
			d.etag = "" // the next try starts over
			e.Reason, e.Err = CutShort, errors.New("the server cannot continue the file")
		}
		return e
	}
	defer res.Body.Close()
	total, e := d.place(res)
	if e != nil {
		return e
	}
	if total > d.request.Limit {
		return tooLarge(d.request)
	}
	if err := d.sink.Begin(d.got, total); err != nil {
		return err
	}
	return d.copy(res.Body, total)
}

// place decides where the answer's bytes belong and returns the whole length.
func (d *download) place(res *http.Response) (total int64, _ *Error) {
	if res.StatusCode != http.StatusPartialContent {
		d.got = 0
		d.etag = strongTag(res.Header.Get("ETag"))
		d.total = res.ContentLength
		return d.total, nil
	}
	r, err := parseContentRange(res.Header.Get("Content-Range"))
	tag := res.Header.Get("ETag")
	wrong := ""
	switch {
	case err != nil || r.first != d.got || r.last != r.total-1:
		wrong = "the server continued the file at the wrong place"
	case tag != "" && tag != d.etag, d.total >= 0 && r.total != d.total:
		wrong = "the file changed at the server while it was downloaded"
	default:
		return r.total, nil
	}
	d.etag = "" // the next try starts over
	return 0, &Error{URL: d.request.URL, Reason: CutShort, Err: errors.New(wrong)}
}

func (d *download) copy(body io.Reader, total int64) error {
	buf := make([]byte, 64<<10)
	for {
		n, err := body.Read(buf)
		if d.got += int64(n); d.got > d.request.Limit {
			return tooLarge(d.request)
		}
		if n > 0 {
			if _, err := d.sink.Write(buf[:n]); err != nil {
				return err
			}
		}
		switch {
		case errors.Is(err, io.EOF) && (total < 0 || d.got == total):
			return nil
		case errors.Is(err, io.EOF):
			return cutShort(d.request, d.got, total, io.ErrUnexpectedEOF)
		case err != nil:
			return cutShort(d.request, d.got, total, err)
		}
	}
}
