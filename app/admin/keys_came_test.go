package admin

import (
	"net/http"
	"strings"
	"testing"

	"dedupedesk/app/catch"
	"dedupedesk/app/session"
	"dedupedesk/ledger"
)

// TestTheKeptEventIsOnItsKeysPage until the key is forgotten.
func TestTheKeptEventIsOnItsKeysPage(t *testing.T) {
	d := newDesk(t)
	putRule(t, d, paidRule)
	s := sit(t, d, "Ana", session.Change)
	rule, err := d.Ledger.Rule(t.Context(), "paid-invoices")
	if err != nil {
		t.Fatal(err)
	}
	a, err := d.Ledger.Claim(t.Context(), ledger.ClaimRequest{Rule: rule.Name, Key: "stripe:1"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Ledger.Done(t.Context(), ledger.DoneRequest{Identity: ledger.Identity{Rule: rule.Name, Key: "stripe:1", Token: a.Token}}); err != nil {
		t.Fatal(err)
	}
	at := keyHref(rule.Name, "stripe:1")
	if body := wantStatus(t, s.get(at), http.StatusOK); strings.Contains(body, "The event that we received") {
		t.Error("an event is shown that nobody kept")
	}
	d.Kept.Keep(rule.ID, "stripe:1", 5, catch.Delivery{At: d.Clock.Now(), Headers: map[string]string{"X-B": "2", "X-A": "1"}, Body: `{"id":1,"total":19.90,"note":"<b>"}`})
	body := wantStatus(t, s.get(at), http.StatusOK)
	wantWords(t, body, "The event that we received", `"total": 19.90`, "X-A: 1\nX-B: 2")
	if strings.Contains(body, "<b>") {
		t.Error("what came is markup of the page")
	}
	form := drawnForm(t, body, "forget")
	form.Set("why", "wrong customer")
	wantStatus(t, s.post("/keys/forget", form), http.StatusOK)
	if _, ok := d.Kept.Of(rule.ID, "stripe:1"); ok {
		t.Error("what came is kept beyond its key")
	}
}
