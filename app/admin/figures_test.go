package admin

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"dedupedesk/app/session"
	"dedupedesk/ledger"
)

// TestFiguresSayWhatWasStopped by day and rule, with money where a rule says what a double
// costs, and how long keys wait.
func TestFiguresSayWhatWasStopped(t *testing.T) {
	d := newDesk(t)
	s := sit(t, d, "Lou", session.Look)
	wantWords(t, wantStatus(t, s.get("/figures"), http.StatusOK), "No copy was stopped in the last 30 days.", "No key needs a decision.", "/figures/month?m=2026-11")
	wantWords(t, wantStatus(t, s.get("/figures/month?m=2026-11"), http.StatusOK), "No copy was stopped", "The month is not over yet.")
	putRule(t, d, "rule: orders\ntitle: New orders\nkey: key(body.id)\ncost_per_double: 12.50 EUR\n")
	claim := func(rule, key string) {
		t.Helper()
		if _, err := d.Ledger.Claim(t.Context(), ledger.ClaimRequest{Rule: rule, Key: key, Owner: fmt.Sprint(d.Clock.Now())}); err != nil {
			t.Fatal(err)
		}
	}
	for range 4 { // one runs, three are copies
		claim("orders", "a")
		move(d, time.Second)
	}
	move(d, 24*time.Hour)
	for range 2 {
		claim("default", "b")
		move(d, time.Second)
	}
	body := wantStatus(t, s.get("/figures"), http.StatusOK)
	wantWords(t, body, "Stopped in the last 30 days: 4. Most on 30 November: 3.", "New orders stopped the most in the last 30 days: 3 of 4.", "1 key counted", "Show as table", "/figures/month?m=2026-12", "/figures/month?m=2026-11")
	wantWords(t, wantStatus(t, s.get("/figures/month?m=2026-11"), http.StatusOK), "November 2026", "New orders", "37.50 EUR", "30 November: 3", "Counted since 30 November 2026")
	wantWords(t, wantStatus(t, s.get("/figures/month?m=2026-12"), http.StatusOK), "December 2026", "1 December: 1", "not said in the rule")
	wantWords(t, body, "In the last 24 hours: 1 let through, 1 copy stopped.", "1 Dec, ", "Hour (UTC)")
	wantWords(t, wantStatus(t, s.get("/figures?hours=168"), http.StatusOK), "In the last 7 days: 2 let through, 4 copies stopped.")
	wantWords(t, wantStatus(t, s.get("/figures?hours=168&rule=orders"), http.StatusOK), "In the last 7 days: 1 let through, 3 copies stopped.", `value="orders" selected`)
	wantWords(t, wantStatus(t, s.get("/figures?hours=5&rule=gone"), http.StatusOK), "In the last 24 hours nothing was asked.", `value="gone" selected`)
	wantWords(t, wantStatus(t, s.get("/keys?rule=orders&range=all"), http.StatusOK), `href="/figures?rule=orders"`, "nothing was asked")
	wantWords(t, wantStatus(t, s.get("/keys"), http.StatusOK), "In the last 24 hours: 1 let through, 1 copy stopped.")
	wantStatus(t, s.get("/figures/month?m=november"), http.StatusBadRequest)
	wantStatus(t, s.get("/figures/month"), http.StatusBadRequest)
}
