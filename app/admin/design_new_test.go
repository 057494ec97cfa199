package admin

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"dedupedesk/app/session"
)

// A formula that nobody's keys follow is changed without a question.
func TestUnusedRuleIsChangedWithoutAQuestion(t *testing.T) {
	d := newDesk(t)
	dr := putStripe(t, d)
	dr.wants("Nothing is stopped by it until your automation asks.")
	dr.do(http.StatusOK, "field", "path", "body.type")
	dr.wants("No event was seen under the formula in use yet")
	dr.lacks(`data-confirm-title="Change the formula`)
}

func TestNewRuleNeedsATitle(t *testing.T) {
	d := newDesk(t)
	dr := startRule(t, d, url.Values{"start": {"stripe"}})
	w := dr.do(http.StatusUnprocessableEntity, "use", "title", "  ", "name", "paid", "lease", "15m", "keep", "35d", "on_expiry", "ask")
	if w.Header().Get("HX-Redirect") != "" || !strings.Contains(w.Body.String(), `id="rule-title-fault"`) {
		t.Errorf("no sentence at the field: %.300s", w.Body.String())
	}
	dr.wants("Say in a few words what must happen once.")
	if got := keptDraft(t, d, dr.draft).Rule; got.Rule != "paid" || got.OnExpiry != "ask" {
		t.Errorf("what was typed is lost: %+v", got)
	}
}

func TestDraftsAreListedBySenderAndTime(t *testing.T) {
	d := newDesk(t)
	for _, from := range []string{"stripe", "empty", "empty", "empty", "empty"} {
		startRule(t, d, url.Values{"start": {from}})
		move(d, time.Minute)
	}
	body := sit(t, d, "Robin", session.Change).get("/design").Body.String()
	at := func(minute int) string {
		return time.Date(2026, 11, 30, 14, 5+minute, 0, 0, time.UTC).Local().Format("2 Jan 15:04")
	}
	wantTold(t, body, "Stripe events, "+at(0), "Unknown sender, "+at(4), "2 older drafts")
	paste, drafts, folded := strings.Index(body, `id="design-new"`), strings.Index(body, `id="design-drafts"`), strings.Index(body, "older drafts")
	if paste < 0 || drafts < paste || folded < drafts || strings.Count(body[drafts:folded], "draft-line") != 3 {
		t.Errorf("new rule at %d, drafts at %d, the older ones at %d", paste, drafts, folded)
	}
}
