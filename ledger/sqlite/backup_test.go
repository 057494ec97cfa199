package sqlite_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"dedupedesk/ledger"
	"dedupedesk/ledger/sqlite"
)

// inFolder returns the names of the files in a folder.
func inFolder(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}

// TestPeers53BackupWhileClaimsGoOn: what was answered before it began is in it, it is
// whole, and it knows what it is.
func TestPeers53BackupWhileClaimsGoOn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.db")
	l := newLedger(t, path)
	fill(t, path, 5_000)
	before := claimPlain(t, l, "before")
	ctx, stop := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	claimed := 0
	wg.Go(func() {
		for ; ctx.Err() == nil; claimed++ {
			claimPlain(t, l, fmt.Sprint("meanwhile-", claimed))
		}
	})
	dir := t.TempDir()
	made := time.Now().UTC().Truncate(time.Millisecond)
	err := l.Backup(t.Context(), filepath.Join(dir, "copy.db"))
	stop()
	wg.Wait()
	if err != nil || claimed == 0 {
		t.Fatalf("%d claimed meanwhile, %v", claimed, err)
	}
	if got := inFolder(t, dir); got != "copy.db" {
		t.Errorf("the folder holds %q", got)
	}
	if _, ok, err := l.RestoredFrom(t.Context()); ok || err != nil {
		t.Errorf("the ledger takes itself for a copy: %v, %v", ok, err)
	}
	copied := newLedger(t, filepath.Join(dir, "copy.db"))
	if err := copied.Examine(t.Context()); err != nil {
		t.Error(err)
	}
	since, ok, err := copied.RestoredFrom(t.Context())
	if err != nil || !ok || since.Before(made) || since.After(made.Add(time.Minute)) {
		t.Errorf("made at %v, %v, %v, want about %v", since, ok, err, made)
	}
	c, err := copied.Counts(t.Context())
	if err != nil || c.Total < 5_001 || c.Finished != 4_995 {
		t.Errorf("%+v, %v", c, err)
	}
	id := ledger.Identity{Key: "before", Token: before.Token}
	if a, err := copied.Done(t.Context(), ledger.DoneRequest{Identity: id}); err != nil || a.Status != ledger.StatusDone {
		t.Errorf("%+v, %v", a, err)
	}
}

// TestACopyOfARestoredLedgerMissesWhatThatMisses.
func TestACopyOfARestoredLedgerMissesWhatThatMisses(t *testing.T) {
	dir := t.TempDir()
	l := newLedger(t, filepath.Join(dir, "ledger.db"))
	since, err := l.MarkRestored(t.Context(), time.Now().Add(-time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Backup(t.Context(), filepath.Join(dir, "copy.db")); err != nil {
		t.Fatal(err)
	}
	got, ok, err := newLedger(t, filepath.Join(dir, "copy.db")).RestoredFrom(t.Context())
	if err != nil || !ok || !got.Equal(since) {
		t.Errorf("%v, %v, %v, want %v", got, ok, err, since)
	}
}

func TestABackupLeavesWhatIsThereAlone(t *testing.T) {
	dir := t.TempDir()
	l := newLedger(t, filepath.Join(t.TempDir(), "ledger.db"))
	there := filepath.Join(dir, "there.db")
	if err := os.WriteFile(there, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("nowhere", filepath.Join(dir, "link.db")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"there.db", "link.db", "."} {
		wantCode(t, l.Backup(t.Context(), filepath.Join(dir, name)), ledger.Invalid)
	}
	b, err := os.ReadFile(there)
	if err != nil || string(b) != "precious" || inFolder(t, dir) != "link.db there.db" {
		t.Errorf("%q, %v, %s", b, err, inFolder(t, dir))
	}
	wantCode(t, l.Backup(t.Context(), filepath.Join(dir, "no", "folder.db")), ledger.Busy)
}

// TestABackupThatIsGivenUpLeavesNothing, at whichever step it is.
func TestABackupThatIsGivenUpLeavesNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.db")
	s := open(t, path)
	defer s.Close()
	fill(t, path, 10_000)
	dir := t.TempDir()
	given := 0
	for after := time.Duration(0); ; after = after*2 + time.Millisecond {
		ctx, cancel := context.WithTimeout(t.Context(), after)
		err := s.Backup(ctx, filepath.Join(dir, "copy.db"), time.Now())
		cancel()
		if err == nil {
			break
		}
		given++
		if ledger.CodeOf(err) != ledger.Busy || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("after %v: %v", after, err)
		}
		if got := inFolder(t, dir); got != "" {
			t.Fatalf("after %v it left %q", after, got)
		}
	}
	if given < 2 || inFolder(t, dir) != "copy.db" {
		t.Errorf("given up %d times, then %q", given, inFolder(t, dir))
	}
}

// TestABackupOfADamagedFileIsNone.
func TestABackupOfADamagedFileIsNone(t *testing.T) {
	const bad = "key-00000001"
	s, err := sqlite.Open(damaged(t, bad))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	dir := t.TempDir()
	wantCode(t, s.Examine(t.Context()), ledger.Corrupt)
	wantCode(t, s.Backup(t.Context(), filepath.Join(dir, "copy.db"), time.Now()), ledger.Corrupt)
	if got := inFolder(t, dir); got != "" {
		t.Errorf("it left %q", got)
	}
}
