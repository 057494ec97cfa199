package admin

import (
	"html"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"dedupedesk/app/session"
	"dedupedesk/app/setup"
)

func TestDetailsAndTicksSurviveARestart(t *testing.T) {
	d := newDesk(t)
	putRule(t, d, listRule)
	s := sit(t, d, "Ana", session.Change)
	wantWords(t, wantStatus(t, s.post("/steps/details", account("  Flows@Example.com ")), http.StatusOK), "Details saved.")
	body := wantStatus(t, s.post("/steps/tick", tickForm("line", "yes")), http.StatusOK)
	wantWords(t, body, `aria-checked="true"`, "by Ana", "1 of ")
	move(d, 26*time.Hour)

	later := sit(t, again(t, d), "Bo", session.Look)
	body = wantStatus(t, later.get(listSteps), http.StatusOK)
	if _, state := stepHTML(t, body, "line"); state != "done" {
		t.Errorf("the tick is %q after a restart", state)
	}
	wantWords(t, body, `value="  Flows@Example.com "`, "by Ana", "1 day ago")
	wantWords(t, wantStatus(t, later.get("/steps"), http.StatusOK), "1 of ")

	wantStatus(t, s.post("/steps/tick", tickForm("line", "no")), http.StatusOK)
	if _, state := stepHTML(t, wantStatus(t, later.get(listSteps), http.StatusOK), "line"); state != "open" {
		t.Errorf("the tick that was taken away is %q", state)
	}
}

func TestChangedValueAsksToCheckAgain(t *testing.T) {
	d := newDesk(t)
	putRule(t, d, listRule)
	s := sit(t, d, "Ana", session.Change)
	wantStatus(t, s.post("/steps/details", account("flows@example.com")), http.StatusOK)
	for _, step := range []string{"copies", "line", "key", "prove"} {
		wantStatus(t, s.post("/steps/tick", tickForm(step, "yes")), http.StatusOK)
	}
	states := func() map[string]string {
		body := wantStatus(t, s.get(listSteps), http.StatusOK)
		all := map[string]string{}
		for _, m := range stepStart.FindAllStringSubmatch(body, -1) {
			all[m[1]] = m[2]
		}
		return all
	}
	expect := func(when string, want map[string]string) {
		t.Helper()
		got := states()
		for step, state := range want {
			if got[step] != state {
				t.Errorf("%s: step %s is %q, want %q", when, step, got[step], state)
			}
		}
	}
	expect("ticked", map[string]string{"copies": "done", "line": "done", "key": "done", "prove": "done", "save": "open"})

	putRule(t, d, strings.Replace(listRule, `key("list",`, `key("orders",`, 1))
	expect("new formula", map[string]string{"copies": "done", "line": "done", "key": "again", "prove": "again", "save": "open"})

	body := wantStatus(t, s.post("/steps/details", account("robot@example.com")), http.StatusOK)
	wantWords(t, body, "1 ticked step changed", "Check again")
	expect("new account", map[string]string{"copies": "done", "line": "again", "key": "again", "prove": "again"})

	wantStatus(t, s.post("/steps/tick", tickForm("key", "yes")), http.StatusOK)
	expect("ticked again", map[string]string{"key": "done", "line": "again"})
}

func TestATitleChangeLeavesTheTicks(t *testing.T) {
	d := newDesk(t)
	putRule(t, d, listRule)
	s := sit(t, d, "Ana", session.Change)
	wantStatus(t, s.post("/steps/details", account("flows@example.com")), http.StatusOK)
	for _, step := range []string{"account", "line", "key", "prove"} {
		wantStatus(t, s.post("/steps/tick", tickForm(step, "yes")), http.StatusOK)
	}
	putRule(t, d, strings.Replace(listRule, "title: List edits", "title: Edits of the list", 1))
	wantWords(t, wantStatus(t, s.get(listSteps), http.StatusOK), "4 of ", "Edits of the list")
	if body := wantStatus(t, s.get(listSteps), http.StatusOK); strings.Contains(body, `data-state="again"`) {
		t.Error("a new title made a tick doubtful")
	}
}

func TestMissingDetailIs422WithASentence(t *testing.T) {
	d := newDesk(t)
	putRule(t, d, listRule)
	s := sit(t, d, "Ana", session.Change)
	wantStatus(t, s.post("/steps/details", account("flows@example.com")), http.StatusOK)
	for typed, sentence := range map[string]string{
		" ":                        "Flow account is missing. It looks like flows@yourcompany.com.",
		"flows":                    "This is no e-mail address.",
		"Flows <flows@example.com": "Type the address alone",
		strings.Repeat("a", 2001):  "Flow account is longer than 2,000 characters.",
	} {
		body := wantStatus(t, s.post("/steps/details", account(typed)), http.StatusUnprocessableEntity)
		wantWords(t, body, sentence, `aria-invalid="true"`, `value="`+typed+`"`)
		// Nothing of the account before is offered: not by the step, not as text.
		part, _ := stepHTML(t, body, "line")
		wantWords(t, part, "Wait with this step", "The detail Flow account above is not right yet.")
		if strings.Contains(html.UnescapeString(body), "'flows@example.com'") || strings.Contains(part, "copy-button") {
			t.Errorf("%q: the line of the account before is offered", typed)
		}
		part, _ = stepHTML(t, body, "concurrency")
		wantWords(t, part, "copy-button") // made of no detail
	}
	part, _ := stepHTML(t, wantStatus(t, s.get(listSteps), http.StatusOK), "line")
	wantWords(t, part, "'flows@example.com'")
	wantWords(t, wantStatus(t, s.get(listSteps), http.StatusOK), `value="flows@example.com"`)
	form := account("flows@example.com")
	form.Set("detail.generation", "future")
	wantWords(t, wantStatus(t, s.post("/steps/details", form), http.StatusUnprocessableEntity), "is not one of the choices")
}

// A detail that an older program let pass must not take the page away.
func TestKeptDetailThatIsWrongNowStillShowsTheSteps(t *testing.T) {
	d := newDesk(t)
	putRule(t, d, listRule)
	r, err := d.Ledger.Rule(t.Context(), "list-edits")
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Ledger.PutSetting(t.Context(), setup.RecordName(r.ID, "power-automate"), `{"details":{"account":"flows","field":"Editor/Email"}}`); err != nil {
		t.Fatal(err)
	}
	body := wantStatus(t, sit(t, d, "Ana", session.Look).get(listSteps), http.StatusOK)
	wantWords(t, body, "This is no e-mail address.", `value="flows"`)
	stepHTML(t, body, "line")

	// Without a wrong path the line would be made with the usual one, which is as wrong.
	if err := d.Ledger.PutSetting(t.Context(), setup.RecordName(r.ID, "power-automate"), `{"details":{"account":"flows@example.com","field":"Editor//Email"}}`); err != nil {
		t.Fatal(err)
	}
	s := sit(t, d, "Ana", session.Change)
	body = wantStatus(t, s.get(listSteps), http.StatusOK)
	part, _ := stepHTML(t, body, "line")
	wantWords(t, part, "above is not right yet.")
	if strings.Contains(html.UnescapeString(body), "'flows@example.com'") {
		t.Error("a line is offered although the path is wrong")
	}
	wantStatus(t, s.post("/steps/tick", tickForm("line", "yes")), http.StatusUnprocessableEntity)
}

// A refused detail is not kept, so no tick may look doubtful by it.
func TestRefusedDetailLeavesTheTicks(t *testing.T) {
	d := newDesk(t)
	putRule(t, d, listRule)
	s := sit(t, d, "Ana", session.Change)
	wantStatus(t, s.post("/steps/details", account("flows@example.com")), http.StatusOK)
	for _, step := range []string{"line", "prove"} {
		wantStatus(t, s.post("/steps/tick", tickForm(step, "yes")), http.StatusOK)
	}
	body := wantStatus(t, s.post("/steps/details", account("flows")), http.StatusUnprocessableEntity)
	for _, step := range []string{"line", "prove"} {
		if _, state := stepHTML(t, body, step); state != "done" {
			t.Errorf("step %s is %q after a refused detail, want done", step, state)
		}
	}
}

// One wrong detail does not take the right ones with it.
func TestARightDetailIsKeptBesideAWrongOne(t *testing.T) {
	d := newDesk(t)
	putRule(t, d, listRule)
	s := sit(t, d, "Ana", session.Change)
	form := account("flows@example.com")
	form.Set("detail.field", "Editor//Email")
	body := wantStatus(t, s.post("/steps/details", form), http.StatusUnprocessableEntity)
	wantWords(t, body, `value="flows@example.com"`, `value="Editor//Email"`)
	body = wantStatus(t, s.get(listSteps), http.StatusOK)
	wantWords(t, body, `value="flows@example.com"`)
	if strings.Contains(body, "Editor//Email") {
		t.Error("the wrong detail is kept")
	}
}

// Two ticks at the same moment are two changes of one record; neither may be lost.
func TestQuickTicksAllStay(t *testing.T) {
	d := newDesk(t)
	putRule(t, d, listRule)
	s := sit(t, d, "Ana", session.Change)
	steps := []string{"account", "copies", "open", "save", "concurrency", "switch-on"}
	var wg sync.WaitGroup
	for _, step := range steps {
		wg.Go(func() {
			if w := s.post("/steps/tick", tickForm(step, "yes")); w.Code != http.StatusOK {
				t.Errorf("tick of %s: status %d", step, w.Code)
			}
		})
	}
	wg.Wait()
	wantWords(t, wantStatus(t, s.get(listSteps), http.StatusOK), strconv.Itoa(len(steps))+" of ")
}
