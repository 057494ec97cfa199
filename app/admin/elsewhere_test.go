package admin

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dedupedesk/app/session"
)

const claimsList = "Title,Status,RunId,ClaimedAt\nshop:1,In progress,r1,2026-11-30 10:00\nshop:2,In progress,r2,2026-11-30 14:00\nshop:3,Done,r3,2026-11-29 10:00\nshop:4,odd,r4,2026-11-29 10:00\n,Done,,\n"

// TestAListKeptElsewhereIsReadAndKeptNowhere, by its known columns or those that are
// chosen, and ends in a work list.
func TestAListKeptElsewhereIsReadAndKeptNowhere(t *testing.T) {
	d := newDesk(t)
	putRule(t, d, "rule: orders\nkey: key(body.id)\nlease: 1h\n")
	before, err := d.Ledger.SettingsWithPrefix(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	s := sit(t, d, "Lou", session.Look)
	wantWords(t, wantStatus(t, s.get("/keys/elsewhere"), http.StatusOK), "A list kept elsewhere", "nothing is kept here")
	body := wantStatus(t, s.post("/keys/elsewhere", rowsForm(claimsList)), http.StatusOK)
	wantWords(t, body, "shop:1", "Look for", "Unknown word", "row 6: The column Title is empty.", "The work list: 2 keys")
	wantWords(t, wantStatus(t, s.post("/keys/elsewhere", rowsForm(claimsList, "view", "finished")), http.StatusOK), "shop:3")
	wantWords(t, wantStatus(t, s.post("/keys/elsewhere", rowsForm(claimsList, "allowed", "1m")), http.StatusOK), "shop:2")
	wantWords(t, wantStatus(t, s.post("/keys/elsewhere", rowsForm("a,b\nx,done\n")), http.StatusOK), "Choose the column that holds the key.")
	wantWords(t, wantStatus(t, s.post("/keys/elsewhere", rowsForm("a,b\nx,done\n", "key", "a", "state", "b", "view", "finished")), http.StatusOK), "row 2")
	wantWords(t, wantStatus(t, s.post("/keys/elsewhere", rowsForm("key,state,since\nx,claimed,03/04/2026\n")), http.StatusOK), "Which comes first, day or month?")
	all := wantStatus(t, s.post("/keys/elsewhere", rowsForm(claimsList, "view", "all")), http.StatusOK)
	wantWords(t, all, "shop:1", "shop:3", "shop:4")
	some := wantStatus(t, s.post("/keys/elsewhere", rowsForm(claimsList, "view", "all", "q", "SHOP:3")), http.StatusOK)
	wantWords(t, some, "shop:3", `value="SHOP:3"`)
	if strings.Contains(some, "shop:1") {
		t.Error("a key is shown that does not contain what was asked for")
	}
	wantWords(t, wantStatus(t, s.post("/keys/elsewhere", rowsForm(claimsList, "q", "zzz")), http.StatusOK), "in this state contains “zzz”")
	listOf := func(rule string) url.Values {
		form := rowsForm(claimsList)
		form.Set("rule", rule)
		return form
	}
	putRule(t, d, "rule: slow\ntitle: Slow\nkey: key(body.id)\nlease: 8h\n")
	slow := wantStatus(t, s.post("/keys/elsewhere", listOf("slow")), http.StatusOK)
	wantWords(t, slow, `value="8h"`, "None", "/steps?rule=slow")
	wantWords(t, wantStatus(t, s.get("/keys/elsewhere"), http.StatusOK), `value="slow"`)
	wantStatus(t, s.post("/keys/elsewhere", listOf("gone")), http.StatusNotFound)
	wantStatus(t, s.post("/keys/elsewhere", rowsForm(claimsList, "allowed", "soon")), http.StatusUnprocessableEntity)
	wantWords(t, wantStatus(t, s.post("/keys/elsewhere/table", rowsForm(claimsList, "as", "csv")), http.StatusOK), "rows-work-list.csv")
	after, err := d.Ledger.SettingsWithPrefix(t.Context(), "")
	delete(after, "ledger.checked_at") // written by each page's own check
	if diff := cmp.Diff(before, after); err != nil || diff != "" {
		t.Errorf("kept (-before +after):\n%s %v", diff, err)
	}
}
