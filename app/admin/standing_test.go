package admin

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"dedupedesk/app/session"
	"dedupedesk/ledger"
	"dedupedesk/ledger/ledgertest"
)

// TestAClockSetBackIsAcceptedOnThePages: every page says so until somebody who may
// change things accepts it; time goes on from before until then.
func TestAClockSetBackIsAcceptedOnThePages(t *testing.T) {
	d := newDesk(t)
	clock := d.Clock.(*ledgertest.Clock)
	ledgertest.MustClaim(t, d.Ledger, ledger.ClaimRequest{Key: "a"})
	clock.Set(-26 * time.Hour)
	looker, changer := sit(t, d, "Lou", session.Look), sit(t, d, "Ada", session.Change)
	const title = "is 26 h behind the latest time"
	wantTold(t, looker.get("/").Body.String(), title, "Only somebody who may change things here can accept it.")
	wantTold(t, changer.get("/keys").Body.String(), title, "The clock is right now")
	if got := looker.post("/standing/accept", url.Values{"what": {"clock"}}).Code; got != http.StatusForbidden {
		t.Errorf("a looker accepts: %d", got)
	}
	if got := changer.post("/standing/accept", url.Values{"what": {"tea"}}).Code; got != http.StatusBadRequest {
		t.Errorf("nothing of that name: %d", got)
	}
	if !d.Ledger.Now().After(clock.Now()) {
		t.Error("time went back before anybody accepted it")
	}
	answer := changer.post("/standing/accept", url.Values{"what": {"clock"}})
	if answer.Code != http.StatusOK {
		t.Fatalf("accept: %d %s", answer.Code, answer.Body)
	}
	wantAbsent(t, answer.Body.String(), title)
	wantAbsent(t, changer.get("/").Body.String(), title)
	if got := d.Ledger.Now(); !got.Equal(clock.Now()) {
		t.Errorf("time %v, clock %v", got, clock.Now())
	}
}

// TestARestoreIsAcceptedOnThePages: what a backup does not know stays said until a
// person takes it on.
func TestARestoreIsAcceptedOnThePages(t *testing.T) {
	d := newDesk(t)
	if _, err := d.Ledger.MarkRestored(t.Context(), d.Clock.Now().Add(-48*time.Hour)); err != nil {
		t.Fatal(err)
	}
	ada := sit(t, d, "Ada", session.Change)
	wantTold(t, ada.get("/keys").Body.String(), "The key file comes from a backup", "since 2026-11-28 14:05 UTC")
	answer := ada.post("/standing/accept", url.Values{"what": {"restore"}})
	if answer.Code != http.StatusOK {
		t.Fatalf("accept: %d %s", answer.Code, answer.Body)
	}
	wantAbsent(t, ada.get("/").Body.String(), "comes from a backup")
}
