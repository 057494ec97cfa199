package admin

import (
	"net/http"
	"net/url"
	"testing"

	"dedupedesk/app/session"
	"dedupedesk/ledger"
	"dedupedesk/ledger/ledgertest"
)

// TestAPauseIsMadeAndEndedAtTheFoot of any page, by who may decide, and every page says
// so meanwhile.
func TestAPauseIsMadeAndEndedAtTheFoot(t *testing.T) {
	d := newDesk(t)
	looker, decider := sit(t, d, "Lou", session.Look), sit(t, d, "Dan", session.Decide)
	act := func(what string) url.Values { return url.Values{"act": {what}} }
	wantTold(t, decider.get("/keys").Body.String(), "This computer only Pause")
	wantAbsent(t, looker.get("/keys").Body.String(), "Pause")
	if got := looker.post("/pause", act("pause")).Code; got != http.StatusForbidden {
		t.Errorf("a looker pauses: %d", got)
	}
	if got := decider.post("/pause", act("stop")).Code; got != http.StatusBadRequest {
		t.Errorf("an act that is none: %d", got)
	}
	a := decider.post("/pause", act("pause"))
	if a.Code != http.StatusOK {
		t.Fatalf("pause: %d %s", a.Code, a.Body)
	}
	wantTold(t, a.Body.String(), "Paused by Dan: every request gets", "nothing is let through", "Resume")
	if _, err := d.Ledger.Claim(t.Context(), ledger.ClaimRequest{Key: "a"}); ledger.CodeOf(err) != ledger.Paused {
		t.Errorf("a claim in the pause: %v", err)
	}
	for _, path := range []string{"/", "/keys", "/status"} {
		wantTold(t, decider.get(path).Body.String(), "Paused by Dan: every request gets", "Resume")
	}
	seen := looker.get("/").Body.String()
	wantTold(t, seen, "Paused by Dan")
	wantAbsent(t, seen, "Resume")
	wantTold(t, decider.post("/pause", act("resume")).Body.String(), "This computer only Pause", "Grants go on")
	if _, err := d.Ledger.Claim(t.Context(), ledger.ClaimRequest{Key: "a"}); err != nil {
		t.Errorf("a claim after it: %v", err)
	}
}

// TestInAPauseNoRuleSaysThatItProtects on Home.
func TestInAPauseNoRuleSaysThatItProtects(t *testing.T) {
	d := newDesk(t)
	if _, err := d.Ledger.PutRule(t.Context(), "", ledger.Rule{Name: "orders", Title: "Orders", Doc: []byte(`{"rule":"orders","key":"key(body.id)"}`), Policy: ledger.DefaultPolicy()}); err != nil {
		t.Fatal(err)
	}
	ledgertest.MustClaim(t, d.Ledger, ledger.ClaimRequest{Rule: "orders", Key: "a"})
	at := sit(t, d, "Ada", session.Change)
	wantTold(t, at.get("/").Body.String(), "Protecting")
	if err := d.Ledger.Pause(t.Context(), "Ada"); err != nil {
		t.Fatal(err)
	}
	wantAbsent(t, at.get("/").Body.String(), "Protecting")
}
