package ledger

import (
	"context"
	"testing"
)

// TestACheckWaitsNoLongerThanItsContext: another one is on its way, which may take
// as long as a write may wait.
func TestACheckWaitsNoLongerThanItsContext(t *testing.T) {
	l := New(nil, SystemClock(), nil)
	l.checked.turn <- struct{}{}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := l.Check(ctx); CodeOf(err) != Busy {
		t.Errorf("%v, want Busy", err)
	}
}
