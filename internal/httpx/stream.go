package httpx

import (
	"context"
	"errors"
	"io"
)

// errLimit is what a stream's reader gets beyond the limit.
var errLimit = errors.New("larger than the limit")

// Stream hands a body to read while it arrives, for documents that are too
// large to be kept. When the connection breaks, read is called again, with the
// whole body from its start. An error of read that is not the body's ends the
// request as it is; else the error is an *Error or the context's cause.
func (c *Client) Stream(ctx context.Context, r Request, read func(io.Reader) error) error {
	return c.retry(ctx, func() error {
		res, e := c.try(ctx, r, nil)
		if e != nil {
			return e
		}
		defer res.Body.Close()
		if res.ContentLength > r.Limit {
			return tooLarge(r)
		}
		body := &limitedBody{r: res.Body, left: r.Limit}
		err := read(body)
		switch {
		case errors.Is(body.err, errLimit):
			return tooLarge(r)
		case body.err != nil:
			return cutShort(r, r.Limit-body.left, res.ContentLength, body.err)
		}
		return err
	})
}

// limitedBody ends with errLimit, and remembers why it ended.
type limitedBody struct {
	r    io.Reader
	left int64
	err  error // never io.EOF
}

func (b *limitedBody) Read(p []byte) (int, error) {
	if b.err != nil {
		return 0, b.err
	}
	if int64(len(p)) > b.left+1 {
		p = p[:b.left+1]
	}
	n, err := b.r.Read(p)
	if b.left -= int64(n); b.left < 0 {
		b.left, err = 0, errLimit
	}
	if err != nil && err != io.EOF {
		b.err = err
	}
	return n, err
}
