package postgres_test

import (
	"context"
	"testing"

	"dedupedesk/ledger"
	"dedupedesk/ledger/ledgertest"
	"dedupedesk/ledger/postgres"
	"dedupedesk/ledger/postgres/pgtest"
)

func TestContract(t *testing.T) {
	ledgertest.Run(t, func(t *testing.T) func() ledger.Store {
		url := pgtest.NewSchema(t)
		return func() ledger.Store { return open(t, url) }
	})
}

func open(tb testing.TB, url string) *postgres.Store {
	tb.Helper()
	s, err := postgres.Open(context.Background(), url)
	if err != nil {
		tb.Fatalf("Open: %v", err)
	}
	return s
}
