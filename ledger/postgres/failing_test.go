package postgres_test

import (
	"testing"

	"dedupedesk/ledger"
	"dedupedesk/ledger/ledgertest"
	"dedupedesk/ledger/postgres/pgtest"
)

// TestEveryStoreCallFails lets each call of the database fail in turn, under each method
// of the ledger.
func TestEveryStoreCallFails(t *testing.T) {
	ledgertest.RunFailing(t, func(t *testing.T) ledger.Store { return open(t, pgtest.NewSchema(t)) })
}
