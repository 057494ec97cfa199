package lab

import (
	"context"
	"time"
)

// A Guard is what Reserve asks. It is used by many goroutines at once.
type Guard interface {
	// Claim asks for a key.
	Claim(ctx context.Context, key, owner string) (Grant, error)
	// Done reports that the work of a grant is finished.
	Done(ctx context.Context, key string, g Grant) error
	// Release gives a key back whose work failed.
	Release(ctx context.Context, key string, g Grant) error
	// Pass lets time pass for the guard, so that what was allowed runs out.
	Pass(d time.Duration)
}

// A Grant is a guard's answer.
type Grant struct {
	Run   bool   // do the work
	Held  bool   // a person has to decide
	Token string // of a grant
}

// allowedTime is more than a guard allows a run.
const allowedTime = time.Hour
