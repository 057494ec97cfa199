package intake_test

import (
	"context"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"dedupedesk/app/intake"
	"dedupedesk/ledger"
	"dedupedesk/ledger/ledgertest"
	"dedupedesk/ledger/sqlite"
	"dedupedesk/rules"
)

// The published cases that speak of claims and of rules at once. Those of keys alone
// are in rules.

// timed is an intake whose time a test moves.
func timed(t *testing.T) (*ledger.Ledger, *intake.Intake, *ledgertest.Clock) {
	t.Helper()
	store, err := sqlite.Open(filepath.Join(t.TempDir(), "ledger.db"))
	if err != nil {
		t.Fatal(err)
	}
	clock := ledgertest.NewClock()
	l := ledger.New(store, clock, nil)
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	engine, err := rules.New()
	if err != nil {
		t.Fatal(err)
	}
	return l, intake.New(l, engine), clock
}

// status claims an event and returns what was answered.
func status(t *testing.T, in *intake.Intake, rule, body, owner string) ledger.Answer {
	t.Helper()
	res, err := in.Claim(context.WithoutCancel(t.Context()), intake.Source{Rule: rule, Event: event(t, body)}, intake.Options{Owner: owner})
	if err != nil {
		t.Errorf("%s: %v", body, err)
		return ledger.Answer{}
	}
	return res.Items[0].Answer
}

func report(t *testing.T, l *ledger.Ledger, rule, key, owner string) {
	t.Helper()
	if _, err := l.Done(t.Context(), ledger.DoneRequest{Identity: ledger.Identity{Rule: rule, Key: key, Owner: owner}}); err != nil {
		t.Fatal(err)
	}
}

// TestT02OneBodyTwiceInParallel: one of them runs.
func TestT02OneBodyTwiceInParallel(t *testing.T) {
	_, in, _ := timed(t)
	mustPut(t, in, `{"rule":"n8n","key":"key(\"baserow\", body.event_id)"}`)
	for _, body := range []string{`{"event_id":"e-1"}`, `{"event_id":"e-2"}`, `{"event_id":"e-3"}`} {
		var got [2]ledger.Answer
		var wg sync.WaitGroup
		for i := range got {
			wg.Go(func() { got[i] = status(t, in, "n8n", body, "") })
		}
		wg.Wait()
		if a, b := got[0].Status, got[1].Status; (a == ledger.StatusClaimed) == (b == ledger.StatusClaimed) || a != ledger.StatusInProgress && b != ledger.StatusInProgress {
			t.Errorf("%s: %s and %s, want claimed and in_progress", body, a, b)
		}
	}
}

// TestT06NothingIsForgottenByCount: 10,001 finished keys stay until they are old.
func TestT06NothingIsForgottenByCount(t *testing.T) {
	l, _, clock := timed(t)
	keys := make([]ledger.Key, 10_001)
	for i := range keys {
		keys[i] = ledger.Key{Key: "k" + strconv.Itoa(i)}
	}
	for part := range slices.Chunk(keys, ledger.MaxImport) {
		if _, err := l.Import(t.Context(), ledger.ImportRequest{Keys: part, By: "test"}); err != nil {
			t.Fatal(err)
		}
	}
	clock.Step(34 * 24 * time.Hour)
	if res, err := l.PruneKept(t.Context()); err != nil || res.Removed != 0 {
		t.Errorf("after 34 days %d keys were forgotten, %v", res.Removed, err)
	}
	clock.Step(2 * 24 * time.Hour)
	if res, err := l.Prune(t.Context(), ledger.PruneRequest{DryRun: true}); err != nil || res.Removed != 10_001 {
		t.Errorf("after 36 days %d keys are to be forgotten, %v", res.Removed, err)
	}
}

// TestT17ACopyAfterADay: what came 29 hours later is answered as finished.
func TestT17ACopyAfterADay(t *testing.T) {
	l, in, clock := timed(t)
	mustPut(t, in, `{"rule":"mails","sender":"sendgrid","key":"key(\"sendgrid\", body.sg_event_id)"}`)
	first := status(t, in, "mails", `{"sg_event_id":"a"}`, "run-1")
	report(t, l, "mails", first.Key, "run-1")
	clock.Step(29 * time.Hour)
	if _, err := l.PruneKept(t.Context()); err != nil {
		t.Fatal(err)
	}
	if a := status(t, in, "mails", `{"sg_event_id":"a"}`, "run-2"); first.Status != ledger.StatusClaimed || a.Status != ledger.StatusDone {
		t.Errorf("%s, then %s; want claimed, then done", first.Status, a.Status)
	}
}

// TestT20ARunThatDies is seen by people, and the next copy runs.
func TestT20ARunThatDies(t *testing.T) {
	l, in, clock := timed(t)
	mustPut(t, in, `{"rule":"make","key":"key(\"make\", body.id)"}`)
	status(t, in, "make", `{"id":1}`, "run-1")
	clock.Step(time.Hour)
	page, err := l.Keys(t.Context(), ledger.KeyQuery{View: ledger.ViewStuck})
	if err != nil || len(page.Keys) != 1 || page.Keys[0].Key != "make:1" {
		t.Errorf("%+v, %v; want make:1 stuck", page.Keys, err)
	}
	if a := status(t, in, "make", `{"id":1}`, "run-2"); a.Status != ledger.StatusClaimed || !a.TookOver {
		t.Errorf("%+v, want claimed by taking over", a)
	}
}

// TestK06To08OneEventInSeveralRuns of a flow: a lost answer, another run, a resubmit.
func TestK06To08OneEventInSeveralRuns(t *testing.T) {
	l, in, _ := timed(t)
	mustPut(t, in, `{"rule":"flow","key":"key(\"stripe\", body.eventId)"}`)
	const body = `{"eventId":"evt_1"}`
	first, again, other := status(t, in, "flow", body, "0858A"), status(t, in, "flow", body, "0858A"), status(t, in, "flow", body, "0858B")
	if first.Status != ledger.StatusClaimed || again.Status != ledger.StatusClaimed || again.Token != first.Token || other.Status != ledger.StatusInProgress {
		t.Errorf("K06, K07: %s, again %s, another run %s", first.Status, again.Status, other.Status)
	}
	report(t, l, "flow", first.Key, "0858A")
	if a := status(t, in, "flow", body, "0858C"); a.Status != ledger.StatusDone {
		t.Errorf("K08: a resubmit gets %s", a.Status)
	}
	if _, err := l.Decide(t.Context(), ledger.DecideRequest{Rule: "flow", Key: first.Key, Decision: ledger.Again, By: "Ann", Why: "the invoice was not sent"}); err != nil {
		t.Fatal(err)
	}
	if a := status(t, in, "flow", body, "0858D"); a.Status != ledger.StatusClaimed {
		t.Errorf("K08: after a person let it run again: %s", a.Status)
	}
}
