package sqlite_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dedupedesk/ledger"
)

// TestASeenClaimFromTheFutureNeedsADecision: the clock was wrong when the script
// reserved the key. It is not in progress until that time comes.
func TestASeenClaimFromTheFutureNeedsADecision(t *testing.T) {
	path := filepath.Join(t.TempDir(), "seen.db")
	for _, key := range []string{"now", "soon", "tomorrow", "next year"} {
		wantScript(t, path, "claimed", 0, "claim", key)
	}
	db := raw(t, path)
	for key, ahead := range map[string]time.Duration{
		"soon": 23 * time.Hour, "tomorrow": 25 * time.Hour, "next year": 365 * 24 * time.Hour,
	} {
		run(t, db, "UPDATE seen SET claimed_at = claimed_at + ? WHERE key = ?", ahead.Seconds(), key)
	}
	l := newLedger(t, path)
	for key, want := range map[string]ledger.Status{
		"now": ledger.StatusInProgress, "soon": ledger.StatusInProgress,
		"tomorrow": ledger.StatusHeld, "next year": ledger.StatusHeld,
	} {
		if a := claimPlain(t, l, key); a.Status != want || a.Run {
			t.Errorf("%q: %+v, want %s", key, a, want)
		}
	}
	life, err := l.Key(t.Context(), "", "next year")
	if err != nil || !strings.Contains(life.Key.LastError, "in the future") || life.Key.ClaimedAt.After(time.Now()) {
		t.Errorf("nobody is told why: %+v, %v", life.Key, err)
	}
}
