package sqlite_test

import (
	"path/filepath"
	"testing"
	"time"
)

// TestSeedScriptIsGivenNothingInAPause, and reports what it has in progress.
func TestSeedScriptIsGivenNothingInAPause(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.db")
	l := newLedger(t, path)
	for _, key := range []string{"finished", "failed", "over"} {
		wantScript(t, path, "claimed", 0, "claim", key)
	}
	age(t, path, "over", time.Hour)
	if err := l.Pause(t.Context(), "Ada"); err != nil {
		t.Fatal(err)
	}
	wantScript(t, path, "paused: nothing is let through", 2, "claim", "new")
	wantScript(t, path, "paused: nothing is let through", 2, "claim", "over")
	wantScript(t, path, "done finished", 0, "done", "finished")
	wantScript(t, path, "release failed", 0, "release", "failed")
	wantScript(t, path, "paused: nothing is let through", 2, "claim", "failed")
	wantScript(t, path, "skip", 1, "claim", "finished")
	if err := l.EndPause(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"new", "over", "failed"} {
		wantScript(t, path, "claimed", 0, "claim", key)
	}
}
