package sqlite_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"dedupedesk/ledger"
)

// TestAFileBroughtToANewerSchemaWhileItIsOpen grants nothing any more, to calls one by
// one and at once, and grants again where the newer program took that back.
func TestAFileBroughtToANewerSchemaWhileItIsOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ledger.db")
	l := newLedger(t, path)
	claimPlain(t, l, "before")
	var was int
	db := raw(t, path)
	if err := db.QueryRow("PRAGMA user_version").Scan(&was); err != nil {
		t.Fatal(err)
	}
	run(t, db, fmt.Sprintf("PRAGMA user_version = %d", was+1))
	refused := func(key string) error {
		a, err := l.Claim(t.Context(), ledger.ClaimRequest{Key: key})
		if ledger.CodeOf(err) != ledger.Busy || !strings.Contains(ledger.MessageOf(err), "newer version of this program") {
			return fmt.Errorf("%s: %+v, %w", key, a, err)
		}
		return nil
	}
	errs := make(chan error)
	for n := range 20 {
		go func() { errs <- refused(fmt.Sprint("at once ", n)) }()
	}
	for range 20 {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	for range 3 {
		if err := refused("one by one"); err != nil {
			t.Error(err)
		}
	}
	run(t, db, fmt.Sprintf("PRAGMA user_version = %d", was))
	if a := claimPlain(t, l, "one by one"); !a.Run {
		t.Errorf("%+v", a)
	}
}
