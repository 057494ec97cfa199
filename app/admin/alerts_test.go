package admin

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"dedupedesk/app/session"
)

// TestAnAlertIsSetTriedAndEnded: the address is kept, never shown again, and stays where
// the field is left empty.
func TestAnAlertIsSetTriedAndEnded(t *testing.T) {
	var came atomic.Int32
	status := http.StatusOK
	hook := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		came.Add(1)
		w.WriteHeader(status)
	}))
	defer hook.Close()
	d := newDesk(t)
	putRule(t, d, paidRule)
	s := sit(t, d, "Ana", session.Change)
	form := func(kind, address string) url.Values {
		return url.Values{"rule": {"paid-invoices"}, "kind": {kind}, "url": {address}}
	}
	wantWords(t, wantStatus(t, s.get("/keys/alerts"), http.StatusOK), "Messages to a hook leave this computer", "Nobody", "on Windows and macOS nobody tried them yet")
	secret := hook.URL + "/services/T0/B0/very-secret-tail"
	wantWords(t, wantStatus(t, s.post("/keys/alerts/test", form("slack", secret)), http.StatusOK), "It was taken.", secret)
	wantWords(t, wantStatus(t, s.post("/keys/alerts", form("slack", secret)), http.StatusOK), "Saved.", "····tail", "Nothing to tell yet")
	body := wantStatus(t, s.get("/keys/alerts"), http.StatusOK)
	if strings.Contains(body, "very-secret") {
		t.Error("the address is shown")
	}
	status = http.StatusGone
	wantWords(t, wantStatus(t, s.post("/keys/alerts/test", form("slack", "")), http.StatusUnprocessableEntity), "The message was not taken", "the hook is gone")
	if came.Load() != 2 {
		t.Errorf("%d messages came", came.Load())
	}
	wantWords(t, wantStatus(t, s.post("/keys/alerts", form("json", "http://example.com/hook")), http.StatusUnprocessableEntity), "has to begin with https://", `value="http://example.com/hook"`)
	wantStatus(t, s.post("/keys/alerts", url.Values{"rule": {"nobody"}, "kind": {"slack"}}), http.StatusNotFound)
	looker := sit(t, again(t, d), "Lou", session.Look)
	wantWords(t, wantStatus(t, looker.get("/keys/alerts"), http.StatusOK), "····tail", "set by Ana")
	if w := looker.post("/keys/alerts", form("slack", secret)); w.Code != http.StatusForbidden {
		t.Errorf("who may only look sets an alert: %d", w.Code)
	}
	wantWords(t, wantStatus(t, s.post("/keys/alerts", form("desktop", "left over")), http.StatusOK), "Saved.", "Nothing to tell yet")
	wantWords(t, wantStatus(t, looker.get("/keys/alerts"), http.StatusOK), "A notification on this computer, set by Ana")
	wantWords(t, wantStatus(t, s.post("/keys/alerts", form("", "")), http.StatusOK), "Saved.")
	if kept, err := d.Ledger.SettingsWithPrefix(t.Context(), "alerts/"); err != nil || len(kept) > 0 {
		t.Errorf("kept %v, %v", kept, err)
	}
}
