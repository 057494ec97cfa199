package body

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"dedupedesk/ledger"
)

var at = time.Date(2026, 11, 30, 8, 0, 0, 5e6, time.UTC)

// through sends a body over the wire and back.
func through[B any](t *testing.T, b B) B {
	t.Helper()
	data, err := json.Marshal(b)
	if err != nil {
		t.Fatal(err)
	}
	var back B
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	return back
}

func TestBodiesLoseNothing(t *testing.T) {
	answer := ledger.Answer{
		Status: ledger.StatusClaimed, Run: true, Rule: "r", Key: "k", Token: "1.x", Fence: 1, Attempt: 2, LeaseUntil: at,
		Repeated: true, TookOver: true, RetryAfter: 9 * time.Second, Result: json.RawMessage(`{"id":7}`), FirstSeen: at, Reason: "why",
	}
	if diff := cmp.Diff(answer, through(t, ClaimOf(answer)).Answer()); diff != "" {
		t.Errorf("claim (-sent +read):\n%s", diff)
	}
	report := ledger.Answer{Status: ledger.StatusDone, Rule: "r", Key: "k", Late: true, Already: true, Fence: 3, Attempt: 1, LeaseUntil: at, Result: json.RawMessage(`1`), Reason: "why"}
	if diff := cmp.Diff(report, through(t, ReportOf(report)).Answer()); diff != "" {
		t.Errorf("report (-sent +read):\n%s", diff)
	}
	key := ledger.Key{
		Rule: "r", Key: "k", State: ledger.Held, Stuck: true, StuckWhy: "w", Expired: true, Owner: "o", Fence: 4, Attempts: 5,
		FirstSeen: at, ClaimedAt: at, LeaseUntil: at, DoneAt: at, NextTryAt: at, ChangedAt: at, LastError: "e",
		Result: json.RawMessage(`"x"`), Fingerprint: "f", Copies: 6, Mismatches: 7, StaleCalls: 8, Generation: 9,
	}
	life := ledger.Life{
		Key:      key,
		Events:   []ledger.Event{{At: at, Kind: ledger.EventGranted, Owner: "o", By: "b", Text: "t", Fence: 1}},
		Arrivals: []ledger.Arrival{{At: at, Owner: "p", Status: ledger.StatusInProgress}},
	}
	if diff := cmp.Diff(life, through(t, LifeOf(life)).Value()); diff != "" {
		t.Errorf("life (-sent +read):\n%s", diff)
	}
	rule := ledger.Rule{Name: "r", Title: "T", Version: 2, ChangedAt: at, FormerAt: at, Doc: []byte(`{"rule":"r"}`)}
	if diff := cmp.Diff(rule, through(t, RuleOf(rule)).Value()); diff != "" {
		t.Errorf("rule (-sent +read):\n%s", diff)
	}
}

// TestEmptyListsAreLists: a mapping screen cannot tell null from a missing field.
func TestEmptyListsAreLists(t *testing.T) {
	for _, b := range []any{KeysOf(ledger.KeyPage{}), LifeOf(ledger.Life{})} {
		data, err := json.Marshal(b)
		if err != nil {
			t.Fatal(err)
		}
		var members map[string]any
		if err := json.Unmarshal(data, &members); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"keys", "history", "arrivals"} {
			if v, there := members[name]; there && v == nil {
				t.Errorf("%s is null in %s", name, data)
			}
		}
	}
}
