package postgres_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"dedupedesk/ledger"
	"dedupedesk/ledger/ledgertest"
	"dedupedesk/ledger/postgres/pgtest"
)

// TestPeers59UnknownStateIsShownAndNeverGranted: a person can see the row as it is and
// decide on it.
func TestPeers59UnknownStateIsShownAndNeverGranted(t *testing.T) {
	url := pgtest.New(t)
	l := ledger.New(open(t, url), ledger.SystemClock(), nil)
	defer l.Close()
	ledgertest.MustClaim(t, l, ledger.ClaimRequest{Key: "a"})
	pgtest.Exec(t, url, `ALTER TABLE dedupe.claims DROP CONSTRAINT claims_state_known; UPDATE dedupe.claims SET state = 'odd'`)
	a, err := l.Claim(t.Context(), ledger.ClaimRequest{Key: "a"})
	if ledger.CodeOf(err) != ledger.Corrupt || a.Run {
		t.Errorf("claim: %+v, %v", a, err)
	}
	life, err := l.Key(t.Context(), "", "a")
	if err != nil || life.Key.State != "odd" || !life.Key.Stuck || life.Key.Word() != "Needs a decision" {
		t.Errorf("key: %+v, %v", life.Key, err)
	}
	page, err := l.Keys(t.Context(), ledger.KeyQuery{View: ledger.ViewStuck})
	if err != nil || len(page.Keys) != 1 {
		t.Errorf("stuck: %d keys, %v", len(page.Keys), err)
	}
	_, err = l.Decide(t.Context(), ledger.DecideRequest{Key: "a", Decision: ledger.Finished, By: "Ada", Why: "looked it up"})
	if err != nil {
		t.Fatal(err)
	}
	if a, err := l.Claim(t.Context(), ledger.ClaimRequest{Key: "a"}); err != nil || a.Status != ledger.StatusDone {
		t.Errorf("after the decision: %+v, %v", a, err)
	}
}

// TestADamagedPageStopsTheGranting: the server reports a page that cannot be; from then
// on nothing is granted, keys on other pages neither, until the store is opened anew.
func TestADamagedPageStopsTheGranting(t *testing.T) {
	server := pgtest.Start(t)
	url := server.New(t)
	l := ledger.New(open(t, url), ledger.SystemClock(), nil)
	ledgertest.MustClaim(t, l, ledger.ClaimRequest{Key: "on the first page"})
	fill(t, url, 2000)
	file := server.File(pgtest.Text(t, url, `SELECT pg_relation_filepath('dedupe.claims')`))
	server.Stop(t)
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	const page = 8192
	for i := range page {
		b[i] = 0xAA
	}
	if err := os.WriteFile(file, b, 0o600); err != nil {
		t.Fatal(err)
	}
	server.Start(t)
	a, err := l.Claim(t.Context(), ledger.ClaimRequest{Key: "on the first page"})
	if ledger.CodeOf(err) != ledger.Corrupt || a.Run {
		t.Fatalf("claim: %+v, %v", a, err)
	}
	a, err = l.Claim(t.Context(), ledger.ClaimRequest{Key: "new"})
	if ledger.CodeOf(err) != ledger.Corrupt || a.Run || !strings.Contains(ledger.MessageOf(err), "restore a backup") {
		t.Errorf("another key: %+v, %v", a, err)
	}
	if err := l.Check(t.Context()); ledger.CodeOf(err) != ledger.Corrupt {
		t.Errorf("check: %v", err)
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
}

// TestAReadOnlyDatabaseIsBusyAndPasses: as a standby is until it is promoted.
func TestAReadOnlyDatabaseIsBusyAndPasses(t *testing.T) {
	url := pgtest.New(t)
	l := ledger.New(open(t, url), ledger.SystemClock(), nil)
	defer l.Close()
	ledgertest.MustClaim(t, l, ledger.ClaimRequest{Key: "before"})
	pgtest.Exec(t, url, `ALTER DATABASE `+database(url)+` SET default_transaction_read_only = on`)
	pgtest.Exec(t, url, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'dedupe' AND datname = current_database()`)
	a, err := l.Claim(t.Context(), ledger.ClaimRequest{Key: "meanwhile"})
	if ledger.CodeOf(err) != ledger.Busy || a.Run || !strings.Contains(ledger.MessageOf(err), "read-only") {
		t.Errorf("claim: %+v, %v", a, err)
	}
	if life, err := l.Key(t.Context(), "", "before"); err != nil || life.Key.Fence != 1 {
		t.Errorf("it can be read: %+v, %v", life, err)
	}
	pgtest.Exec(t, url+"&default_transaction_read_only=off", `ALTER DATABASE `+database(url)+` RESET default_transaction_read_only`)
	ledgertest.MustClaim(t, l, ledger.ClaimRequest{Key: "meanwhile"})
}

// TestTextThatNoDatabaseTakesIsJustNotThere: text in PostgreSQL has no zero byte and is
// UTF-8; to look for other keys is no fault.
func TestTextThatNoDatabaseTakesIsJustNotThere(t *testing.T) {
	l := ledger.New(open(t, pgtest.New(t)), ledger.SystemClock(), nil)
	defer l.Close()
	ledgertest.MustClaim(t, l, ledger.ClaimRequest{Key: "é1"})
	for _, key := range []string{"a\x00b", strings.Repeat("x", 60_000)} {
		if _, err := l.Key(t.Context(), "", key); ledger.CodeOf(err) != ledger.NotFound {
			t.Errorf("%.10q: %v", key, err)
		}
	}
	for prefix, want := range map[string]int{"a\x00": 0, "\xff": 0, "\xc3": 1, "é": 1, "e": 0} {
		page, err := l.Keys(t.Context(), ledger.KeyQuery{Prefix: prefix})
		if err != nil || len(page.Keys) != want {
			t.Errorf("%q: %d keys, %v", prefix, len(page.Keys), err)
		}
	}
}

// TestKeysCompareByCodePoint: whatever the language of the database sorts like.
func TestKeysCompareByCodePoint(t *testing.T) {
	l := ledger.New(open(t, pgtest.New(t)), ledger.SystemClock(), nil)
	defer l.Close()
	for _, key := range []string{"pz", "pÄ", "pa", "pA", "p1", "p-", "p😀", "p｡"} {
		ledgertest.MustClaim(t, l, ledger.ClaimRequest{Key: key})
	}
	page, err := l.Keys(t.Context(), ledger.KeyQuery{Prefix: "p"})
	var got []string
	for _, k := range page.Keys {
		got = append(got, k.Key)
	}
	if want := "[p- p1 pA pa pz pÄ p｡ p😀]"; err != nil || fmt.Sprint(got) != want {
		t.Errorf("%v, %v, want %s", got, err, want)
	}
}

func TestExamineFindsAMissingShard(t *testing.T) {
	url := pgtest.New(t)
	l := ledger.New(open(t, url), ledger.SystemClock(), nil)
	defer l.Close()
	if _, err := l.PutRule(t.Context(), "", ledger.Rule{Name: "shop", Policy: ledger.DefaultPolicy()}); err != nil {
		t.Fatal(err)
	}
	if err := l.Examine(t.Context()); err != nil {
		t.Fatal(err)
	}
	pgtest.Exec(t, url, `DELETE FROM dedupe.rule_counts WHERE rule_id = 1 AND shard = 7`)
	if err := l.Examine(t.Context()); ledger.CodeOf(err) != ledger.Corrupt {
		t.Errorf("a shard is gone: %v", err)
	}
	pgtest.Exec(t, url, `DROP TABLE dedupe.arrivals`)
	if err := l.Examine(t.Context()); ledger.CodeOf(err) != ledger.Busy || !strings.Contains(ledger.MessageOf(err), "gone") {
		t.Errorf("a table is gone: %v", err)
	}
}

// TestNothingIsGrantedWithoutTheTables: somebody dropped the schema, or restored another
// database.
func TestNothingIsGrantedWithoutTheTables(t *testing.T) {
	url := pgtest.New(t)
	l := ledger.New(open(t, url), ledger.SystemClock(), nil)
	defer l.Close()
	ledgertest.MustClaim(t, l, ledger.ClaimRequest{Key: "before"})
	pgtest.Exec(t, url, `DROP SCHEMA dedupe CASCADE`)
	a, err := l.Claim(t.Context(), ledger.ClaimRequest{Key: "after"})
	if ledger.CodeOf(err) != ledger.Busy || a.Run {
		t.Errorf("%+v, %v", a, err)
	}
}
