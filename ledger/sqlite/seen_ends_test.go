package sqlite_test

import (
	"path/filepath"
	"testing"

	"dedupedesk/ledger"
)

// TestASeenKeyWithASpaceAtItsEndStaysInReach: it is not granted any more, but it is
// found, reported and decided on.
func TestASeenKeyWithASpaceAtItsEndStaysInReach(t *testing.T) {
	path := filepath.Join(t.TempDir(), "seen.db")
	for _, key := range []string{"evt_1", "evt_1 ", "\u200bevt_2"} {
		wantScript(t, path, "claimed", 0, "claim", key)
	}
	l := newLedger(t, path)
	for _, key := range []string{"evt_1 ", "\u200bevt_2", "evt_3 "} {
		a, err := l.Claim(t.Context(), ledger.ClaimRequest{Key: key})
		wantCode(t, err, ledger.Invalid)
		if a.Run || ledger.FieldOf(err) != "key" {
			t.Errorf("%q: %+v, %v", key, a, err)
		}
	}
	if _, err := l.Done(t.Context(), ledger.DoneRequest{Identity: ledger.Identity{Key: "evt_1 ", Plain: true}}); err != nil {
		t.Error(err)
	}
	if got := stateOf(t, l, "evt_1 "); got != ledger.Done {
		t.Errorf("reported, and %s", got)
	}
	if got := stateOf(t, l, "evt_1"); got != ledger.Claimed {
		t.Errorf("the key that looks like it is %s", got)
	}
	req := ledger.DecideRequest{Key: "\u200bevt_2", Decision: ledger.Finished, By: "Ada", Why: "it was done"}
	if _, err := l.Decide(t.Context(), req); err != nil {
		t.Error(err)
	}
}
