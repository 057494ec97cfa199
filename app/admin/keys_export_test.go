package admin

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"dedupedesk/app/session"
	"dedupedesk/app/transfer"
)

// TestPeers63ExportIsExactlyWhatTheListShows, on all of its pages, with formulas and
// markup as text.
func TestPeers63ExportIsExactlyWhatTheListShows(t *testing.T) {
	d := newDesk(t)
	hostile := []string{`<img src=x onerror=alert(1)>`, `=HYPERLINK("http://example.org")`, "طلب:٤٢", strings.Repeat("k", 255)}
	for _, key := range hostile {
		grantKey(t, d, key, "run")
	}
	for i := range 120 {
		finishKey(t, d, fmt.Sprintf("order:%03d", i), grantKey(t, d, fmt.Sprintf("order:%03d", i), "run").Token)
	}
	move(d, 18*time.Minute)
	grantKey(t, d, "live", "run")
	s := sit(t, d, "Lou", session.Look)
	wantWords(t, wantStatus(t, s.get("/keys?view=stuck"), http.StatusOK), `href="/keys/export?view=stuck&as=csv"`)
	for address, want := range map[string]int{
		"?": 125, "?view=stuck&": 4, "?view=finished&": 120, "?view=finished&q=order:01&": 10, "?q=order:11&": 10, "?q=order:119&match=exact&": 1,
		"?q=19&match=inside&": 2, "?since=1h&view=in_progress&": 1, "?view=waiting&": 0, "?cursor=zzz&": 125,
	} {
		got := s.get("/keys/export" + address + "as=jsonl")
		body := wantStatus(t, got, http.StatusOK)
		if n := strings.Count(body, "\n"); n != want {
			t.Errorf("%s: %d keys, want %d", address, n, want)
		}
		if !strings.Contains(got.Header().Get("Content-Disposition"), "keys-2026-11-30.jsonl") {
			t.Errorf("%s: %q", address, got.Header().Get("Content-Disposition"))
		}
	}
	file := wantStatus(t, s.get("/keys/export?view=stuck&as=csv"), http.StatusOK)
	read := transfer.NewReader(strings.NewReader(file), transfer.CSV)
	found := map[string]bool{}
	for {
		k, _, err := read.Next()
		if err != nil {
			break
		}
		found[k.Key] = true
	}
	for _, key := range hostile {
		if !found[key] {
			t.Errorf("%q did not come back from %s", key, file)
		}
	}
	if strings.Contains(file, "\n=") || strings.Contains(file, ",=") {
		t.Error("a cell begins as a formula does")
	}
	book, err := excelize.OpenReader(bytes.NewReader([]byte(wantStatus(t, s.get("/keys/export?view=stuck&as=xlsx"), http.StatusOK))))
	if err != nil {
		t.Fatal(err)
	}
	if rows, err := book.GetRows(book.GetSheetName(0)); err != nil || len(rows) != 5 {
		t.Errorf("%d rows in the spreadsheet, %v", len(rows), err)
	}
	wantStatus(t, s.get("/keys/export?as=pdf"), http.StatusBadRequest)
	wantStatus(t, s.get("/keys/export?view=odd&as=csv"), http.StatusBadRequest)
	wantStatus(t, s.get("/keys/export?rule=nobody&as=csv"), http.StatusNotFound)
}
