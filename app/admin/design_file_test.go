package admin

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/csv"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"dedupedesk/app/deliveries"
	"dedupedesk/app/guard"
	"dedupedesk/app/session"
	"dedupedesk/app/transfer"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"
)

// asFile is how the page sends a file.
func asFile(name string, data []byte) []string {
	return []string{"name", name, "file", base64.RawURLEncoding.EncodeToString(data)}
}

// manyCalls are two copies and another order of one note, one without a note, one whose
// note a spreadsheet would work out, and a line that cannot be read.
const manyCalls = `{"id":"1","note":"a","amount":5}
{"id":"1","note":"a","amount":5}
{"id":"2","note":"a","amount":7}
{"id":"3"}
{"id":"4","note":"=1+1","amount":1}
half a line
`

func noteRule(t *testing.T, d Desk, formula string) *drawer {
	t.Helper()
	dr := startRule(t, d, url.Values{"start": {"paste"}, "text": {`{"id":"1","note":"a","amount":5}`}})
	dr.do(http.StatusOK, "formula", "formula", formula)
	return dr
}

func TestFileIsTestedAndTwoDeliveriesBecomeSamples(t *testing.T) {
	d := newDesk(t)
	dr := noteRule(t, d, `key("shop", body.note)`)
	dr.wants(`href="/design/test?draft=` + dr.draft)
	dr.open("/design/test?draft=" + dr.draft)
	dr.wants("Test with a file", "The file stays on this computer")

	dr.do(http.StatusOK, "test", asFile("calls.jsonl", []byte(manyCalls))...)
	dr.wants("1 group deserves a look", "calls.jsonl was read as JSON lines", "shop:a", "line 1, line 2, line 3", "In line 3 ", "probably different events",
		"Add both as different events", "is missing", "line 4", "line 6", "shop:=1+1")

	w := dr.do(http.StatusOK, "test/add", append(asFile("calls.jsonl", []byte(manyCalls)), "as", "events", "place", "line 3")...)
	if got, want := w.Header().Get("HX-Redirect"), "/design/rule?draft="+dr.draft; got != want {
		t.Errorf("leads to %q, want %q", got, want)
	}
	samples := keptDraft(t, d, dr.draft).Rule.Samples
	if len(samples) != 2 || samples[1].Group != "B" || samples[1].Name != "line 3 of calls.jsonl" || !strings.Contains(samples[1].Body, `"2"`) {
		t.Errorf("the samples are %+v", samples)
	}
	dr.open("/design/rule?draft=" + dr.draft)
	dr.wants("Events A and B would share one key")
	dr.do(http.StatusOK, "undo")
	if n := len(keptDraft(t, d, dr.draft).Rule.Samples); n != 1 {
		t.Errorf("%d samples after undo", n)
	}
}

// A missed copy is added as one. What is a sample already keeps its event.
func TestMissedCopyOfAFileIsAddedAsACopy(t *testing.T) {
	d := newDesk(t)
	dr := noteRule(t, d, `key("shop", body.id, body.attempt)`)
	file := asFile("", []byte(`[{"id":"1","note":"a","attempt":1},{"id":"1","note":"a","attempt":2}]`))
	dr.do(http.StatusOK, "test", file...)
	dr.wants("Item 2 holds the same as item 1", "Add both as copies")
	two := func() []string { return append(file[:len(file):len(file)], "as", "copies", "place", "item 2") }
	dr.do(http.StatusOK, "test/add", append(file[:len(file):len(file)], "as", "events", "place", "item 1")...)
	dr.post("/design/test/add", url.Values{"draft": {dr.draft}, "file": {file[3]}, "as": {"copies"}, "place": {"item 1", "item 2"}})
	dr.do(http.StatusOK, "test/add", two()...)
	var groups []string
	for _, s := range keptDraft(t, d, dr.draft).Rule.Samples {
		groups = append(groups, s.Group)
	}
	if diff := cmp.Diff([]string{"A", "B", "B"}, groups); diff != "" {
		t.Error(diff)
	}
}

// A key with a time of each delivery stops nothing: the page says so, and its two
// copies show what is to be taken out.
func TestFileTellsOfAKeyThatStopsNothing(t *testing.T) {
	d := newDesk(t)
	dr := noteRule(t, d, `key("shop", body.order_id, body.created)`)
	file := asFile("orders.csv", []byte("order_id,total,created\no1,5,2026-11-01T10:00:00Z\no1,5,2026-11-01T10:00:09Z\no2,7,2026-11-01T10:00:10Z\no2,7,2026-11-01T10:00:19Z\n"))
	dr.do(http.StatusOK, "test", file...)
	dr.wants("This key stops next to nothing", "though 2 deliveries have the", "order_id", "If row 2 and row 3 are copies, take", "Add both as copies")
	dr.lacks("Nothing suspicious")
	dr.post("/design/test/add", url.Values{"draft": {dr.draft}, "name": {file[1]}, "file": {file[3]}, "as": {"copies"}, "place": {"row 2", "row 3"}})
	dr.open("/design/rule?draft=" + dr.draft)
	dr.wants("get different keys, because <code>created</code> changes on each try", `value="key("shop", body.order_id)"`)
}

// A file with other columns says once which it has.
func TestFileTellsWhichColumnsItHas(t *testing.T) {
	dr := noteRule(t, newDesk(t), `key("shop", body.id)`)
	dr.do(http.StatusOK, "test", asFile("orders.csv", []byte("Order ID;total\no1;5\no2;7\n"))...)
	dr.wants("No delivery of this file has <code>body.id</code>", "<code>Order ID</code> and <code>total</code>", `Did you mean <code>body["Order ID"]</code>?`)
}

var savedTable = regexp.MustCompile(`(?s)<save-now data-name="([^"]+)"[^>]*>([^<]*)<`)

func TestTableOfAFileIsSavedWithoutFormulas(t *testing.T) {
	d := newDesk(t)
	dr := noteRule(t, d, `body.note`)
	saved := func(as string) []byte {
		dr.do(http.StatusOK, "test/table", append(asFile("calls.jsonl", []byte(manyCalls)), "as", as)...)
		m := savedTable.FindStringSubmatch(dr.shown)
		if m == nil || m[1] != "calls-keys."+as {
			t.Fatalf("saved is %.200s", dr.shown)
		}
		data, err := base64.StdEncoding.DecodeString(m[2])
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	rows, err := csv.NewReader(bytes.NewReader(saved("csv"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range rows {
		got = append(got, fmt.Sprint(r[0], " ", r[1], " ", r[2], " ", r[4]))
	}
	want := []string{"key deliveries suspicion places", "a 3 merged line 1, line 2, line 3", "'=1+1 1  line 5"}
	if diff := cmp.Diff(want, got[:3]); diff != "" || len(got) != 5 || !strings.Contains(got[3], " 1 no key line ") {
		t.Errorf("%v\n%s", got, diff)
	}
	if text := string(saved(string(transfer.JSONL))); strings.Count(text, "\n") != 4 || !strings.Contains(text, `{"key":"=1+1","deliveries":1,"suspicion":"",`) {
		t.Errorf("JSON lines are %s", text)
	}
	book, err := excelize.OpenReader(bytes.NewReader(saved("xlsx")))
	if err != nil {
		t.Fatal(err)
	}
	if cell, err := book.GetCellValue("Sheet1", "A3"); err != nil || cell != "'=1+1" {
		t.Errorf("the sheet has %q, %v", cell, err)
	}
	form := url.Values{"draft": {dr.draft}, "name": {"calls.jsonl"}, "file": {base64.RawURLEncoding.EncodeToString([]byte(manyCalls))}, "as": {"csv"}}
	r := httptest.NewRequest(http.MethodPost, "/design/test/table", strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set(guard.WindowHeader, "window-secret")
	if shown := dr.send(r).Body.String(); strings.Contains(shown, "save-now") || !strings.Contains(shown, "key,deliveries,") {
		t.Errorf("the native window is given %.300s", shown)
	}
	w := dr.post("/design/test/table", url.Values{"draft": {dr.draft}, "file": {""}, "as": {"csv"}})
	wantStatus(t, w, http.StatusUnprocessableEntity)
	wantStatus(t, dr.post("/design/test/table", url.Values{"draft": {dr.draft}, "file": {"e30"}, "as": {"lines"}}), http.StatusBadRequest)
}

func TestSpreadsheetIsTestedByRows(t *testing.T) {
	d := newDesk(t)
	dr := noteRule(t, d, `key("shop", body.id)`)
	book := excelize.NewFile()
	for i, row := range [][]any{{"id", "note"}, {"7", "a"}, {"7", "a"}, {"8", "b"}} {
		if err := book.SetSheetRow("Sheet1", fmt.Sprintf("A%d", i+1), &row); err != nil {
			t.Fatal(err)
		}
	}
	var data bytes.Buffer
	if err := book.Write(&data); err != nil {
		t.Fatal(err)
	}
	dr.do(http.StatusOK, "test", asFile("history.xlsx", data.Bytes())...)
	dr.wants("history.xlsx was read as a spreadsheet", "shop:7", "row 2, row 3", "Nothing suspicious")
	dr.do(http.StatusUnprocessableEntity, "test", append(asFile("history.xlsx", data.Bytes()), "sheet", "May")...)
	dr.wants(`has no sheet "May"`)
}

func TestFileThatCannotBeTestedSaysWhy(t *testing.T) {
	d := newDesk(t)
	dr := noteRule(t, d, `key("shop", body.id)`)
	for _, tt := range []struct {
		says string
		form []string
	}{
		{"Choose a file first", nil},
		{"did not arrive whole", []string{"file", "?"}},
		{"The file is empty", asFile("a.jsonl", nil)},
		{"not UTF-8", asFile("a.csv", []byte{0xfc, 0xfd, 'a'})},
		{"more than 20 MB", asFile("a.jsonl", bytes.Repeat([]byte(" "), maxTestFile+1))},
	} {
		dr.do(http.StatusUnprocessableEntity, "test", tt.form...)
		dr.wants(tt.says)
	}
	dr.do(http.StatusUnprocessableEntity, "test/add", append(asFile("a.jsonl", []byte("{}\n{}")), "place", "line 9")...)
	dr.wants("not in the file any more")

	empty := startRule(t, d, url.Values{"start": {"paste"}, "text": {`{"id":"1"}`}})
	empty.open("/design/test?draft=" + empty.draft)
	empty.wants("Nothing to test yet", "The key has no part yet")
	empty.lacks("<file-test")
	empty.do(http.StatusUnprocessableEntity, "test", asFile("a.jsonl", []byte("{}"))...)
	empty.wants("The key has no part yet")

	look := sit(t, d, "Kim", session.Look)
	wantTold(t, look.get("/design/test?draft="+dr.draft).Body.String(), "lets you look only")
	wantStatus(t, look.post("/design/test", url.Values{"draft": {dr.draft}}), http.StatusForbidden)
	if keptDraft(t, d, dr.draft) == nil || len(keptDraft(t, d, dr.draft).Rule.Samples) != 1 {
		t.Error("the draft was changed")
	}
}

// A person who cancels, or leaves, stops the work.
func TestTestOfAFileStopsWithItsRequest(t *testing.T) {
	d := newDesk(t)
	dr := noteRule(t, d, `key("shop", body.id)`)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	form := url.Values{"draft": {dr.draft}}
	form.Set("name", "a.jsonl")
	form.Set("file", base64.RawURLEncoding.EncodeToString([]byte("{\"id\":1}\n{\"id\":2}\n")))
	r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/design/test", strings.NewReader(form.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if w := dr.send(r); w.Body.Len() > 0 {
		t.Errorf("answered %d: %.200s", w.Code, w.Body)
	}
	file, err := deliveries.Open("", []byte("{\"id\":1}\n{\"id\":2}\n"), deliveries.Options{})
	if err != nil {
		t.Fatal(err)
	}
	program, err := (&designer{Desk: d}).program(keptDraft(t, d, dr.draft))
	if err != nil {
		t.Fatal(err)
	}
	late, cancel := context.WithDeadline(t.Context(), time.Time{})
	defer cancel()
	if _, err := runAll(late, file, program); err == nil || !strings.Contains(err.Error(), "took longer than 30 seconds") {
		t.Errorf("a test that is out of time: %v", err)
	}
}
