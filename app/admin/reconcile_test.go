package admin

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"dedupedesk/app/session"
	"dedupedesk/ledger"
)

const orderRule = "rule: orders\ntitle: New orders\nkey: 'key(\"shop\", body.order)'\n"

// rowsForm is a table as the page sends it.
func rowsForm(table string, more ...string) url.Values {
	form := url.Values{"rule": {"orders"}, "name": {"rows.csv"}, "column": {"-"}, "file": {base64.RawURLEncoding.EncodeToString([]byte(table))}}
	for i := 0; i < len(more); i += 2 {
		form.Add(more[i], more[i+1])
	}
	return form
}

func orders(t *testing.T) Desk {
	t.Helper()
	d := newDesk(t)
	putRule(t, d, orderRule)
	for _, key := range []string{"shop:A-1", "shop:B-2"} {
		if _, err := d.Ledger.Import(t.Context(), ledger.ImportRequest{Keys: []ledger.Key{{Rule: "orders", Key: key}}, By: "test"}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := d.Ledger.Claim(t.Context(), ledger.ClaimRequest{Rule: "orders", Key: "shop:C-3"}); err != nil {
		t.Fatal(err)
	}
	return d
}

const orderTable = "order,Event key\nA-1,shop:A-1\nA-1,shop:A-1\nC-3,shop:C-3\nX-9,shop:X-9\nY-9,\n"

// TestRowsAreComparedWithTheKeys, by the column that is guessed, by columns and by the
// rule's own formula.
func TestRowsAreComparedWithTheKeys(t *testing.T) {
	d := orders(t)
	s := sit(t, d, "Lou", session.Look)
	wantWords(t, wantStatus(t, s.get("/keys"), http.StatusOK), `href="/keys/reconcile"`)
	wantWords(t, wantStatus(t, s.get("/keys/reconcile?rule=orders"), http.StatusOK), "New orders", "No file compared yet")
	body := wantStatus(t, s.post("/keys/reconcile", rowsForm(orderTable)), http.StatusOK)
	wantWords(t, body, "They differ", "Guessed: 3 of the first 5 rows", "row 2, row 3", "In progress", "Unknown", "shop:B-2", "row 6")
	if strings.Contains(body, "As finished") {
		t.Error("who may only look can take keys in")
	}
	for _, more := range [][]string{{"by", "formula"}, {"by", "parts", "prefix", "shop", "part", "order"}} {
		body = wantStatus(t, s.post("/keys/reconcile", rowsForm(orderTable, more...)), http.StatusOK)
		wantWords(t, body, "shop:X-9", "shop:Y-9", "shop:B-2", "2 rows")
	}
	wantWords(t, wantStatus(t, s.post("/keys/reconcile", rowsForm("order\nA-1\nB-2\n", "by", "formula")), http.StatusOK), "They agree")
	for _, more := range [][]string{{"by", "parts"}, {"by", "column"}, {"by", "column", "key-column", "gone"}} {
		wantStatus(t, s.post("/keys/reconcile", rowsForm(orderTable, more...)), http.StatusUnprocessableEntity)
	}
	wantStatus(t, s.post("/keys/reconcile", rowsForm(orderTable, "since", "1y")), http.StatusBadRequest)
	wantWords(t, wantStatus(t, s.post("/keys/reconcile/table", rowsForm(orderTable, "by", "formula", "list", "doubles", "as", "csv")), http.StatusOK), "rows-doubles.csv")
	wantStatus(t, s.post("/keys/reconcile/table", rowsForm(orderTable, "list", "all", "as", "csv")), http.StatusBadRequest)
	wantStatus(t, s.post("/keys/reconcile/import", rowsForm(orderTable)), http.StatusForbidden)
}

// TestUnknownKeysAreTakenInAsFinished, one or all, and those that are known stay as they
// are.
func TestUnknownKeysAreTakenInAsFinished(t *testing.T) {
	d := orders(t)
	s := sit(t, d, "Ana", session.Decide)
	wantWords(t, wantStatus(t, s.post("/keys/reconcile", rowsForm(orderTable, "by", "formula")), http.StatusOK), "Take 2 unknown keys in as finished…", "As finished")
	wantWords(t, wantStatus(t, s.post("/keys/reconcile/import", rowsForm(orderTable, "by", "formula", "only", "shop:X-9")), http.StatusOK), "1 key taken in as finished.", "Take 1 unknown key in")
	wantWords(t, wantStatus(t, s.post("/keys/reconcile/import", rowsForm(orderTable, "by", "formula", "count", "2")), http.StatusConflict), "It changed while you looked", "Nothing was taken in")
	wantWords(t, wantStatus(t, s.post("/keys/reconcile/import", rowsForm(orderTable, "by", "formula", "count", "1")), http.StatusOK), "1 key taken in as finished.")
	for key, want := range map[string]ledger.State{"shop:X-9": ledger.Done, "shop:Y-9": ledger.Done, "shop:C-3": ledger.Claimed} {
		life, err := d.Ledger.Key(t.Context(), "orders", key)
		if err != nil || life.Key.State != want {
			t.Errorf("%s is %s, want %s (%v)", key, life.Key.State, want, err)
		}
	}
}
