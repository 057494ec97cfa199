package admin

import (
	"net/http"
	"strings"
	"testing"
)

// TestEarlierVersionIsBroughtBackAsADraft: nothing is put to use by it, and it can be
// undone.
func TestEarlierVersionIsBroughtBackAsADraft(t *testing.T) {
	d := newDesk(t)
	putRule(t, d, "rule: paid\ntitle: Paid\nkey: key(body.id)\nlease: 15m\n")
	putRule(t, d, "rule: paid\ntitle: Paid\nkey: key(body.id, body.type)\nlease: 1h\n")
	dr := &drawer{seat: sit(t, d, "Robin", "change"), draft: "rule.paid"}
	dr.open("/design/rule?rule=paid")
	dr.wants(`href="/design/versions?rule=paid"`)
	dr.open("/design/versions?rule=paid")
	dr.wants("Versions of Paid", "key(body.id, body.type)", "formula, time allowed: 15 minutes, now 1 hour", "the first one", "Bring this back")
	if n := strings.Count(dr.shown, "Bring this back"); n != 1 {
		t.Errorf("%d versions can be brought back, want the earlier one", n)
	}
	w := dr.do(http.StatusOK, "bring", "version", "1")
	if to := w.Header().Get("HX-Redirect"); to != "/design/rule?rule=paid" {
		t.Errorf("leads to %q", to)
	}
	if got := keptDraft(t, d, dr.draft).Rule; got.Key != "key(body.id)" || got.Lease.String() != "15m" {
		t.Errorf("the draft is %+v", got)
	}
	if lr, err := d.Ledger.Rule(t.Context(), "paid"); err != nil || lr.Version != 2 {
		t.Errorf("in use is version %d, %v", lr.Version, err)
	}
	dr.do(http.StatusOK, "undo")
	if got := keptDraft(t, d, dr.draft).Rule.Key; got != "key(body.id, body.type)" {
		t.Errorf("undone to %s", got)
	}
	dr.do(http.StatusOK, "redo")
	dr.do(http.StatusOK, "use", "why", "copies")
	dr.open("/design/versions?rule=paid")
	dr.wants("put to use by Robin")
	dr.do(http.StatusConflict, "bring", "version", "9")
	if w := dr.get("/design/versions?rule=none"); w.Code != http.StatusNotFound {
		t.Errorf("versions of no rule: %d", w.Code)
	}
}
