package admin

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"dedupedesk/app/session"
)

const claimsList = "Title,Status,RunId,ClaimedAt\nshop:1,In progress,r1,2026-11-30 10:00\nshop:2,In progress,r2,2026-11-30 14:00\nshop:3,Done,r3,2026-11-29 10:00\nshop:4,odd,r4,2026-11-29 10:00\n,Done,,\n"

// TestAListKeptElsewhereIsReadAndKeptNowhere, by its known columns or those that are
// chosen, and ends in a work list.
func TestAListKeptElsewhereIsReadAndKeptNowhere(t *testing.T) {
	d := newDesk(t)
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
	wantStatus(t, s.post("/keys/elsewhere", rowsForm(claimsList, "allowed", "soon")), http.StatusUnprocessableEntity)
	wantWords(t, wantStatus(t, s.post("/keys/elsewhere/table", rowsForm(claimsList, "as", "csv")), http.StatusOK), "rows-work-list.csv")
	after, err := d.Ledger.SettingsWithPrefix(t.Context(), "")
	delete(after, "ledger.checked_at") // written by each page's own check
	if diff := cmp.Diff(before, after); err != nil || diff != "" {
		t.Errorf("kept (-before +after):\n%s %v", diff, err)
	}
}
