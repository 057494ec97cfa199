package sqlite_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dedupedesk/ledger"
	"dedupedesk/ledger/sqlite"
)

// TestOddRowsOfASeenFileAreHeld: whatever is in the table, the file is taken over and
// nobody is granted what the script may have done.
func TestOddRowsOfASeenFileAreHeld(t *testing.T) {
	path := filepath.Join(t.TempDir(), "seen.db")
	wantScript(t, path, "claimed", 0, "claim", "fine")
	db := raw(t, path)
	for _, row := range []string{
		"('late', 'claimed', 1e300, NULL)",
		"('early', 'claimed', -1e300, NULL)",
		"('endless', 'claimed', 9e999, NULL)",
		"('words', 'claimed', 'yesterday', NULL)",
		"('state', x'646F6E65', 1760000000.5, NULL)",
		"('done late', 'done', 1e300, 1e300)",
		"('done words', 'done', 1760000000.5, 'today')",
		"(x'6162', 'done', 1760000000.5, 1760000001.5)",
		"(CAST(x'61FF' AS TEXT), 'done', 1760000000.5, 1760000001.5)",
		"('a\uFFFD', 'done', 1760000000.5, 1760000001.5)",
		"('', 'claimed', 1760000000.5, NULL)",
		"(NULL, 'claimed', 1760000000.5, NULL)",
		"(hex(zeroblob(40000)), 'done', 1760000000.5, 1760000001.5)",
	} {
		run(t, db, "INSERT INTO seen VALUES "+row)
	}
	began := time.Now()
	l := newLedger(t, path)
	for key, want := range map[string]ledger.Status{
		"fine": ledger.StatusInProgress,
		"late": ledger.StatusHeld, "early": ledger.StatusHeld, "endless": ledger.StatusHeld, "words": ledger.StatusHeld,
		"state":     ledger.StatusHeld,
		"done late": ledger.StatusDone, "done words": ledger.StatusDone, "a\uFFFD": ledger.StatusDone,
		"bytes 6162": ledger.StatusHeld,
	} {
		if a := claimPlain(t, l, key); a.Status != want || a.Run {
			t.Errorf("%q: %+v, want %s", key, a, want)
		}
	}
	// A time that nobody can mean must neither hide a key nor have it pruned at once.
	for _, key := range []string{"late", "done late"} {
		life, err := l.Key(t.Context(), "", key)
		if err != nil || life.Key.FirstSeen.Before(began.Add(-time.Minute)) || life.Key.FirstSeen.After(time.Now()) {
			t.Errorf("%q was first seen %v, %v", key, life.Key.FirstSeen, err)
		}
	}
	if life, err := l.Key(t.Context(), "", "words"); err != nil || !strings.Contains(life.Key.LastError, "yesterday") {
		t.Errorf("nobody is told why: %+v, %v", life.Key, err)
	}
	if n, ok, err := l.Setting(t.Context(), ledger.SeenUnreadable); err != nil || !ok || n != "4" {
		t.Errorf("%q rows unreadable, %t, %v", n, ok, err)
	}
	var kept, longest int
	err := raw(t, path).QueryRow("SELECT count(*), max(length(key)) FROM seen_unreadable").Scan(&kept, &longest)
	if err != nil || kept != 4 || longest != 80_000 {
		t.Errorf("%d rows kept, the longest key has %d characters, %v", kept, longest, err)
	}
}

func TestASeenFileWithoutOddRowsSaysNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "seen.db")
	wantScript(t, path, "claimed", 0, "claim", "fine")
	l := newLedger(t, path)
	if n, ok, err := l.Setting(t.Context(), ledger.SeenUnreadable); err != nil || ok {
		t.Errorf("%q, %v", n, err)
	}
}

// TestAFailedTakeoverLeavesNothingBehind: the index has a name that the ledger needs,
// so that taking over fails when the copy is written already.
func TestAFailedTakeoverLeavesNothingBehind(t *testing.T) {
	path := filepath.Join(t.TempDir(), "seen.db")
	wantScript(t, path, "claimed", 0, "claim", "open")
	db := raw(t, path)
	run(t, db, "CREATE INDEX claims_key ON seen (state)")
	copies := func() []string {
		t.Helper()
		found, err := filepath.Glob(path + ".bak*")
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	for range 3 {
		if s, err := sqlite.Open(path); err == nil {
			t.Fatal(s.Close(), "it did not fail")
		}
		if found := copies(); len(found) != 0 {
			t.Errorf("left behind: %v", found)
		}
	}
	wantScript(t, path, "skip", 1, "claim", "open")
	run(t, db, "DROP INDEX claims_key")
	l := newLedger(t, path)
	if got := stateOf(t, l, "open"); got != ledger.Claimed {
		t.Errorf("open is %q", got)
	}
	if found := copies(); len(found) != 1 || found[0] != path+".bak" {
		t.Errorf("copies %v", found)
	}
}

// TestATableOfThatNameThatTheScriptDidNotMake could hold one key twice.
func TestATableOfThatNameThatTheScriptDidNotMake(t *testing.T) {
	path := filepath.Join(t.TempDir(), "other.db")
	run(t, raw(t, path), "CREATE TABLE seen (key TEXT, state TEXT, claimed_at REAL, done_at REAL)")
	_, err := sqlite.Open(path)
	wantCode(t, err, ledger.Invalid)
}
