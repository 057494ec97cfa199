package alerts_test

import (
	"fmt"
	"log/slog"
	"sync"
	"testing"

	"dedupedesk/app/alerts"
	"dedupedesk/ledger"
	"dedupedesk/ledger/ledgertest"
	"dedupedesk/ledger/postgres"
	"dedupedesk/ledger/postgres/pgtest"
)

// TestOfTwoEnginesOnPostgreSQLOneSends each rule's message, however often both look at once.
func TestOfTwoEnginesOnPostgreSQLOneSends(t *testing.T) {
	url, r := pgtest.New(t), newReceiver(t)
	var books []*alerts.Book
	var l *ledger.Ledger
	for range 2 {
		store, err := postgres.Open(t.Context(), url)
		if err != nil {
			t.Fatal(err)
		}
		l = ledger.New(store, ledgertest.NewClock(), nil)
		t.Cleanup(func() { _ = l.Close() })
		books = append(books, alerts.NewBook(l, slog.New(slog.DiscardHandler)))
	}
	const rules = 8
	for i := range rules {
		name := fmt.Sprint("rule-", i)
		rule, err := l.PutRule(t.Context(), "", ledger.Rule{Name: name, Policy: ledger.DefaultPolicy()})
		if err != nil {
			t.Fatal(err)
		}
		if err := books[0].SetTarget(t.Context(), rule.ID, alerts.Target{Kind: alerts.JSON, URL: r.URL}); err != nil {
			t.Fatal(err)
		}
		if _, err := l.Claim(t.Context(), ledger.ClaimRequest{Rule: name, Key: "a"}); err != nil {
			t.Fatal(err)
		}
		life, err := l.Key(t.Context(), name, "a")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := l.Decide(t.Context(), ledger.DecideRequest{Rule: name, Key: "a", Decision: ledger.Block, By: "Ana", Why: "a test", Fence: life.Key.Fence, State: life.Key.State}); err != nil {
			t.Fatal(err)
		}
	}
	for range 3 {
		var wg sync.WaitGroup
		for _, b := range books {
			wg.Go(func() {
				if err := b.Look(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
	}
	if n := len(r.messages()); n != rules {
		t.Errorf("%d messages of %d", n, rules)
	}
}
