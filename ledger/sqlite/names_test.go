package sqlite_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"dedupedesk/ledger"
	"dedupedesk/ledger/sqlite"
)

func wantSecondName(t *testing.T, err error) {
	t.Helper()
	wantCode(t, err, ledger.Busy)
	if msg := ledger.MessageOf(err); !strings.Contains(msg, "second name (a hard link)") || !strings.Contains(msg, "Remove the other name") {
		t.Errorf("told: %s", msg)
	}
}

// TestAFileWithTwoNamesIsNotOpened: each name has a write-ahead log of its own, so one
// key would be granted under each.
func TestAFileWithTwoNamesIsNotOpened(t *testing.T) {
	dir := t.TempDir()
	path, other := filepath.Join(dir, "ledger.db"), filepath.Join(dir, "other.db")
	if err := newLedger(t, path).Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(path, other); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{path, other} {
		s, err := sqlite.Open(name)
		if err == nil {
			t.Fatal(filepath.Base(name), "was opened", s.Close())
		}
		wantSecondName(t, err)
	}
	if left, err := filepath.Glob(filepath.Join(dir, "*-*")); err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	if err := os.Remove(other); err != nil {
		t.Fatal(err)
	}
	if a := claimPlain(t, newLedger(t, path), "k"); !a.Run {
		t.Errorf("the other name is gone: %+v", a)
	}
}

// TestASecondNameMadeLaterStopsGrants, until it is removed.
func TestASecondNameMadeLaterStopsGrants(t *testing.T) {
	dir := t.TempDir()
	path, other := filepath.Join(dir, "ledger.db"), filepath.Join(dir, "other.db")
	l := newLedger(t, path)
	claimPlain(t, l, "before")
	if err := os.Link(path, other); err != nil {
		t.Fatal(err)
	}
	_, err := sqlite.Open(other)
	wantSecondName(t, err)
	time.Sleep(1100 * time.Millisecond) // a look stands for a second
	a, err := l.Claim(t.Context(), ledger.ClaimRequest{Key: "k"})
	wantSecondName(t, err)
	if a.Run {
		t.Errorf("%+v", a)
	}
	wantSecondName(t, l.Check(t.Context()))
	if err := os.Remove(other); err != nil {
		t.Fatal(err)
	}
	if a := claimPlain(t, l, "k"); !a.Run {
		t.Errorf("the other name is gone: %+v", a)
	}
}
