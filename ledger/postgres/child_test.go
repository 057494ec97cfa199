package postgres_test

import (
	"os"
	"testing"

	"dedupedesk/ledger/postgres/pgtest"
)

func TestMain(m *testing.M) {
	os.Exit(pgtest.Main(m))
}
