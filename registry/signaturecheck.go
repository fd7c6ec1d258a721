package registry

import (
	"context"
	"slices"

	"github.com/wuu-plugins/wuu/internal/fault"
)

// signatureCheck is a check that may go on while the archive is downloaded.
type signatureCheck struct {
	// ctx ends with a refusal as its cause when the signature turns out to be
	// invalid or cannot be checked.
	ctx     context.Context
	cancel  context.CancelCauseFunc
	done    chan struct{}
	outcome Signature
	err     error
}

// startCheck judges the signature that metadata states. It asks the network
// only when there is a signature and the keys are not at hand, and then beside
// the download. The caller must call stop.
func (c *Client) startCheck(ctx context.Context, s Source, r *release) *signatureCheck {
	k := &signatureCheck{done: make(chan struct{})}
	k.ctx, k.cancel = context.WithCancelCause(ctx)
	signatures, err := readSignatures(r.signatures)
	switch {
	case err != nil:
		k.finish(s, Signature{State: SignatureInvalid, Reason: err.Error()}, nil)
		return k
	case len(signatures) == 0:
		k.finish(s, absent("the package has no signature"), nil)
		return k
	}
	if old, ok := c.store.signature(s, r); ok && old.State == SignatureValid && slices.ContainsFunc(signatures, func(d distSignature) bool { return d.KeyID == old.KeyID }) {
		// Checked when these bytes came; a key that expired since was good then.
		k.finish(s, old, nil)
		return k
	}
	text := signedText(s.Package, s.Version, r.stated)
	if known, ok := c.keys.known(s.Registry); ok && (known.fromRun || known.knows(signatures)) {
		k.finish(s, c.outcome(known, text, signatures), nil)
		return k
	}
	go func() {
		fresh, err := c.fetchKeys(k.ctx, s.Registry)
		if err != nil {
			k.finish(s, Signature{}, c.failure(k.ctx, s.Spec, err))
			return
		}
		k.finish(s, c.outcome(fresh, text, signatures), nil)
	}()
	return k
}

// knows says that no signature is by a key that is missing from the offer.
func (o offer) knows(signatures []distSignature) bool {
	return o.keys == nil || !slices.ContainsFunc(signatures, func(d distSignature) bool { return o.keys.find(d.KeyID) == nil })
}

func (c *Client) outcome(o offer, text string, signatures []distSignature) Signature {
	if o.keys == nil {
		return absent(o.none)
	}
	return judge(text, signatures, o.keys, c.o.Now())
}

// finish sets the outcome and stops the download when there is nothing to
// download for.
func (k *signatureCheck) finish(s Source, outcome Signature, failed error) {
	k.outcome, k.err = outcome, outcome.refusal(s)
	if failed != nil && k.ctx.Err() == nil {
		e := fault.As(failed)
		k.err = fault.New(fault.Network, "SIGNATURE_UNCHECKED", s.Spec, "it is signed, but the registry's keys cannot be had: %w", e.Err).
			WithHint("try again later; a signature that cannot be checked is never taken for a missing one")
	} else if failed != nil {
		k.err = failed
	}
	if k.err != nil {
		k.cancel(k.err)
	}
	close(k.done)
}

// wait returns nil when the package may be used.
func (k *signatureCheck) wait() error {
	select {
	case <-k.done:
		return k.err
	case <-k.ctx.Done():
		<-k.done
		return context.Cause(k.ctx)
	}
}

// stop ends a check that still runs and waits for it.
func (k *signatureCheck) stop() {
	k.cancel(context.Canceled)
	<-k.done
}
