package sqlite

import (
	"testing"
	"time"

	"dedupedesk/ledger"
)

// TestCountersHoldWhateverACallChanges: a call may move a row and stop a copy at once.
func TestCountersHoldWhateverACallChanges(t *testing.T) {
	s := openStore(t)
	l := ledger.New(s, ledger.SystemClock(), nil)
	p := ledger.DefaultPolicy()
	p.MaxAttempts = 1
	if _, err := l.PutRule(t.Context(), "", ledger.Rule{Name: "once", Policy: p}); err != nil {
		t.Fatal(err)
	}
	claim := func(key string) ledger.Answer {
		t.Helper()
		a, err := l.Claim(t.Context(), ledger.ClaimRequest{Rule: "once", Key: key, Fingerprint: "f1"})
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	report := func(key string, a ledger.Answer, f func(id ledger.Identity) error) {
		t.Helper()
		if err := f(ledger.Identity{Rule: "once", Key: key, Token: a.Token}); err != nil {
			t.Fatal(err)
		}
	}
	release := func(id ledger.Identity) error {
		_, err := l.Release(t.Context(), ledger.ReleaseRequest{Identity: id, Error: "it broke"})
		return err
	}
	for _, key := range []string{"a", "b", "c", "d"} {
		a := claim(key)
		claim(key) // a copy
		switch key {
		case "a":
			report(key, a, release)
			if a := claim(key); a.Status != ledger.StatusHeld { // held and a copy in one
				t.Errorf("%+v", a)
			}
		case "b":
			report(key, a, release)
		case "c":
			report(key, a, func(id ledger.Identity) error {
				_, err := l.Renew(t.Context(), ledger.RenewRequest{Identity: id, Lease: time.Hour})
				return err
			})
			report(key, a, func(id ledger.Identity) error {
				_, err := l.Done(t.Context(), ledger.DoneRequest{Identity: id, Result: []byte(`{"id":7}`)})
				return err
			})
			claim(key)
		}
		wantCounters(t, s)
	}
	c, err := l.Counts(t.Context())
	if err != nil || c.Total != 4 || c.Stuck != 1 || c.Finished != 1 || c.Waiting != 1 || c.InProgress != 1 || c.CopiesStopped != 6 || c.CopiesThisWeek != 6 {
		t.Errorf("%+v, %v", c, err)
	}
}
