package sqlite_test

import (
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"dedupedesk/ledger"
)

// putClock writes a setting of the clock as the ledger does, a time from now.
func putClock(t *testing.T, l *ledger.Ledger, name string, fromNow time.Duration) {
	t.Helper()
	at := strconv.FormatInt(time.Now().Add(fromNow).UnixMilli(), 10)
	if err := l.PutSetting(t.Context(), "clock."+name, at); err != nil {
		t.Fatal(err)
	}
}

// TestSeedScriptKeepsTheGrace: what the machine slept through, the script may not
// take over at once either.
func TestSeedScriptKeepsTheGrace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.db")
	l := newLedger(t, path)
	claimPlain(t, l, "slept")
	age(t, path, "slept", time.Hour)
	putClock(t, l, "gap_begin", -50*time.Minute)
	putClock(t, l, "gap_end", -time.Second)
	wantScript(t, path, "skip", 1, "claim", "slept")
	putClock(t, l, "gap_end", -3*time.Minute)
	wantScript(t, path, "claimed", 0, "claim", "slept")
	claimPlain(t, l, "before")
	age(t, path, "before", time.Hour)
	putClock(t, l, "gap_begin", -40*time.Minute) // its time was over then
	putClock(t, l, "gap_end", -time.Second)
	wantScript(t, path, "claimed", 0, "claim", "before")
}

// TestSeedScriptFollowsTheLedgersTime: after the clock was set back a day, the script
// reckons by the time that went on.
func TestSeedScriptFollowsTheLedgersTime(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.db")
	l := newLedger(t, path)
	putClock(t, l, "high", 24*time.Hour)
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	l = newLedger(t, path)
	claimPlain(t, l, "mine")
	wantScript(t, path, "skip", 1, "claim", "mine")
	wantScript(t, path, "claimed", 0, "claim", "theirs")
	life, err := l.Key(t.Context(), "", "theirs")
	if err != nil {
		t.Fatal(err)
	}
	if ahead := time.Until(life.Key.ClaimedAt); ahead < 23*time.Hour {
		t.Errorf("the script claimed %v from now, want a day", ahead)
	}
	if a := claimPlain(t, l, "theirs"); a.Run {
		t.Errorf("granted what the script holds: %+v", a)
	}
}

// TestSeedScriptComesFirstAfterTheClockWasSetBack: no other program has seen it yet.
func TestSeedScriptComesFirstAfterTheClockWasSetBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.db")
	l := newLedger(t, path)
	putClock(t, l, "high", 24*time.Hour)
	wantScript(t, path, "claimed", 0, "claim", "theirs")
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if a := claimPlain(t, newLedger(t, path), "theirs"); a.Run {
		t.Errorf("granted what the script holds: %+v", a)
	}
}

// TestSeedScriptSeesThatTheClockWasSetRight: what was claimed by the time that went on
// is not long over by the machine's.
func TestSeedScriptSeesThatTheClockWasSetRight(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.db")
	l := newLedger(t, path)
	claimPlain(t, l, "mine")
	if err := l.PutSetting(t.Context(), "clock.offset", strconv.FormatInt((24*time.Hour).Milliseconds(), 10)); err != nil {
		t.Fatal(err)
	}
	wantScript(t, path, "skip", 1, "claim", "mine")
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if a := claimPlain(t, newLedger(t, path), "mine"); a.Run {
		t.Errorf("taken over at once: %+v", a)
	}
}
