package admin

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"dedupedesk/app/session"
)

// labForms are the fields of a small experiment.
func labFields(change ...string) url.Values {
	form := url.Values{"events": {"40"}, "twice": {"100"}, "thrice": {"0"}, "workers": {"8"}, "pause": {"8"}, "fail": {"0"}, "crash": {"0"}}
	for i := 0; i < len(change); i += 2 {
		form.Set(change[i], change[i+1])
	}
	return form
}

// TestTheLabRunsShowsAndCompares: it asks for itself while it runs, and then says what
// came out, with a picture of each event, a table and what the run before said.
func TestTheLabRunsShowsAndCompares(t *testing.T) {
	d := newDesk(t)
	t.Cleanup(d.Lab.Close)
	s := sit(t, d, "Lou", session.Look)
	wantWords(t, wantStatus(t, s.get("/lab"), http.StatusOK), "No run yet", `value="500"`, "40 orders sent again")
	wantWords(t, wantStatus(t, s.get("/lab?scenario=orders"), http.StatusOK), "costs 22 USD")
	wantStatus(t, s.get("/lab/event?method=look+first&event=1"), http.StatusNotFound)
	wantStatus(t, s.get("/lab/picture"), http.StatusNotFound)
	run := func(form url.Values) string {
		t.Helper()
		w := s.post("/lab/run", form)
		wantStatus(t, w, http.StatusOK)
		if w.Header().Get("HX-Trigger") != "lab" {
			t.Error("the page is not told to look")
		}
		for {
			body := wantStatus(t, s.get("/lab/now"), http.StatusOK)
			if !strings.Contains(body, "every 400ms") {
				return body
			}
			wantWords(t, body, "It runs", "Cancel")
		}
	}
	body := run(labFields())
	wantWords(t, body, "No check wrote 40 rows too many. Looking first wrote as many: it did not help.", "No event was lost.", "8 at once", "Each looked before the other wrote.")
	if strings.Contains(body, "The run before") {
		t.Error("the first run is compared")
	}
	wantWords(t, run(labFields("workers", "1", "pause", "1")), "Looking first wrote none.", "The run before", "one at a time")
	wantWords(t, wantStatus(t, s.get("/lab/event?method=no+check&event=1&event=7"), http.StatusOK), "Event 7 came twice and has 2 rows.", `value="8"`)
	wantWords(t, wantStatus(t, s.get("/lab/event?method=look+first&event=41"), http.StatusOK), "There is no event 41. There are 40 events.")
	wantWords(t, wantStatus(t, s.get("/lab/event?method=look+first&event=x"), http.StatusOK), "There is no event 0.")
	wantStatus(t, s.get("/lab/event?method=hope&event=1"), http.StatusNotFound)
	wantWords(t, wantStatus(t, s.post("/lab/table", url.Values{"as": {"csv"}}), http.StatusOK), "lab.csv")
	picture := s.get("/lab/picture")
	if wantWords(t, wantStatus(t, picture, http.StatusOK), "<svg", "No check, one at a time"); picture.Header().Get("Content-Type") != "image/svg+xml" {
		t.Error("the picture is none")
	}
	wantWords(t, run(labFields("scenario", "orders", "workers", "8")), "Spent for nothing", "880 USD")
	wantWords(t, run(labFields("fail", "20")), "Mark first lost", "nobody will ever know of them")
}

// TestTheLabIsCancelled, and does not begin twice.
func TestTheLabIsCancelled(t *testing.T) {
	d := newDesk(t)
	t.Cleanup(d.Lab.Close)
	s := sit(t, d, "Lou", session.Look)
	wantStatus(t, s.post("/lab/run", labFields("events", "5000", "pause", "500")), http.StatusOK)
	wantWords(t, wantStatus(t, s.post("/lab/run", labFields()), http.StatusUnprocessableEntity), "A run goes on.")
	body := wantStatus(t, s.post("/lab/cancel", url.Values{}), http.StatusOK)
	wantWords(t, body, "It was cancelled", "not whole")
	if strings.Contains(body, "every 400ms") {
		t.Error("it goes on")
	}
	wantStatus(t, s.post("/lab/cancel", url.Values{}), http.StatusOK)
}

func TestTheLabNamesTheFieldAtFault(t *testing.T) {
	s := sit(t, newDesk(t), "Lou", session.Look)
	for _, tt := range []struct{ field, value, says string }{
		{"events", "many", "Write a number."},
		{"events", "0", "lies between 1 and 5000."},
		{"workers", "65", "lies between 1 and 64."},
		{"thrice", "1", "more than 100 % together"},
		{"pause", "0", "between 1 and 1000 milliseconds"},
		{"crash", "-1", "lies between 0 and 50."},
	} {
		body := wantStatus(t, s.post("/lab/run", labFields(tt.field, tt.value)), http.StatusUnprocessableEntity)
		wantWords(t, body, tt.says, `value="`+tt.value+`"`, `id="lab-`+tt.field+`-fault"`)
	}
}
