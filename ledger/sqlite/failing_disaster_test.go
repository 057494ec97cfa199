package sqlite_test

import (
	"path/filepath"
	"testing"

	"dedupedesk/ledger"
	"dedupedesk/ledger/ledgertest"
)

// TestEveryStoreCallFails lets each call of the file fail in turn, under each method
// of the ledger.
func TestEveryStoreCallFails(t *testing.T) {
	ledgertest.RunFailing(t, func(t *testing.T) ledger.Store { return open(t, filepath.Join(t.TempDir(), "ledger.db")) })
}
