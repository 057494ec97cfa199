package admin

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"dedupedesk/app/session"
)

// TestTheCauseIsFoundByItsLinksAlone: the answers are in the address, each can be changed,
// and what is unknown in it is passed over.
func TestTheCauseIsFoundByItsLinksAlone(t *testing.T) {
	s := sit(t, newDesk(t), "Lou", session.Look)
	at := "/cause"
	follow := func(text string) string {
		t.Helper()
		body := wantStatus(t, s.get(at), http.StatusOK)
		m := regexp.MustCompile(`<a[^>]*href="(/cause[^"]*)"[^>]*>\s*` + regexp.QuoteMeta(html.EscapeString(text))).FindStringSubmatch(body)
		if m == nil {
			t.Fatalf("no %q at %s", text, at)
		}
		at = html.UnescapeString(m[1])
		return wantStatus(t, s.get(at), http.StatusOK)
	}
	wantWords(t, follow("Two runs"), "Does anything else react to the same event?", "So far", "ruled out")
	follow("No, this one alone")
	follow("An event")
	follow("The same")
	follow("Not sure")
	body := follow("A failed or slow try")
	wantWords(t, body, "The sender sent it again", "Key on the event's id", "One run at a time: the second one just comes later.", "Design the key", "See it happen")
	if strings.Contains(body, "It cannot be told for sure") {
		t.Error("one cause is not told for sure")
	}
	wantWords(t, wantStatus(t, s.get("/cause?runs=two&other=not-sure&start=not-sure&same=not-sure&replayed=not-sure&log=not-sure&lookup=not-sure&changes=not-sure&thing=not-sure&person=not-sure&long=not-sure"), http.StatusOK), "It cannot be told for sure", "With these answers 11 causes are possible.")
	wantWords(t, wantStatus(t, s.get("/cause?runs=maybe&x=<b>"), http.StatusOK), "Did one run do it twice")
	changed := wantStatus(t, s.get("/cause?runs=one&step=yes"), http.StatusOK)
	wantWords(t, changed, "A step was tried again after a timeout", `href="/cause?runs=one"`, `href="/cause?step=yes"`)
}

// TestTwoEventsAnswerQuestionsAndBecomeSamples, copies in one group.
func TestTwoEventsAnswerQuestionsAndBecomeSamples(t *testing.T) {
	d := newDesk(t)
	s := sit(t, d, "Ana", session.Change)
	pair := func(first, second string) url.Values { return url.Values{"first": {first}, "second": {second}} }
	request := func(try string) string {
		return "POST /hook HTTP/1.1\nContent-Type: application/json\nX-Slack-Retry-Num: " + try + "\n\n" + `{"type":"event_callback","team_id":"T1","event_id":"Ev1","event":{"type":"message","channel":"C1","ts":"1.2"}}`
	}
	wantWords(t, wantStatus(t, s.post("/cause/compare", pair("", "{")), http.StatusUnprocessableEntity), "Paste an event", "compare-second-fault")
	both := pair(request("1"), request("2"))
	body := wantStatus(t, s.post("/cause/compare", both), http.StatusOK)
	wantWords(t, body, "The event's id is the same in both.", "another try: x-slack-retry-num", "Design a key on these two", `name="same" value="yes"`)
	m := regexp.MustCompile(`href="(/cause\?[^"]*)"`).FindStringSubmatch(body)
	if m == nil {
		t.Fatal("nothing leads on")
	}
	wantWords(t, wantStatus(t, s.get(html.UnescapeString(m[1])), http.StatusOK), "The sender sent it again")
	both.Set("start", "two")
	both.Set("same", "yes")
	w := s.post("/design/new", both)
	wantStatus(t, w, http.StatusOK)
	wantWords(t, w.Body.String(), "First run", "Second run", "Slack")
	both.Set("second", "{")
	wantStatus(t, s.post("/design/new", both), http.StatusBadRequest)
	looker := sit(t, again(t, d), "Lou", session.Look)
	if body := wantStatus(t, looker.post("/cause/compare", pair(`{"a":1}`, `{"a":2}`)), http.StatusOK); strings.Contains(body, "Design a key on these two") {
		t.Error("who may only look is offered to design")
	}
}
