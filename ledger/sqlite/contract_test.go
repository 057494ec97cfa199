package sqlite_test

import (
	"path/filepath"
	"testing"

	"dedupedesk/ledger"
	"dedupedesk/ledger/ledgertest"
	"dedupedesk/ledger/sqlite"
)

func TestContract(t *testing.T) {
	ledgertest.Run(t, func(t *testing.T) func() ledger.Store {
		path := filepath.Join(t.TempDir(), "ledger.db")
		return func() ledger.Store { return open(t, path) }
	})
}

func open(t testing.TB, path string) *sqlite.Store {
	t.Helper()
	s, err := sqlite.Open(path)
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	return s
}
