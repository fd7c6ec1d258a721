package procgroup

import "context"

type patienceKey struct{}

// WithPatience returns ctx with an end of patience. The end of ctx asks a
// group to end and gives it time; once hard has ended too, Run kills it.
func WithPatience(ctx, hard context.Context) context.Context {
	return context.WithValue(ctx, patienceKey{}, hard)
}

// patience is the hard that WithPatience gave; without one it never ends.
func patience(ctx context.Context) context.Context {
	if hard, ok := ctx.Value(patienceKey{}).(context.Context); ok {
		return hard
	}
	return context.WithoutCancel(ctx)
}
